"""Children's pipes, read and written without blocking the loop."""

import asyncio
import contextlib
import fcntl
import os
from collections.abc import Callable

Feed = Callable[[bytes], None]

CHUNK = 64 * 1024
FLOOD_PIPE = 1024 * 1024
FLOOD_PAUSE_S = 0.002


class PipeReader:
    """Feeds on what arrives in a pipe; past `flood_at` bytes it reads in bursts, with pauses."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        fd: int,
        feed: Feed,
        flood_at: int | None,
        on_failure: Callable[[], None],
    ) -> None:
        self._loop, self._fd, self._feed, self._flood_at = loop, fd, feed, flood_at
        self._on_failure = on_failure
        self._seen = 0
        self._pause: asyncio.TimerHandle | None = None
        self.failure: BaseException | None = None
        self.closed = False
        os.set_blocking(fd, False)
        loop.add_reader(fd, self._ready)

    def _read_once(self) -> bool:
        """Whether there may be more."""
        try:
            data = os.read(self._fd, CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""  # the same as closed
        if not data:
            self.close()
            return False
        self._seen += len(data)
        try:
            self._feed(data)
        except Exception as error:  # noqa: BLE001 - raised to whoever waits for this child
            self.failure = error
            self.close()
            self._on_failure()
            return False
        return True

    def _ready(self) -> None:
        self._read_once()
        if not self.closed and self._flood_at is not None and self._seen > self._flood_at:
            self._loop.remove_reader(self._fd)
            self._flood_at = None
            with contextlib.suppress(AttributeError, OSError):
                fcntl.fcntl(self._fd, fcntl.F_SETPIPE_SZ, FLOOD_PIPE)
            self._burst()

    def _burst(self) -> None:
        self._pause = None
        self.drain()
        if not self.closed:
            self._pause = self._loop.call_later(FLOOD_PAUSE_S, self._burst)

    def drain(self) -> None:
        """Read what is available now, at most one large pipe's capacity."""
        for _ in range(FLOOD_PIPE // CHUNK + 1):
            if self.closed or not self._read_once():
                return

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            if self._pause is not None:
                self._pause.cancel()
            self._loop.remove_reader(self._fd)
            os.close(self._fd)


class Writer:
    """Writes bytes into a pipe as it empties, then closes it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, fd: int, data: bytes) -> None:
        self._loop, self._fd, self._data = loop, fd, memoryview(data)
        self.closed = False
        os.set_blocking(fd, False)
        loop.add_writer(fd, self._ready)

    def _ready(self) -> None:
        try:
            self._data = self._data[os.write(self._fd, self._data[:CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.close()
            return
        if not self._data:
            self.close()

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._loop.remove_writer(self._fd)
            os.close(self._fd)
