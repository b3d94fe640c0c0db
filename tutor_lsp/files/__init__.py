"""Reading files that somebody else may have made: never blocked, never without bound.

Deliberately absent: what an exercise is.
"""
