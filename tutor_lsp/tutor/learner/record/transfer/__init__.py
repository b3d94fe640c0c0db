"""The whole learner record as one JSON file.

Deliberately absent: settings, which belong to a machine, and unfinished set-ups.
"""
