"""Tests that a learner writes, run on right programs and on known mistakes."""
