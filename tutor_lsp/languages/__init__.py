"""What knows a language: build files, runs, results, and reading source by syntax tree.

Deliberately absent: units, sessions, and what a result means for a learner's record.
"""
