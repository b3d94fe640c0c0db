"""The progress report as one HTML page: no script, nothing from elsewhere, readable without colour.

Deliberately absent: reading the store; `tutor.report` hands over what is shown.
"""
