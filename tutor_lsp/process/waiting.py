"""Whether a program that does not end waits, or is busy. Known on Linux alone, from /proc."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

_PROC = Path("/proc")
_LOOKS = 3
_BETWEEN_S = 0.02
_ASLEEP = b"SDTtI"
"""States of a thread that wants no processor. One that gets none is in another state."""


def pipe_of(fd: int) -> str:
    """The name of a pipe, by which the processes that hold it are found."""
    return f"pipe:[{os.fstat(fd).st_ino}]"


def waits(pipe: str) -> bool:
    """Whether all processes that hold this pipe, but for this one, are asleep and stay so. False
    where that cannot be seen. Blocks for some 50 ms: call it in a thread."""
    held = [pid for pid in _processes() if pid != os.getpid() and _holds(pid, pipe)]
    before = _used(held)
    for _ in range(_LOOKS):
        if not before or before != _used(held):
            return False
        time.sleep(_BETWEEN_S)
    return before == _used(held)


def _processes() -> list[int]:
    with contextlib.suppress(OSError):
        return [int(path.name) for path in _PROC.iterdir() if path.name.isdigit()]
    return []


def _holds(pid: int, pipe: str) -> bool:
    with contextlib.suppress(OSError):
        for each in (_PROC / str(pid) / "fd").iterdir():
            with contextlib.suppress(OSError):
                if str(each.readlink()) == pipe:
                    return True
    return False


def _used(held: list[int]) -> tuple[int, ...] | None:
    """The processor time that each thread has used, None if one wants more of it."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return tuple(_of_threads(held))
    return None


def _of_threads(held: list[int]) -> Iterator[int]:
    for pid in held:
        for thread in sorted((_PROC / str(pid) / "task").iterdir()):
            stat = (thread / "stat").read_bytes()
            state, *rest = stat.rpartition(b")")[2].split()
            if state not in [bytes([each]) for each in _ASLEEP]:
                raise ValueError
            yield int(rest[10]) + int(rest[11])
