"""A function with a mistake, three drafts of tests for it, and what runs them.

This program is given: read it, and leave it as it is.
"""

from collections.abc import Callable, Sequence


def price(days: int) -> int:
    """Return what a tool costs: 2 euros for each day. (Somebody wrote + for *.)"""
    return days + 2


def five_days() -> bool:
    return price(5) == 10


def two_days() -> None:
    assert price(2) == 4


def one_day() -> None:
    assert price(1) == 2


def run(drafts: Sequence[Callable[[], object]]) -> str:
    """Return a mark for each draft: "." if it passes, "F" if it fails."""
    marks = ""
    for draft in drafts:
        try:
            draft()
            marks += "."
        except AssertionError:
            marks += "F"
    return marks


def compared(all_days: Sequence[int]) -> int:
    """Return how many prices a single test compares that has an assert for each."""
    count = 0
    try:
        for days in all_days:
            count += 1
            assert price(days) == 2 * days
    except AssertionError:
        pass  # the test has failed and is over
    return count
