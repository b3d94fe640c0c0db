"""An application that is put together while commands wait for it."""

import asyncio
import contextlib
import threading

import pytest
from tutor_kit import Desk, until

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.application import compose
from tutor_lsp.tutor.application.app import App
from tutor_lsp.tutor.application.deferred_app import DeferredApp


class Stores:
    """The stores that were opened, each once `gate` is set; the first ones may fail."""

    def __init__(self):
        self.gate = threading.Event()
        self.begun = 0
        self.failing = 0
        self.opened = []
        self._open = compose.open_store

    def open(self, path, **more):
        self.begun += 1
        assert self.gate.wait(30)
        if self.begun <= self.failing:
            raise TutorError("STORE", "The record is elsewhere.")
        self.opened.append(self._open(path, **more))
        return self.opened[-1]


@pytest.fixture
def stores(monkeypatch):
    found = Stores()
    monkeypatch.setattr(compose, "open_store", found.open)
    yield found
    found.gate.set()


@pytest.fixture
def deferred(tmp_path, stores):
    app = DeferredApp(Desk())
    app.settings.take({"home": str(tmp_path), "backend": "library"})
    return app


async def test_cancelled_commands_leave_one_store(deferred, stores):
    for _ in range(3):
        waiting = asyncio.create_task(deferred.get())
        await until(lambda: stores.begun, "no store is being opened")
        waiting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await waiting
    both = asyncio.gather(deferred.get(), deferred.get())
    stores.gate.set()
    first, second = await both
    assert first is second is await deferred.get()
    assert (stores.begun, len(stores.opened)) == (1, 1)
    await deferred.close()


async def test_a_store_that_cannot_be_opened_is_tried_again_by_the_next_command(deferred, stores):
    stores.failing = 1
    stores.gate.set()
    refused = await asyncio.gather(deferred.get(), deferred.get(), return_exceptions=True)
    assert [each.kind for each in refused] == ["STORE", "STORE"]
    assert stores.begun == 1
    assert await deferred.get() is await deferred.get()
    await deferred.close()


async def test_what_is_being_opened_at_the_end_is_closed(deferred, stores, monkeypatch):
    closed = []
    usual = App.close

    async def close(app):
        closed.append(app)
        await usual(app)

    monkeypatch.setattr(App, "close", close)
    waiting = asyncio.create_task(deferred.get())
    await until(lambda: stores.begun, "no store is being opened")
    ending = asyncio.create_task(deferred.close())
    stores.gate.set()
    await ending
    assert closed == [await waiting]
