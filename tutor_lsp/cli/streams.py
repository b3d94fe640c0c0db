"""The server's byte streams, before there is an event loop."""

import errno
import os
import select
import sys
import time
from collections.abc import Callable

STDERR = 2
CHUNK = 64 * 1024
"""Most bytes read from a stream at once."""
GRACE_S = 0.5
"""How long a client may take to read the last answers once a signal came, in seconds."""


def claim_stdio() -> tuple[int, int]:
    """The process's stdin and stdout, for the protocol alone.

    From now on fd 0 is empty and fd 1 and `sys.stdout` lead to stderr, so that neither a print nor
    a child can disturb the protocol. A closed stderr becomes one that nobody reads. Raises
    OSError where stdin or stdout is closed.
    """
    if sys.stderr is None:
        _open_stderr()
    if sys.stdin is None or sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    sys.stdout.flush()
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return reading, writing


def _open_stderr() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    if nowhere != STDERR:
        os.dup2(nowhere, STDERR)
        os.close(nowhere)
    sys.stderr = os.fdopen(STDERR, "w", closefd=False)


class Outlet:
    """Where answers go: a client that does not read is waited for, after a signal `GRACE_S`.

    `woken` is readable when a signal came, which `stopped` then says; what is in it is taken from
    it while the client is waited for.
    """

    def __init__(self, fd: int, woken: int, stopped: Callable[[], bool]) -> None:
        self._fd = fd
        self._woken = woken
        self._stopped = stopped
        self._end: float | None = None

    def write(self, data: bytes) -> None:
        """Write all of it. Raises OSError, TimeoutError where the client did not read it in time.

        Only so much is written at once as a pipe that is ready takes without blocking, for a
        blocked write would go on after a signal.
        """
        left = memoryview(data)
        while left:
            self._wait()
            try:
                left = left[os.write(self._fd, left[: select.PIPE_BUF]) :]
            except BlockingIOError:
                continue

    def _wait(self) -> None:
        poll = select.poll()
        poll.register(self._fd, select.POLLOUT)
        poll.register(self._woken, select.POLLIN)
        while True:
            events = dict(poll.poll(self._patience_ms()))
            if self._fd in events:
                return
            if self._woken not in events:
                raise TimeoutError("the client does not read")
            os.read(self._woken, 1)

    def _patience_ms(self) -> float | None:
        if not self._stopped():
            return None
        now = time.monotonic()
        if self._end is None:
            self._end = now + GRACE_S
        return max(0.0, self._end - now) * 1000


def attend(reading: int | None, writing: int, woken: int, take: Callable[[bytes], bool]) -> bool:
    """Give `take` what comes in, empty bytes at the end, until it says False or there is something
    in `woken`, which is taken from it. False when the client stopped reading. Raises OSError.
    """
    poll = select.poll()
    # That nobody reads any more is reported in any case.
    poll.register(writing, 0)
    if reading is not None:
        poll.register(reading, select.POLLIN)
    poll.register(woken, select.POLLIN)
    while True:
        events = dict(poll.poll())
        if woken in events:
            os.read(woken, 1)
            return True
        if reading in events:
            data = _read(reading)
            if data is not None and not take(data):
                return True
        elif writing in events:
            return False


def _read(fd: int) -> bytes | None:
    try:
        return os.read(fd, CHUNK)
    except BlockingIOError:
        return None
