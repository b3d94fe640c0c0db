"""Work that nobody waits for yet, whose programs give way to all others."""

import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar

NICE = 10
"""What their niceness has more than our own."""


class Behind:
    """Work behind all else, until somebody waits for it. A program that runs already goes on giving
    way, as only a privileged process may take that back."""

    def __init__(self) -> None:
        self.gives_way = True


_BEHIND: ContextVar[Behind | None] = ContextVar("behind", default=None)


@contextlib.contextmanager
def behind_all_else() -> Iterator[None]:
    """Programs that are started in here, and in tasks that are begun here, give way."""
    before = _BEHIND.set(Behind())
    try:
        yield
    finally:
        _BEHIND.reset(before)


def behind() -> Behind | None:
    """What we are part of, if that gives way."""
    found = _BEHIND.get()
    return found if found is not None and found.gives_way else None


def niceness() -> int | None:
    """That of a program which is started now, None if it is our own."""
    if behind() is None:
        return None
    return min(os.getpriority(os.PRIO_PROCESS, 0) + NICE, 19)
