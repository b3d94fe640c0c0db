"""Ending all descendants of a process that adopts orphans."""

from __future__ import annotations

import contextlib
import os
import signal
import time

PATIENCE_S = 5.0
"""How long to wait for killed processes to go, in seconds."""


def waker() -> int:
    """A descriptor that becomes readable whenever a child of this process has ended."""
    read, write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    return read


def reap(also: int = 0) -> tuple[int, int] | None:
    """Collect a child that has ended: its id and status. `also` are more options of `waitpid`."""
    try:
        pid, status = os.waitpid(-1, os.WNOHANG | also)
    except ChildProcessError:
        return None
    return (pid, status) if pid else None


def children() -> list[int]:
    """The children of this process; it must have one thread."""
    own = os.getpid()
    try:
        with open(f"/proc/self/task/{own}/children", "rb") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if _of(pid, own)]


def _of(pid: int, parent: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1]) == parent
    except OSError:
        return False


def end_all() -> None:
    """Kill every descendant until none is left: orphans become children of this process."""
    with contextlib.suppress(OSError):  # a fork bomb must not starve us
        os.setpriority(os.PRIO_PROCESS, 0, -20)
    deadline = time.monotonic() + PATIENCE_S
    killed: set[int] = set()
    while time.monotonic() < deadline:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid:
            killed.discard(pid)
            continue
        running = [pid for pid in children() if pid not in killed]
        for pid in running:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        killed.update(running)
        if not running:
            time.sleep(0.0005)


def end_namespace() -> None:
    """As first process of a namespace, kill every other process in it and wait for them."""
    if os.getpid() != 1:
        raise RuntimeError
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
