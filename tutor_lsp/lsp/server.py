"""The server object: one per process, put together by `create_server`."""

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from tutor_lsp import __version__
from tutor_lsp.core.errors import TutorError
from tutor_lsp.lsp import registration
from tutor_lsp.lsp.capabilities import ClientFlags
from tutor_lsp.lsp.convert import Converter
from tutor_lsp.lsp.documents import Documents
from tutor_lsp.lsp.errors import json_rpc_error
from tutor_lsp.lsp.protocol import TutorProtocol
from tutor_lsp.lsp.publish import Publisher
from tutor_lsp.lsp.strict import strict_converter
from tutor_lsp.tutor.commands import COMMANDS, execute
from tutor_lsp.tutor.services.deferred_app import LazyApp
from tutor_lsp.tutor.services.follow import follow
from tutor_lsp.tutor.services.frontend import Frontend

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

AppFactory = Callable[[Frontend], LazyApp]


class TutorServer(LanguageServer):
    """State that features share. `app` is put together when it is first needed."""

    protocol: TutorProtocol

    def __init__(self, make_app: AppFactory) -> None:
        super().__init__(
            "tutor-lsp",
            __version__,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
            protocol_cls=TutorProtocol,
            converter_factory=strict_converter,
        )
        from tutor_lsp.lsp.frontend import LspFrontend

        self.log = logging.getLogger("tutor_lsp")
        self.flags = ClientFlags()
        self.documents = Documents()
        self.converter = Converter("utf-16", self.flags)
        self.publisher = Publisher(self)
        self.frontend = LspFrontend(self)
        self.app = make_app(self.frontend)
        self.background: set[asyncio.Task[Any]] = set()
        self.said: set[str] = set()
        self._follows = False

    async def execute(self, name: str, raw: list[Any]) -> Any:
        """Run a command; raises JsonRpcException with `data.kind`."""
        try:
            result = await execute(await self.app.get(), name, registration.plain_arguments(raw))
        except TutorError as error:
            if self.flags.hides_refusals:
                self.frontend.message(error.message, warning=True)
            raise json_rpc_error(error) from None
        except Exception as error:
            self.log.exception("%s failed", name)
            said = f"{name} failed inside the tutor: {error!r}. The server goes on."
            raise json_rpc_error(TutorError("INTERNAL", said)) from error
        await self.frontend.show_result(name, result)
        return result

    def spawn(self, work: Any, name: str) -> None:
        """Run a coroutine beside the handlers; its failure is logged, never lost."""
        task = asyncio.create_task(work, name=name)
        self.background.add(task)

        def ended(done: asyncio.Task[Any]) -> None:
            self.background.discard(done)
            if not done.cancelled() and (error := done.exception()) is not None:
                if not isinstance(error, TutorError):
                    self.log.error("%s failed", name, exc_info=error)
                if isinstance(error, TutorError) and error.message not in self.said:
                    self.said.add(error.message)
                    self.frontend.message(error.message, warning=True)

        task.add_done_callback(ended)

    def follow_others(self, app: "App") -> None:
        """From now on show what other editors and terminals store in what is open here."""
        if not self._follows:
            self._follows = True
            self.spawn(follow(app), "follow others")

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log only: a failed command is answered with its error, which the client shows."""
        self.log.debug("%s: %s", source, error)


def create_server(make_app: AppFactory) -> TutorServer:
    """A server with all features registered, not yet connected."""
    server = TutorServer(make_app)
    for command in COMMANDS:
        server.command(command.name)(_advertised)
    registration.register(server)
    return server


async def _advertised(*_raw: Any) -> None:
    """Stand in the table of commands; TutorProtocol runs them."""
