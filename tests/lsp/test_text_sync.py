"""Documents whose exercise goes away, or is being opened, while the client asks about them."""

import asyncio
import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from handlers import answered
from lsprotocol import types as lsp

from tutor_lsp.lsp import context as lsp_context
from tutor_lsp.lsp.context import Context
from tutor_lsp.lsp.documents import Documents
from tutor_lsp.lsp.features import text_sync
from tutor_lsp.tutor.exercise.state import PATIENCE_S


@pytest.fixture(autouse=True)
def _every_file_is_in_an_exercise(monkeypatch):
    monkeypatch.setattr(text_sync, "may_be_exercise", lambda path: path.parent)


class Gone:
    """An app that finds no exercise any more where one was open."""

    def __init__(self, known: SimpleNamespace) -> None:
        self.known = known

    def opened_above(self, _path: Path) -> SimpleNamespace:
        return self.known

    async def get(self) -> "Gone":
        return self

    @property
    def exercises(self) -> "Gone":
        return self

    async def adopt(self, _path: Path) -> None:
        return None


PUBLISHER = SimpleNamespace(put_off=lambda _: None)


def saved_one(expect_results=lambda _asked: None) -> SimpleNamespace:
    """An exercise that is open, as far as a save is about it."""
    return SimpleNamespace(saves=0, expect_results=expect_results, saved_elsewhere=lambda: False)


async def test_a_save_of_an_exercise_that_went_away_is_left_alone():
    documents, begun = Documents(), []
    documents.opened("file:///gone/src/a.py", "x = 1\n", 1)
    known = saved_one()
    client = SimpleNamespace(documents=documents, spawn=lambda work, _name: begun.append(work))
    context = SimpleNamespace(app=Gone(known), client=client, publisher=PUBLISHER)
    document = lsp.TextDocumentIdentifier("file:///gone/src/a.py")
    text_sync.did_save(context, lsp.DidSaveTextDocumentParams(document))
    assert known.saves == 1
    await begun[0]
    assert known.saves == 0


async def test_results_are_awaited_from_when_a_file_was_saved_however_late_that_is_read(tmp_path):
    documents, asked, path = Documents(), [], tmp_path / "a.py"
    path.write_text("x = 1\n")
    documents.opened(path.as_uri(), "x = 1\n", 1)
    known = saved_one(expect_results=asked.append)
    client = SimpleNamespace(documents=documents, spawn=lambda work, _name: work.close())
    context = SimpleNamespace(app=Gone(known), client=client, publisher=PUBLISHER)
    params = lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(path.as_uri()))
    coarse = 0.01  # seconds, of the clock that dates files
    for saved_s_ago, late in ((0, 0.0), (1, PATIENCE_S), (-60, 0.0)):
        then, before = time.time() - saved_s_ago, time.monotonic()
        os.utime(path, (then, then))
        text_sync.did_save(context, params)
        assert before - late - coarse <= asked[-1] <= time.monotonic() - late


URI = "file:///words/src/a.py"


def opening_context(app):
    """A context, the work that opens the exercise of its document, and what is published."""
    begun, shown = [], []
    publisher = SimpleNamespace(
        uri_of_root=lambda *_: None,
        publish=shown.append,
        forget=lambda _: None,
        forget_lenses=lambda root: shown.append(("lenses of", root)),
    )
    client = SimpleNamespace(documents=Documents(), spawn=lambda work, _name: begun.append(work))
    context = Context(client, publisher, None, app, None, time.monotonic)
    context._follows = True
    text_sync.did_open(
        context, lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(URI, "python", 1, "x = 1\n"))
    )
    return context, begun, shown


class Opening:
    """An app that opens its exercise when it is let to; it has no view before."""

    def __init__(self) -> None:
        self.let, self.known = asyncio.Event(), None
        self.exercises, self.services, self.runs = self, None, None

    async def get(self) -> "Opening":
        return self

    async def adopt(self, _path: Path) -> SimpleNamespace:
        await self.let.wait()
        self.known = SimpleNamespace(
            relative=lambda _path: "src/a.py",
            recent_view=lambda _: "view",
            caught_up=True,
            root=Path("/words"),
        )
        return self.known

    def opened_above(self, _path: Path) -> SimpleNamespace | None:
        return self.known


async def test_a_request_waits_for_an_exercise_that_is_being_opened_and_goes_before_its_marks():
    app = Opening()
    context, begun, shown = opening_context(app)
    adopting = asyncio.ensure_future(begun[0])
    order = []
    asked = asyncio.ensure_future(answered(context.view_of(URI)))
    asked.add_done_callback(lambda _: order.append(("answered", list(shown))))
    await asyncio.sleep(0)
    assert not asked.done()
    app.let.set()
    await asyncio.gather(adopting, asked)
    assert asked.result() == ("view", "src/a.py")
    assert order == [("answered", [("lenses of", Path("/words"))])]
    # Who asked too early is told to ask again.
    assert shown == [("lenses of", Path("/words")), app.known]
    assert context.opening == {}
    more = lsp.TextDocumentItem(URI, "python", 2, "")
    text_sync.did_open(context, lsp.DidOpenTextDocumentParams(more))
    assert await answered(context.view_of(URI)) == ("view", "src/a.py")  # and waits for nothing
    begun[1].close()


async def test_a_request_may_begin_to_wait_when_its_exercise_has_just_been_opened():
    app = Opening()
    context, begun, _ = opening_context(app)
    work, given, _ = context.view_of(URI).send(None)  # its task has not begun
    app.let.set()
    await begun[0]
    await work(*given)


async def test_a_request_does_not_wait_for_ever(monkeypatch):
    monkeypatch.setattr(lsp_context, "OPENING_S", 0.01)
    app = Opening()
    context, begun, _ = opening_context(app)
    adopting = asyncio.ensure_future(begun[0])
    await asyncio.sleep(0)
    assert await answered(context.view_of(URI)) is None
    adopting.cancel()


async def test_an_exercise_that_cannot_be_opened_is_not_waited_for_any_longer():
    class Failing(Opening):
        async def adopt(self, _path: Path) -> SimpleNamespace:
            await self.let.wait()
            raise RuntimeError("no")

    app = Failing()
    context, begun, _ = opening_context(app)
    adopting = asyncio.ensure_future(begun[0])
    asked = asyncio.ensure_future(answered(context.view_of(URI)))
    await asyncio.sleep(0)
    app.let.set()
    done = await asyncio.gather(adopting, asked, return_exceptions=True)
    assert isinstance(done[0], RuntimeError)
    assert done[1] is None
    assert context.opening == {}
