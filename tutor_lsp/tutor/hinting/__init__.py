"""Hints, answers to questions, and the reference of a unit."""
