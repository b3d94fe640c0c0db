"""Ending what a run left behind outside of its process group, where no namespace held it."""

import contextlib
import os
import signal
import time
from pathlib import Path

MARK = "TUTOR_RUN"
"""Every process of a contained run has this in its environment, with the run's own token."""

_PROC = Path("/proc")
_ROUNDS = 3
_UNCLEAR_S = 0.2
_YOUNG_S = 5.0


def kill_leftovers(token: str) -> int:
    """Kill every process that a run with that token started and that is still there.

    Finds them by their environment, thus only where /proc tells it (Linux); returns how many were
    killed. Blocks for some milliseconds: call it in a thread.
    """
    wanted = f"{MARK}={token}".encode()
    deadline = time.monotonic() + _UNCLEAR_S
    total = rounds = 0
    while rounds < _ROUNDS:  # one of them may have started another meanwhile
        running = _processes()
        found = [pid for pid in running if _has(pid, wanted)]
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        total += len(found)
        rounds += 1
        if not found:
            if not any(map(_is_starting, running)) or time.monotonic() > deadline:
                break
            rounds = 0
            time.sleep(0.002)
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


def _is_starting(pid: int) -> bool:
    """Whether it is in the middle of exec, when it shows no environment yet."""
    folder = _PROC / str(pid)
    try:
        if (folder / "environ").read_bytes():
            return False
        (folder / "exe").readlink()  # a zombie and a kernel thread have none
        ticks = (folder / "stat").read_bytes().rpartition(b")")[2].split()[19]
        uptime = float((_PROC / "uptime").read_bytes().split()[0])
    except OSError:
        return False
    return uptime - int(ticks) / os.sysconf("SC_CLK_TCK") < _YOUNG_S
