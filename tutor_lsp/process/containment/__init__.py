"""The ways to contain a run, best first, and what each of them contains. One file per way that
wraps a command line; the supervisor does the others itself.
"""
