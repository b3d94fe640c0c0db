"""The server's byte streams, kept apart from whatever else the process prints."""

import asyncio
import contextlib
import os
import stat
import sys
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

READ_AHEAD = 1024 * 1024
"""Bytes that are read before anybody asks for them."""
FLUSH_S = 2.0
"""How long the last messages may take to leave, in seconds."""


def claim_stdio() -> tuple[BinaryIO, BinaryIO]:
    """The process's stdin and stdout, for the protocol alone.

    From now on fd 0 is empty and fd 1 and `sys.stdout` lead to stderr, so that neither a print nor
    a child can disturb the protocol.
    """
    sys.stdout.flush()
    reading = os.fdopen(os.dup(0), "rb")
    writing = os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return reading, writing


@contextlib.contextmanager
def blocking_again(*files: BinaryIO) -> "Iterator[None]":
    """Leave streams as they were: whoever shares them, such as a shell, expects blocking ones."""
    kept = [os.dup(file.fileno()) for file in files]
    before = [os.get_blocking(fd) for fd in kept]
    try:
        yield
    finally:
        for fd, blocking in zip(kept, before, strict=True):
            os.set_blocking(fd, blocking)
            os.close(fd)


class Outgoing(asyncio.BaseProtocol):
    """What pygls writes to. `on_lost` is called when the client stops reading."""

    def __init__(self, on_lost: "Callable[[], object]") -> None:
        self._transport: asyncio.WriteTransport | None = None
        self._on_lost = on_lost
        self._empty = asyncio.Event()
        self._empty.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Part of asyncio's protocol."""
        assert isinstance(transport, asyncio.WriteTransport)  # noqa: S101 - narrows the type
        transport.set_write_buffer_limits(high=0)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """Part of asyncio's protocol."""
        del exc
        self._transport = None
        self._empty.set()
        self._on_lost()

    def pause_writing(self) -> None:
        """Part of asyncio's protocol."""
        self._empty.clear()

    def resume_writing(self) -> None:
        """Part of asyncio's protocol."""
        self._empty.set()

    def write(self, data: bytes) -> None:
        """Queue bytes; dropped once the client has gone."""
        if self._transport is not None:
            self._transport.write(data)

    def close(self) -> None:
        """Stay open: `flush` ends the stream after the last message."""

    async def flush(self) -> None:
        """Wait until everything was taken over by the system, at most `FLUSH_S`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FLUSH_S):
                await self._empty.wait()


class FileOutgoing:
    """The same for a regular file, which is never waited for."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, data: bytes) -> None:
        """Write bytes."""
        self._file.write(data)

    def close(self) -> None:
        """Stay open."""

    async def flush(self) -> None:
        """Nothing is kept back."""


class FileIncoming:
    """A reader over a regular file, which is never waited for."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    async def read(self, count: int) -> bytes:
        """The next bytes, at most `count`; empty at the end of the file."""
        return await asyncio.to_thread(self._file.read, count)


async def connect_reading(file: BinaryIO) -> "FileIncoming | asyncio.StreamReader":
    """A reader with `read` over a pipe, socket, terminal or file."""
    if not _can_be_waited_for(file):
        return FileIncoming(file)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=READ_AHEAD)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    return reader


def _can_be_waited_for(file: BinaryIO) -> bool:
    """Whether the system tells when there is more: not for files and for devices like /dev/null."""
    mode = os.fstat(file.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or file.isatty()


async def connect_writing(
    file: BinaryIO, on_lost: "Callable[[], object]"
) -> Outgoing | FileOutgoing:
    """What pygls writes to, over a pipe, socket, terminal or file."""
    if not _can_be_waited_for(file):
        return FileOutgoing(file)
    loop = asyncio.get_running_loop()
    _, outgoing = await loop.connect_write_pipe(lambda: Outgoing(on_lost), file)
    return outgoing


class SocketOutgoing:
    """What pygls writes to over TCP."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    def write(self, data: bytes) -> None:
        """Queue bytes; dropped once the client has gone."""
        if not self._writer.is_closing():
            self._writer.write(data)

    def close(self) -> None:
        """Stay open: `flush` ends the stream after the last message."""

    async def flush(self) -> None:
        """Send the rest and close, within `FLUSH_S`."""
        self._writer.close()
        with contextlib.suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(FLUSH_S):
                await self._writer.wait_closed()


async def accept_one(port: int) -> tuple[asyncio.StreamReader, SocketOutgoing]:
    """Wait on 127.0.0.1 for the first connection, then listen no more. Raises OSError."""
    first: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
    first = asyncio.get_running_loop().create_future()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if first.done():
            writer.close()
        else:
            first.set_result((reader, writer))

    listening = await asyncio.start_server(connected, "127.0.0.1", port, limit=READ_AHEAD)
    try:
        bound = listening.sockets[0].getsockname()[1]
        print(f"tutor-lsp listens on 127.0.0.1:{bound}", file=sys.stderr, flush=True)
        reader, writer = await first
    finally:
        listening.close()
    return reader, SocketOutgoing(writer)
