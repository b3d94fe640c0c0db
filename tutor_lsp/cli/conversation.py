"""The server's conversation with its client, once both are there: messages, signals, the end."""

import asyncio
import contextlib
import gc
import logging
import os
import socket
import sys
from typing import BinaryIO

from pygls.exceptions import JsonRpcException, JsonRpcInternalError

from tutor_lsp.cli import transport
from tutor_lsp.cli.handover import STOPPED, Handover
from tutor_lsp.cli.streams import CHUNK
from tutor_lsp.lsp.server import create_server
from tutor_lsp.tutor.application.deferred_app import DeferredApp
from tutor_lsp.tutor.application.ending import run_to_end

DRAIN_S = 10.0
"""How long jobs and runs may take to end, in seconds; afterwards their processes are killed."""


class Conversation:
    """One server, not yet connected."""

    def __init__(self) -> None:
        logging.basicConfig(
            level=logging.WARNING, format="tutor-lsp: %(message)s", stream=sys.stderr
        )
        _quiet_pygls()
        self._server = create_server(DeferredApp)
        self._protocol = self._server.protocol

    def hold(self, client: Handover) -> int:
        """Handle messages until the end, then end all work. Gives the exit code."""
        gc.freeze()
        gc.enable()
        if client.reading == client.writing:
            return run_to_end(self._over_tcp(client))
        with contextlib.ExitStack() as streams:
            reading = streams.enter_context(os.fdopen(client.reading, "rb"))
            writing = streams.enter_context(os.fdopen(client.writing, "wb", buffering=0))
            streams.enter_context(transport.blocking_again(reading, writing))
            return run_to_end(self._over_files(client, reading, writing), streams.close)

    async def _over_files(self, client: Handover, reading: BinaryIO, writing: BinaryIO) -> int:
        end = _End(client)
        reader = await transport.connect_reading(reading)
        writer = await transport.connect_writing(writing, end.client_left)
        return await self._converse(client, reader, writer, end)

    async def _over_tcp(self, client: Handover) -> int:
        end = _End(client)
        reader, writer = await transport.connect_socket(socket.socket(fileno=client.reading))
        return await self._converse(client, reader, writer, end)

    async def _converse(
        self, client: Handover, reader: transport.Incoming, writer: transport.Writer, end: "_End"
    ) -> int:
        self._protocol.set_writer(writer)
        try:
            if self._protocol.take_over(client.door):
                await self._handle_messages(client, reader)
        except SystemExit:
            # pygls's answer to `exit`; its code forgets a `shutdown` that is still being answered.
            pass
        except asyncio.CancelledError:
            if end.code is None:
                raise
        except ConnectionError as error:
            _warn("the client's stream ended: %s", error)
        stopped = end.code if end.code is not None else 1
        code = 0 if self._protocol.shutdown_seen else stopped
        ended = await self._drain()
        await writer.flush()
        if not ended:
            # Waiting for the threads of that work could take for ever; its processes die with us.
            os._exit(code)
        return code

    async def _handle_messages(self, client: Handover, reader: transport.Incoming) -> None:
        """Handle what the client sends, until it ends the stream or no more of it can be read."""
        framing = client.door.framing
        while data := await reader.read(CHUNK):
            for item in framing.feed(data):
                if not self._protocol.handle_item(item):
                    return
        if framing.amid:
            _warn("the client's stream ended in the middle of a message")

    async def _drain(self) -> bool:
        """Whether all work ended in time."""
        try:
            async with asyncio.timeout(DRAIN_S):
                await self._server.context.app.close()
        except TimeoutError:
            _warn("some work did not end in %s s", DRAIN_S)
            return False
        return True


class _End:
    """Ends the conversation from outside: by a signal, or because the client stopped reading."""

    def __init__(self, client: Handover) -> None:
        self.code: int | None = None
        self._reading = asyncio.current_task()
        loop = asyncio.get_running_loop()
        for number, code in STOPPED.items():
            loop.add_signal_handler(number, self._stop, code)
        came_before = client.stopped()
        if came_before is not None:
            self._stop(came_before)

    def client_left(self) -> None:
        """The client stopped reading."""
        self._stop(1)

    def _stop(self, code: int) -> None:
        if self.code is None and self._reading is not None:
            self.code = code
            self._reading.cancel()


def _quiet_pygls() -> None:
    """Keep refused requests out of the log: their clients are answered."""

    def is_news(record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        refused = isinstance(error, JsonRpcException)
        return not refused or isinstance(error, JsonRpcInternalError)

    for name in ("pygls.protocol.json_rpc", "pygls.protocol.language_server", "pygls.server"):
        logger = logging.getLogger(name)
        logger.setLevel(logging.ERROR)
        logger.addFilter(is_news)


def _warn(what: str, *values: object) -> None:
    logging.getLogger("tutor_lsp").warning(what, *values)
