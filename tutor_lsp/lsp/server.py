"""The server object: one per process, put together by `create_server`."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from tutor_lsp import __version__
from tutor_lsp.lsp import lifecycle
from tutor_lsp.lsp.client import Client
from tutor_lsp.lsp.context import Context
from tutor_lsp.lsp.features import (
    code_action,
    code_lens,
    definition,
    document_link,
    hover,
    text_sync,
)
from tutor_lsp.lsp.features.execute_command import execute_command
from tutor_lsp.lsp.frontend import LspFrontend
from tutor_lsp.lsp.model import MODEL_CHANGED
from tutor_lsp.lsp.protocol import TutorProtocol
from tutor_lsp.lsp.publish import Publisher
from tutor_lsp.lsp.strict import strict_converter
from tutor_lsp.tutor.application.deferred_app import DeferredApp
from tutor_lsp.tutor.application.look_ahead import PracticeSearch
from tutor_lsp.tutor.commands.names import COMMANDS
from tutor_lsp.tutor.services.frontend import Frontend

AppFactory = Callable[[Frontend], DeferredApp]
log = logging.getLogger("tutor_lsp")


class TutorServer(LanguageServer):
    """pygls's server with our protocol, and what the features work with."""

    protocol: TutorProtocol

    def __init__(self, make_app: AppFactory) -> None:
        super().__init__(
            "tutor-lsp",
            __version__,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
            protocol_cls=TutorProtocol,
            converter_factory=strict_converter,
        )
        client = Client(self)
        publisher = Publisher(client, lambda: self.context.app.shows_build_errors())
        frontend = LspFrontend(client, publisher.publish, lambda job: self.context.app.cancel(job))
        app = make_app(frontend)
        self.context = Context(
            client, publisher, frontend, app, PracticeSearch(app), lambda: self.protocol.heard
        )

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log only: a failed command is answered with its error, which the client shows."""
        log.debug("%s: %s", source, error)


def create_server(make_app: AppFactory) -> TutorServer:
    """A server with all features registered, not yet connected."""
    server = TutorServer(make_app)
    server.protocol.begin = partial(lifecycle.initialize, server.context)
    server.protocol.run_command = partial(execute_command, server.context)
    server.protocol.at_once[lsp.TEXT_DOCUMENT_HOVER] = partial(hover.at_once, server.context)
    for command in COMMANDS:
        server.command(command.name)(_advertised)
    _register(server, server.context)
    return server


def _register(server: TutorServer, context: Context) -> None:
    """Say which protocol methods are served; the server's capabilities follow from this."""

    def serve(method: str, handler: Callable[..., Any], options: Any = None) -> None:
        server.feature(method, options)(partial(handler, context))

    serve(lsp.INITIALIZED, lifecycle.initialized)
    serve(lsp.SHUTDOWN, lifecycle.shutdown)
    serve(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, lifecycle.configuration_changed)
    serve(MODEL_CHANGED, lifecycle.model_changed)
    serve(lsp.TEXT_DOCUMENT_DID_OPEN, text_sync.did_open)
    serve(lsp.TEXT_DOCUMENT_DID_CHANGE, text_sync.did_change)
    serve(lsp.TEXT_DOCUMENT_DID_SAVE, text_sync.did_save)
    serve(lsp.TEXT_DOCUMENT_DID_CLOSE, text_sync.did_close)
    serve(lsp.TEXT_DOCUMENT_HOVER, hover.hover)
    serve(lsp.TEXT_DOCUMENT_DEFINITION, definition.definition)
    kinds = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    serve(lsp.TEXT_DOCUMENT_CODE_ACTION, code_action.code_action, kinds)
    serve(lsp.TEXT_DOCUMENT_CODE_LENS, code_lens.code_lens, lsp.CodeLensOptions())
    serve(lsp.TEXT_DOCUMENT_DOCUMENT_LINK, document_link.document_link, lsp.DocumentLinkOptions())


async def _advertised(*_raw: Any) -> None:
    """Stand in the table of commands; TutorProtocol runs them."""
