"""How an invocation ends."""

DONE, REFUSED, USAGE, NOT_PASSING = 0, 1, 2, 3
