"""The tutor's front end in an editor."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from tutor_lsp.core.text.positions import Encoding, LineIndex, changed_part
from tutor_lsp.lsp import progress
from tutor_lsp.lsp.capabilities import as_mapping
from tutor_lsp.lsp.documents import path_uri
from tutor_lsp.lsp.model import client_model
from tutor_lsp.tutor.ide.view import Span
from tutor_lsp.tutor.services.frontend import Abilities, AskModel, ProgressHandle
from tutor_lsp.tutor.services.results import said

if TYPE_CHECKING:
    from tutor_lsp.lsp.server import TutorServer
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise

MOST_CHOICES = 5
"""A message with buttons shows no more than a handful."""
ANSWER_S = 5.0
"""How long a client may take to show a document or apply an edit, in seconds."""


class LspFrontend:
    """Implements tutor.frontend.Frontend for one client."""

    def __init__(self, server: "TutorServer") -> None:
        self._server = server

    @property
    def abilities(self) -> Abilities:
        flags = self._server.flags
        return Abilities(
            flags.shows_results, flags.show_message_request, flags.show_document, flags.asks_text
        )

    @property
    def position_unit(self) -> Encoding:
        return self._server.converter.encoding

    def buffer(self, path: Path) -> str | None:
        document = self._server.documents.of_path(path)
        return document.text if document is not None else None

    def current_document(self) -> Path | None:
        return self._server.documents.last_used

    def documents_in_use(self) -> Sequence[Path]:
        return [document.path for document in reversed(self._server.documents.all())]

    def exercise_opened(self, document: Path | None) -> None:
        self._server.documents.last_used = document

    def notify(self, method: str, payload: Mapping[str, Any]) -> None:
        self._server.protocol.notify(method, payload)

    async def progress(self, job_id: str, title: str) -> ProgressHandle:
        return await progress.begin(self._server, job_id, title)

    async def choose(self, prompt: str, choices: Sequence[str]) -> str | None:
        if not self._server.flags.show_message_request:
            return None
        answer = await self._request(
            self._server.window_show_message_request_async(
                lsp.ShowMessageRequestParams(
                    lsp.MessageType.Info,
                    prompt,
                    [lsp.MessageActionItem(choice) for choice in choices[:MOST_CHOICES]],
                )
            ),
            None,
        )
        return answer.title if answer is not None else None

    async def ask_text(self, prompt: str) -> str | None:
        if not self._server.flags.asks_text:
            return None
        asking = self._server.protocol.send_request_async("tutor/ask", {"prompt": prompt})
        text = as_mapping(await self._request(asking, None)).get("text")
        return text.strip() or None if isinstance(text, str) else None

    def model(self) -> AskModel | None:
        return client_model(self._server)

    async def open(self, path: Path, line: int, *, take_focus: bool = True) -> bool:
        if not self._server.flags.show_document:
            return False
        place = lsp.Position(max(line - 1, 0), 0)
        shown = lsp.ShowDocumentParams(
            path_uri(path), take_focus=take_focus, selection=lsp.Range(place, place)
        )
        if path.suffix == ".html":  # a page is for the browser, not to be read as text
            shown = lsp.ShowDocumentParams(path_uri(path), external=True)
        answer = await self._request(self._server.window_show_document_async(shown), ANSWER_S)
        return answer is not None and answer.success

    def message(self, text: str, *, warning: bool = False) -> None:
        kind = lsp.MessageType.Warning if warning else lsp.MessageType.Info
        self._server.window_show_message(lsp.ShowMessageParams(kind, text))

    async def replace(self, path: Path, text: str) -> bool:
        document = self._server.documents.of_path(path)
        if document is None or not self._server.flags.apply_edit:
            return False
        # Only what differs: the cursor and the folds of the rest stay as they are.
        first, last, middle = changed_part(document.text, text)
        index = LineIndex(document.text)
        start, end = index.position(first), index.position(last)
        place = self._server.converter.range(
            document.text, Span(start.line, start.column, end.line, end.column)
        )
        edit = lsp.WorkspaceEdit(changes={document.uri: [lsp.TextEdit(place, middle)]})
        answer = await self._request(
            self._server.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(edit)), ANSWER_S
        )
        return answer is not None and answer.applied

    def exercise_changed(self, exercise: "OpenExercise") -> None:
        self._server.publisher.publish(exercise)

    async def show_result(self, command: str, result: Any) -> None:
        """Say a command's result where the client discards it."""
        if not self._server.flags.shows_results:
            text = said(command, result)
            if text:
                self.message(text)

    async def _request(self, waiting: Any, limit: float | None) -> Any:
        """The client's answer, or None where it refuses or takes too long."""
        try:
            # Shielded: an answer that comes late finds its future as pygls left it.
            async with asyncio.timeout(limit):
                return await asyncio.shield(asyncio.ensure_future(waiting))
        except Exception as error:  # noqa: BLE001 - a client that refuses must not fail a command
            self._server.log.info("the client did not answer: %s", error)
            return None
