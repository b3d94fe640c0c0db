"""The tutor's front end in an editor."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from tutor_lsp.core.text.positions import Encoding, LineIndex, changed_part
from tutor_lsp.core.text.translation import t
from tutor_lsp.lsp import progress
from tutor_lsp.lsp.capabilities import as_mapping
from tutor_lsp.lsp.client import Client
from tutor_lsp.lsp.documents import uri_path
from tutor_lsp.lsp.model import client_model
from tutor_lsp.tutor.ide.view import Span, Viewable
from tutor_lsp.tutor.services.frontend import Abilities, AskModel, ProgressHandle

MOST_CHOICES = 5
"""A message with buttons shows no more than a handful."""
ANSWER_S = 5.0
"""How long a client may take to show a document or apply an edit, in seconds."""


class LspFrontend:
    """Implements tutor.services.frontend.Frontend for one client.

    `publish` shows an exercise anew, `cancel` ends the job of an id.
    """

    def __init__(
        self,
        client: Client,
        publish: Callable[[Viewable], None],
        cancel: Callable[[str], object],
    ) -> None:
        self._client = client
        self._publish = publish
        self._cancel = cancel

    @property
    def abilities(self) -> Abilities:
        return self._client.flags

    @property
    def position_unit(self) -> Encoding:
        return self._client.converter.encoding

    def buffer(self, path: Path) -> str | None:
        document = self._client.documents.of_path(path)
        return document.text if document is not None else None

    def current_document(self) -> Path | None:
        return self._client.documents.last_used

    def documents_in_use(self) -> Sequence[Path]:
        return [document.path for document in reversed(self._client.documents.all())]

    def folders(self) -> Sequence[Path]:
        workspace = self._client.server.workspace
        uris = [*workspace.folders, *([workspace.root_uri] if workspace.root_uri else [])]
        return [path for uri in dict.fromkeys(uris) if (path := uri_path(uri)) is not None]

    def exercise_opened(self, document: Path | None) -> None:
        self._client.documents.last_used = document

    def notify(self, method: str, payload: Mapping[str, Any]) -> None:
        self._client.notify(method, payload)

    async def progress(self, job_id: str, title: str) -> ProgressHandle:
        return await progress.begin(self._client, title, partial(self._cancel, job_id))

    async def choose(self, prompt: str, choices: Sequence[str]) -> str | None:
        if not self._client.flags.chooses:
            return None
        shown = {t(choice): choice for choice in choices[:MOST_CHOICES]}
        prompt = self._client.flags.voice.ours(prompt)
        if self._client.flags.cuts_choices:
            prompt = prompt.ljust(max(map(len, shown)), "\N{NO-BREAK SPACE}")
        answer = await self._request(
            self._client.server.window_show_message_request_async(
                lsp.ShowMessageRequestParams(
                    lsp.MessageType.Info,
                    prompt,
                    [lsp.MessageActionItem(title) for title in shown],
                )
            ),
            None,
        )
        return shown.get(answer.title) if answer is not None else None

    async def ask_text(self, prompt: str) -> str | None:
        if not self._client.flags.asks_text:
            return None
        asking = self._client.server.protocol.send_request_async("tutor/ask", {"prompt": prompt})
        text = as_mapping(await self._request(asking, None)).get("text")
        return text.strip() or None if isinstance(text, str) else None

    def model(self) -> AskModel | None:
        return client_model(self._client)

    async def open(self, path: Path, line: int, *, take_focus: bool = True) -> bool:
        if not self._client.flags.opens:
            return False
        place = lsp.Position(max(line - 1, 0), 0)
        shown = lsp.ShowDocumentParams(
            path.as_uri(), take_focus=take_focus, selection=lsp.Range(place, place)
        )
        if path.suffix == ".html":  # a page is for the browser, not to be read as text
            shown = lsp.ShowDocumentParams(path.as_uri(), external=True)
        answer = await self._request(
            self._client.server.window_show_document_async(shown), ANSWER_S
        )
        return answer is not None and answer.success

    def message(self, text: str, *, warning: bool = False) -> None:
        self._client.message(text, warning=warning)

    async def replace(self, path: Path, text: str) -> bool:
        document = self._client.documents.of_path(path)
        if document is None or not self._client.flags.apply_edit:
            return False
        # Only what differs: the cursor and the folds of the rest stay as they are.
        first, last, middle = changed_part(document.text, text)
        index = LineIndex(document.text)
        start, end = index.position(first), index.position(last)
        place = self._client.converter.range(
            document.text, Span(start.line, start.column, end.line, end.column)
        )
        edit = lsp.WorkspaceEdit(changes={document.uri: [lsp.TextEdit(place, middle)]})
        answer = await self._request(
            self._client.server.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(edit)),
            ANSWER_S,
        )
        return answer is not None and answer.applied

    def exercise_changed(self, exercise: Viewable) -> None:
        self._publish(exercise)

    async def _request(self, waiting: Any, limit: float | None) -> Any:
        """The client's answer, or None where it refuses or takes too long."""
        try:
            # Shielded: an answer that comes late finds its future as pygls left it.
            async with asyncio.timeout(limit):
                return await asyncio.shield(asyncio.ensure_future(waiting))
        except Exception as error:  # noqa: BLE001 - a client that refuses must not fail a command
            self._client.log.info("the client did not answer: %s", error)
            return None
