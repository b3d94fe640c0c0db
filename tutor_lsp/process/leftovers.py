"""Ending what a run left behind outside of its process group, where no namespace held it."""

import contextlib
import os
import signal
from pathlib import Path

MARK = "TUTOR_RUN"
"""Every process of a contained run has this in its environment, with the run's own token."""

_PROC = Path("/proc")
_ROUNDS = 3


def kill_leftovers(token: str) -> int:
    """Kill every process that a run with that token started and that is still there.

    Finds them by their environment, thus only where /proc tells it (Linux); returns how many were
    killed. Blocks for some milliseconds: call it in a thread.
    """
    wanted = f"{MARK}={token}".encode()
    total = 0
    for _ in range(_ROUNDS):  # one of them may have started another meanwhile
        found = [pid for pid in _processes() if _has(pid, wanted)]
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        total += len(found)
        if not found:
            break
    return total


def _processes() -> list[int]:
    if not _PROC.is_dir():
        return []
    return [int(entry.name) for entry in os.scandir(_PROC) if entry.name.isdigit()]


def _has(pid: int, wanted: bytes) -> bool:
    try:
        environment = (_PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return False
    return wanted in environment.split(b"\0")
