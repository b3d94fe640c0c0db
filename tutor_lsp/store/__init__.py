"""The learner's record: one SQLite file for sessions, mastery, event log and stage journal.

Deliberately absent: rules about mastery, hints or verdicts; anything about exercise files.
"""
