"""Checks and attempts: the queue of runs, their snapshots and results."""
