"""Running child processes: groups, limits, streams, environment, containment.

Deliberately absent: any knowledge of languages, tests, or models.
"""
