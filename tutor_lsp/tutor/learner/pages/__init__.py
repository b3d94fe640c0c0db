"""The learning report as one HTML page: no script, no external resources, readable without colour.

Deliberately absent: reading the store; `tutor.report` hands over what is shown.
"""
