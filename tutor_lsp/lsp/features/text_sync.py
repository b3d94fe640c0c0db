"""Documents opened, changed, saved and closed.

The handlers are plain functions, so that the table of documents changes in the order of the
messages; longer work runs beside them.
"""

import asyncio
from pathlib import Path

from lsprotocol import types as lsp

from tutor_lsp.lsp.context import Context
from tutor_lsp.lsp.documents import Document
from tutor_lsp.tutor.exercise.folder.marker import may_be_exercise
from tutor_lsp.tutor.exercise.lesson_links import keep_true
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.state import saved_at
from tutor_lsp.tutor.running import saving
from tutor_lsp.tutor.running.runs import load_execution
from tutor_lsp.tutor.services.tasks import load_beside


def did_open(ctx: Context, params: lsp.DidOpenTextDocumentParams) -> None:
    """Adopt the exercise that the file belongs to and publish its last results, without a run."""
    item = params.text_document
    document = ctx.client.documents.opened(item.uri, item.text, item.version)
    ctx.publisher.forget(item.uri)
    if document is not None and may_be_exercise(document.path):
        ctx.client.documents.last_used = document.path
        if ctx.app.opened_above(document.real) is None:
            ctx.opening.setdefault(document.path, asyncio.Event())
        ctx.client.spawn(_adopt(ctx, document), "open an exercise")


async def _adopt(ctx: Context, document: Document) -> None:
    opening = ctx.opening.get(document.path)
    try:
        app = await ctx.app.get()
        opened = await app.exercises.adopt(document.path)
    finally:
        if opening is not None:
            ctx.opening.pop(document.path, None)
            opening.set()
    if opened is None:
        return
    if opening is not None:
        # Lenses that were asked for too early were none, also of one that was open before.
        ctx.publisher.forget_lenses(opened.root)
    # What was asked for meanwhile goes first: it is handled in one round and sent in the next.
    for _ in range(2):
        await asyncio.sleep(0)
    ctx.publisher.uri_of_root(opened, document)
    ctx.show(opened, app)
    await saving.catch_up(app.services, app.runs, opened)


def did_change(ctx: Context, params: lsp.DidChangeTextDocumentParams) -> None:
    """Let diagnostics follow the edit."""
    item = params.text_document
    if ctx.client.documents.of_uri(item.uri) is None:
        return
    change = params.content_changes[-1]
    whole = isinstance(change, lsp.TextDocumentContentChangeWholeDocument)
    text = change.text if whole else ctx.client.server.workspace.get_text_document(item.uri).source
    document = ctx.client.documents.changed(item.uri, text, item.version)
    opened = ctx.app.opened_above(document.real) if document is not None else None
    if opened is not None and document is not None:
        ctx.client.documents.last_used = document.path
        opened.edited(document.path)
        ctx.app.worked_on(opened)
        ctx.publisher.publish_soon(opened)


def did_save(ctx: Context, params: lsp.DidSaveTextDocumentParams) -> None:
    """Check, if the setting says so."""
    document = ctx.client.documents.of_uri(params.text_document.uri)
    if document is not None and may_be_exercise(document.path):
        ctx.client.documents.last_used = document.path
        known, asked = ctx.app.opened_above(document.real), saved_at(document.path)
        if known is not None:
            known.expect_results(asked)
            known.saves += 1  # from here on its results are known to be coming
            known.saved_elsewhere()  # what is saved now was saved here
            ctx.publisher.put_off(known)
        ctx.client.spawn(_saved(ctx, document.path, known, asked), "check after a save")


async def _saved(ctx: Context, path: Path, known: OpenExercise | None, asked: float) -> None:
    try:
        app = await ctx.app.get()
        opened = await app.exercises.adopt(path)
        if opened is None:  # its folder has gone
            return
        await load_beside(load_execution)
        saving.saved(app.services, app.runs.of(opened), opened, path, asked)
    finally:
        if known is not None:
            known.saves -= 1
    await keep_true(app.services, opened)


def did_close(ctx: Context, params: lsp.DidCloseTextDocumentParams) -> None:
    """Forget the document; its diagnostics stay, as the results do."""
    documents = ctx.client.documents
    document = documents.of_uri(params.text_document.uri)
    documents.closed(params.text_document.uri)
    opened = ctx.app.opened_above(document.real) if document is not None else None
    if opened is not None and not any(
        ctx.app.opened_above(each.real) is opened for each in documents.all()
    ):
        ctx.app.left(opened)
    ctx.publisher.forget(params.text_document.uri)
