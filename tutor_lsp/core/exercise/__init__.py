"""Exercises, the results of running them, and the learner's progress in them."""
