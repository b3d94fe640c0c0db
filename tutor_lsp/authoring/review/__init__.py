"""A short review: one unit of an exercise that was passed, all else given, with fresh values.

Deliberately absent: when a review is due, and anything that a model would be asked.
"""
