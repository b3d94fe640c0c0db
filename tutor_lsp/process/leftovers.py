"""Ending what runs left behind without a namespace: found by a mark in the environment."""

import contextlib
import hashlib
import io
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

MARK = "TUTOR_RUN"
"""Every process of a contained run has this in its environment: `<place>:<server>:<run>`.

The place stands for the tutor's folder and the visible process ids, the server for a process
and its start time, the run for itself.
"""
SUPERVISOR = "supervisor"
"""Takes the place of the run in the supervisor's own mark."""

_PROC = Path("/proc")
_ROUNDS = 3
_UNCLEAR_S = 0.2
_YOUNG_S = 5.0
_LEAVE_S = 1.0


def server_mark(home: Path | None) -> str:
    """The first two parts of the marks of this process's runs."""
    return f"{_place(home)}:{os.getpid()}-{_start(os.getpid()) or 0}"


def _place(home: Path | None) -> str:
    try:
        ids = (_PROC / "self" / "ns" / "pid").readlink()
    except OSError:
        ids = Path()
    return hashlib.blake2b(f"{home}\n{ids}".encode(), digest_size=8).hexdigest()


def kill_leftovers(mark: str) -> int:
    """Kill every remaining process with exactly that mark; returns how many.

    Finds them by their environment, so only if /proc shows it (Linux). Blocks for a few
    milliseconds: call it in a thread.
    """
    return _kill(lambda other: other == mark)


def go_on(mark: str) -> None:
    """Resume every stopped process with exactly that mark. Blocks as above."""
    for pid in _processes():
        if _mark(pid) == mark:
            _signal(pid, signal.SIGCONT)


def sweep_dead(home: Path | None) -> int:
    """Kill what dead servers of the same folder left running; returns how many processes.

    A supervisor among them is resumed first, and has a second to end what it has started. Blocks
    as above.
    """
    place = _place(home)

    def is_left(mark: str) -> bool:
        parts = mark.split(":")
        return len(parts) == 3 and parts[0] == place and not _lives(parts[1])

    marks = {pid: mark for pid in _processes() if is_left(mark := _mark(pid))}
    waits = [pid for pid, mark in marks.items() if mark.endswith(f":{SUPERVISOR}")]
    for pid in waits:
        _signal(pid, signal.SIGCONT)
    deadline = time.monotonic() + _LEAVE_S
    while any(is_left(_mark(pid)) for pid in waits) and time.monotonic() < deadline:
        time.sleep(0.01)
    return _kill(is_left)


def _kill(wanted: Callable[[str], bool]) -> int:
    deadline = time.monotonic() + _UNCLEAR_S
    total = rounds = 0
    while rounds < _ROUNDS:  # one of them may have started another
        running = _processes()
        pids = [pid for pid in running if wanted(_mark(pid))]
        for pid in pids:
            _signal(pid, signal.SIGKILL)
        total += len(pids)
        rounds += 1
        if not pids:
            if not any(map(_is_starting, running)) or time.monotonic() > deadline:
                break
            rounds = 0
            time.sleep(0.002)
    return total


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _lives(server: str) -> bool:
    pid, _, start = server.partition("-")
    return pid.isdigit() and _start(int(pid)) == start


def _start(pid: int) -> str | None:
    """When a process started, in ticks since boot; None if there is no such process."""
    try:
        return _read(pid, "stat").rpartition(b")")[2].split()[19].decode()
    except OSError:
        return None


def _processes() -> list[int]:
    if not _PROC.is_dir():
        return []
    return [int(entry.name) for entry in os.scandir(_PROC) if entry.name.isdigit()]


def _read(pid: int, name: str) -> bytes:
    """What /proc says of a process: all of them are read before a first run, so without pathlib,
    which takes longer than the kernel. Raises OSError."""
    with io.FileIO(f"{_PROC}/{pid}/{name}") as file:
        return file.readall()


def _mark(pid: int) -> str:
    """The mark of a process, empty if it has none: in its environment, or as an argument."""
    begin = f"{MARK}=".encode()
    for name in ("environ", "cmdline"):
        try:
            text = _read(pid, name)
        except OSError:
            continue
        if begin not in text:
            continue
        for word in text.split(b"\0"):
            if word.startswith(begin):
                return word.removeprefix(begin).decode(errors="replace")
    return ""


def _is_starting(pid: int) -> bool:
    """Whether it is in the middle of exec, when its environment is not visible yet.

    A supervisor never has one, and shows its mark as an argument.
    """
    try:
        if _read(pid, "environ") or _mark(pid):
            return False
        (_PROC / str(pid) / "exe").readlink()  # zombies and kernel threads have none
        ticks = _start(pid)
        uptime = float((_PROC / "uptime").read_bytes().split()[0])
    except OSError:
        return False
    return ticks is not None and uptime - int(ticks) / os.sysconf("SC_CLK_TCK") < _YOUNG_S
