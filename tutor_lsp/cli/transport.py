"""The server's byte streams, kept apart from whatever else the process prints."""

import asyncio
import contextlib
import os
import socket
import stat
from collections.abc import Callable, Iterator
from typing import BinaryIO

READ_AHEAD = 1024 * 1024
"""Bytes that are read ahead."""
FLUSH_S = 2.0
"""How long sending the last messages may take, in seconds."""


@contextlib.contextmanager
def blocking_again(*files: BinaryIO) -> Iterator[None]:
    """Restore the streams: processes that share them, such as a shell, expect blocking ones."""
    kept = [os.dup(file.fileno()) for file in files]
    before = [os.get_blocking(fd) for fd in kept]
    try:
        yield
    finally:
        for fd, blocking in zip(kept, before, strict=True):
            os.set_blocking(fd, blocking)
            os.close(fd)


class Outgoing:
    """What pygls writes to, over a pipe, socket or terminal."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        writer.transport.set_write_buffer_limits(high=0)
        self._writer = writer

    def write(self, data: bytes) -> None:
        """Queue bytes; dropped once the client has gone."""
        if not self._writer.is_closing():
            self._writer.write(data)

    def close(self) -> None:
        """Stay open: the process ends the stream after the last message."""

    async def flush(self) -> None:
        """Wait until the system has taken everything, at most `FLUSH_S`."""
        with contextlib.suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(FLUSH_S):
                await self._writer.drain()


class _Watched(asyncio.StreamReaderProtocol):
    """Tells when the client stops reading."""

    def __init__(self, on_lost: Callable[[], object]) -> None:
        super().__init__(asyncio.StreamReader())
        self._on_lost = on_lost

    def connection_lost(self, exc: Exception | None) -> None:
        """Part of asyncio's protocol."""
        super().connection_lost(exc)
        self._on_lost()


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


async def connect_reading(file: BinaryIO) -> FileIncoming | asyncio.StreamReader:
    """A reader with `read` over a pipe, socket, terminal or file."""
    if not _can_be_waited_for(file):
        return FileIncoming(file)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=READ_AHEAD)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    return reader


def _can_be_waited_for(file: BinaryIO) -> bool:
    """Whether the system reports when there is more: not for files and for devices like
    /dev/null."""
    mode = os.fstat(file.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or file.isatty()


async def connect_writing(file: BinaryIO, on_lost: Callable[[], object]) -> Outgoing | FileOutgoing:
    """What pygls writes to, over a pipe, socket, terminal or file."""
    if not _can_be_waited_for(file):
        return FileOutgoing(file)
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(lambda: _Watched(on_lost), file)
    return Outgoing(asyncio.StreamWriter(transport, protocol, None, loop))


async def connect_socket(connection: socket.socket) -> tuple[asyncio.StreamReader, Outgoing]:
    """A reader and a writer over a connected socket."""
    reader, writer = await asyncio.open_connection(sock=connection, limit=READ_AHEAD)
    return reader, Outgoing(writer)


Incoming = FileIncoming | asyncio.StreamReader
"""What `read` gives the client's bytes of."""
Writer = Outgoing | FileOutgoing
"""What pygls writes to, with `flush`."""
