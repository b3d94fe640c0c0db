"""The ways to keep a run in, best first, and what each of them keeps in. One file per way that
wraps a command line; the supervisor does the others itself.
"""
