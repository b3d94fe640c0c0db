"""Work that nobody waits for yet, whose programs give way to all others."""

import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar

NICE = 10
"""What their niceness has more than our own."""
_BEHIND: ContextVar[bool] = ContextVar("behind", default=False)


@contextlib.contextmanager
def behind_all_else() -> Iterator[None]:
    """Programs that are started in here, and in tasks that are begun here, give way."""
    before = _BEHIND.set(True)
    try:
        yield
    finally:
        _BEHIND.reset(before)


def niceness() -> int | None:
    """That of a program which is started now, None if it is our own."""
    if not _BEHIND.get():
        return None
    return min(os.getpriority(os.PRIO_PROCESS, 0) + NICE, 19)
