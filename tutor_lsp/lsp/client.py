"""The one client of this process: its abilities, its open documents, and how messages reach it."""

import logging
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from tutor_lsp.core.errors import TutorError
from tutor_lsp.lsp.capabilities import ClientFlags
from tutor_lsp.lsp.convert import Converter
from tutor_lsp.lsp.documents import Documents
from tutor_lsp.tutor.services.tasks import Background, log_failure


class Client:
    """State that all of the server shares; it knows no exercise.

    `flags` and `converter` are those of a client that can do nothing until `initialize` came.
    """

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.log = logging.getLogger("tutor_lsp")
        self.flags = ClientFlags()
        self.converter = Converter("utf-16", self.flags)
        self.documents = Documents()
        self.spawn = Background(self._failed).spawn
        self._said: set[str] = set()

    def message(self, text: str, *, warning: bool = False) -> None:
        """Say one or two sentences."""
        text = self.flags.voice.ours(text)
        kind = lsp.MessageType.Warning if warning else lsp.MessageType.Info
        self.server.window_show_message(lsp.ShowMessageParams(kind, text))

    def notify(self, method: str, payload: Any) -> None:
        """Send a notification."""
        self.server.protocol.notify(method, payload)

    def _failed(self, name: str, error: BaseException) -> None:
        """A failure of work outside the handlers is logged, a refusal reported once."""
        if not isinstance(error, TutorError):
            log_failure(name, error)
        elif error.message not in self._said:
            self._said.add(error.message)
            self.message(error.message, warning=True)
