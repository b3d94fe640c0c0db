"""Documents opened, changed, saved and closed.

The handlers are plain functions, so that the table of documents changes in the order of the
messages; what takes longer goes on beside them.
"""

import time
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from tutor_lsp.lsp.documents import Document
from tutor_lsp.lsp.server_type import TutorServer

if TYPE_CHECKING:
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise


def did_open(ls: TutorServer, params: lsp.DidOpenTextDocumentParams) -> None:
    """Adopt the exercise that the file belongs to and publish its last results, without a run."""
    item = params.text_document
    document = ls.documents.opened(item.uri, item.text, item.version)
    ls.publisher.forget(item.uri)
    if document is not None and ls.app.in_exercise(document.path):
        ls.documents.last_used = document.path
        ls.spawn(_adopt(ls, document), "open an exercise")


async def _adopt(ls: TutorServer, document: Document) -> None:
    app = await ls.app.get()
    opened = await app.adopt(document.path)
    if opened is None:
        return
    ls.publisher.uri_of_root(opened, document)
    ls.publisher.publish(opened)
    ls.follow_others(app)
    saving = await app.load("tutor_lsp.tutor.running.saving")
    saving.catch_up(app, opened)


def did_change(ls: TutorServer, params: lsp.DidChangeTextDocumentParams) -> None:
    """Let diagnostics follow the edit."""
    item = params.text_document
    if ls.documents.of_uri(item.uri) is None:
        return
    change = params.content_changes[-1]
    whole = isinstance(change, lsp.TextDocumentContentChangeWholeDocument)
    text = change.text if whole else ls.workspace.get_text_document(item.uri).source
    document = ls.documents.changed(item.uri, text, item.version)
    opened = ls.publisher.opened_of(document.path) if document is not None else None
    if opened is not None and document is not None:
        ls.documents.last_used = document.path
        opened.edited(document.path)
        ls.publisher.publish_soon(opened)


def did_save(ls: TutorServer, params: lsp.DidSaveTextDocumentParams) -> None:
    """Check, if the setting says so."""
    document = ls.documents.of_uri(params.text_document.uri)
    if document is not None and ls.app.in_exercise(document.path):
        ls.documents.last_used = document.path
        known, asked = ls.publisher.opened_of(document.path), time.monotonic()
        if known is not None:
            known.expect_results(asked)
            known.saves += 1  # from here on its results are known to be on their way
        ls.spawn(_saved(ls, document.path, known, asked), "check after a save")


async def _saved(ls: TutorServer, path: Path, known: "OpenExercise | None", asked: float) -> None:
    try:
        app = await ls.app.get()
        opened = await app.adopt(path)
        if opened is None:  # its folder went away meanwhile
            return
        saving = await app.load("tutor_lsp.tutor.running.saving")
        saving.saved(app, opened, path, asked)
    finally:
        if known is not None:
            known.saves -= 1
    links = await app.load("tutor_lsp.tutor.exercise.lesson_links")
    await links.keep_true(app, opened)


def did_close(ls: TutorServer, params: lsp.DidCloseTextDocumentParams) -> None:
    """Forget the document; its diagnostics stay, as the results do."""
    ls.documents.closed(params.text_document.uri)
    ls.publisher.forget(params.text_document.uri)
