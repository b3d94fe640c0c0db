"""Checking a model's documents as they come, so that nothing is built on one that does not hold.

Deliberately absent: repairing anything, and the whole proof, which follows all the same.
"""
