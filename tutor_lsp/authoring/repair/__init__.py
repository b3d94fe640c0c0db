"""Repairing an exercise that does not hold: what code can mend, and calls for the rest.

Deliberately absent: deciding whether it holds.
"""
