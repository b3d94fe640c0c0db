# What a neighbour has at home after borrowing a tool: `borrow("saw")` is
# ["saw"], `borrow("saw", ["drill"])` is ["drill", "saw"]. What others have
# borrowed is not in it, and a list that is given stays as it was.
#
# ex-2 - First principle: a call must not depend on the one before
# Read: LESSON.md, "Whatever ran before"
# Test: test_borrow_begins_with_nothing_at_home
# Start here: call it twice; where does what is too much come from?


def borrow(tool: str, home: list[str] | None = None) -> list[str]:
    before = [] if home is None else home
    return [*before, tool]
