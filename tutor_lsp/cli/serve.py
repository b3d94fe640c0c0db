"""The process that is the language server: streams, signals, its end and its exit code."""

import asyncio
import gc
import logging
import os
import signal
import sys
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tutor_lsp.cli import transport
from tutor_lsp.cli.main import ServeOptions
from tutor_lsp.cli.paths import expanded

if TYPE_CHECKING:
    from tutor_lsp.lsp.protocol import TutorProtocol
    from tutor_lsp.lsp.server import TutorServer
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.compose import Composer
    from tutor_lsp.tutor.services.deferred_app import LazyApp
    from tutor_lsp.tutor.services.frontend import Frontend
    from tutor_lsp.tutor.services.tools import Tools

DRAIN_S = 10.0
"""How long jobs and runs may take to end, in seconds; afterwards their processes are killed."""
CHUNK = 64 * 1024
"""Bytes that are taken from the stream at once."""
STOPPED = {signal.SIGINT: 130, signal.SIGTERM: 0, signal.SIGHUP: 0}
"""Signals that end the server in order, and the exit code of each."""


def serve(options: ServeOptions) -> int:
    """Serve one client until it says `exit`, goes away, or a signal comes.

    All jobs and their processes are ended before this returns. The exit code is 0 after a
    `shutdown` or SIGTERM, 130 after SIGINT, else 1, as the protocol demands of an `exit` without
    `shutdown`.
    """
    # Collecting garbage while hundreds of classes are made costs a tenth of the start.
    gc.disable()
    terminal = options.tcp is None and sys.stdin is not None and sys.stdin.isatty()
    if terminal:
        print(
            "tutor-lsp is a language server: an editor starts it and talks to it.\n"
            "To learn in this terminal: tutor-lsp start. All verbs: tutor-lsp --help.",
            file=sys.stderr,
        )
    if options.home is not None:
        os.environ["TUTOR_LSP_HOME"] = str(expanded(options.home).absolute())
    files = transport.claim_stdio() if options.tcp is None else None
    logging.basicConfig(level=logging.WARNING, format="tutor-lsp: %(message)s", stream=sys.stderr)
    server = _make_server()
    _quiet_pygls()
    gc.freeze()
    gc.enable()
    if files is not None:
        with transport.blocking_again(*files):
            return asyncio.run(_over_stdio(server, *files))
    return asyncio.run(_over_tcp(server, options.tcp or 0))


def _make_server() -> "TutorServer":
    from tutor_lsp.lsp.server import create_server
    from tutor_lsp.tutor.services.deferred_app import LazyApp

    def make_app(frontend: "Frontend") -> "LazyApp":
        return LazyApp(_Composer(), frontend)

    return create_server(make_app)


class _Composer:
    """The composition root, loaded when it is first needed."""

    @cached_property
    def _composer(self) -> "Composer":
        from tutor_lsp.tutor.compose import Composer

        return Composer()

    def app(self, frontend: "Frontend", client: Mapping[str, Any]) -> "App":
        return self._composer.app(frontend, client)

    def tools_of(self, client: Mapping[str, Any]) -> "Tools":
        return self._composer.tools_of(client)


def _quiet_pygls() -> None:
    """Keep refused requests out of the log: their clients are answered."""
    from pygls.exceptions import JsonRpcException, JsonRpcInternalError

    def is_news(record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        refused = isinstance(error, JsonRpcException)
        return not refused or isinstance(error, JsonRpcInternalError)

    for name in ("pygls.protocol.json_rpc", "pygls.protocol.language_server", "pygls.server"):
        logger = logging.getLogger(name)
        logger.setLevel(logging.ERROR)
        logger.addFilter(is_news)


async def _over_stdio(server: "TutorServer", reading: Any, writing: Any) -> int:
    end = _End()
    reader = await transport.connect_reading(reading)
    writer = await transport.connect_writing(writing, end.client_left)
    return await _converse(server, reader, writer, end)


async def _over_tcp(server: "TutorServer", port: int) -> int:
    end = _End()
    try:
        reader, writer = await transport.accept_one(port)
    except OSError as error:
        print(f"tutor-lsp cannot listen on port {port}: {error.strerror}.", file=sys.stderr)
        return 1
    except asyncio.CancelledError:
        if end.code is None:
            raise
        return end.code
    return await _converse(server, reader, writer, end)


class _End:
    """Ends the conversation from outside: by a signal, or because the client stopped reading."""

    def __init__(self) -> None:
        self.code: int | None = None
        self._reading = asyncio.current_task()
        loop = asyncio.get_running_loop()
        for number, code in STOPPED.items():
            loop.add_signal_handler(number, self._stop, code)

    def client_left(self) -> None:
        """The client stopped reading."""
        self._stop(1)

    def _stop(self, code: int) -> None:
        if self.code is None and self._reading is not None:
            self.code = code
            self._reading.cancel()


async def _converse(server: "TutorServer", reader: Any, writer: Any, end: _End) -> int:
    """Handle messages until the end, then end all work. Gives the exit code."""
    server.protocol.set_writer(writer)
    try:
        await _handle_messages(server.protocol, reader)
    except SystemExit:
        # pygls's answer to `exit`; its code forgets a `shutdown` that is still being answered.
        pass
    except asyncio.CancelledError:
        if end.code is None:
            raise
    except ConnectionError as error:
        _warn("the client's stream ended: %s", error)
    stopped = end.code if end.code is not None else 1
    code = 0 if server.protocol.shutdown_seen else stopped
    ended = await _drain(server)
    await writer.flush()
    if not ended:
        # Waiting for the threads of that work could take for ever; its processes die with us.
        os._exit(code)
    return code


async def _handle_messages(protocol: "TutorProtocol", reader: Any) -> None:
    """Handle what the client sends, until it ends the stream or nothing more can be read of it."""
    from tutor_lsp.lsp.framing import Fault, Framing

    framing = Framing()
    while data := await reader.read(CHUNK):
        for item in framing.feed(data):
            if not isinstance(item, Fault):
                protocol.handle_message(item.value)
                continue
            protocol.refuse_unread(item.why)
            if item.ends:
                _warn("the client's stream cannot be read on: %s", item.why)
                return
    if framing.amid:
        _warn("the client's stream ended amid a message")


def _warn(what: str, *values: object) -> None:
    logging.getLogger("tutor_lsp").warning(what, *values)


async def _drain(server: "TutorServer") -> bool:
    """Whether all work ended in time."""
    try:
        async with asyncio.timeout(DRAIN_S):
            await server.app.close()
    except TimeoutError:
        _warn("some work did not end in %s s", DRAIN_S)
        return False
    return True
