"""Known mistakes of a generated exercise: a model writes them, and what does not hold is dropped.

Deliberately absent: repairing a mistake, or an exercise because of one.
"""
