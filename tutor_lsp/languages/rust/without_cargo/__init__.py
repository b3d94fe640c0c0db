"""Builds without cargo between: what it does for an exercise is learnt, and repeated."""
