"""What is kept ready for the next run, while somebody works on the exercise."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest

from tutor_lsp.tutor.running import readiness
from tutor_lsp.tutor.running.readiness import Readiness

ROOT = Path("/an/exercise")


class Tools:
    """Notes what is asked of it."""

    def __init__(self):
        self.said = []

    async def keep_ready(self, root, limits):
        self.said.append("keep")

    async def let_go(self, root=None):
        self.said.append("let go")


class Desk:
    """An exercise that is worked on."""

    def __init__(self):
        self.tools = Tools()
        self.spawned = []
        self.opened = SimpleNamespace(
            root=ROOT, toolchain=self.tools, session=SimpleNamespace(trusted=True)
        )
        self.began = asyncio.Queue()
        settings = SimpleNamespace(run_limits=None)
        self.ready = Readiness(SimpleNamespace(tasks=self, settings=settings))

    def spawn(self, work, name):
        self.spawned.append(asyncio.create_task(work, name=name))
        self.began.put_nowait(name)

    async def begins(self, times):
        """Wait until so much was begun since the last call."""
        async with asyncio.timeout(10):
            for _ in range(times):
                await self.began.get()

    async def said(self):
        """What was asked for so far."""
        if self.spawned:
            await asyncio.wait(self.spawned)
        return self.tools.said


@pytest.fixture
def soon(monkeypatch):
    monkeypatch.setattr(readiness, "SOON_S", 0.0)


async def test_typing_prepares_once():
    desk = Desk()
    desk.ready.touch(desk.opened)
    desk.ready.touch(desk.opened)
    assert await desk.said() == ["keep"]
    await desk.ready.close()
    assert await desk.said() == ["keep", "let go"]


async def test_after_a_run_the_next_one_is_prepared(soon):
    desk = Desk()
    desk.ready.touch(desk.opened)
    desk.ready.again(desk.opened)
    await desk.begins(2)
    assert await desk.said() == ["keep", "keep"]


async def test_a_run_alone_prepares_nothing(soon):
    desk = Desk()
    desk.ready.again(desk.opened)
    await asyncio.sleep(0)
    assert await desk.said() == []


async def test_what_is_not_trusted_is_left_alone():
    desk = Desk()
    desk.opened.session.trusted = False
    desk.ready.touch(desk.opened)
    assert await desk.said() == []


async def test_left_alone_it_ends_and_typing_begins_again(monkeypatch):
    monkeypatch.setattr(readiness, "IDLE_S", 0.0)
    desk = Desk()
    desk.ready.touch(desk.opened)
    await desk.begins(2)
    assert await desk.said() == ["keep", "let go"]
    desk.ready.touch(desk.opened)
    assert (await desk.said())[:3] == ["keep", "let go", "keep"]


async def test_other_tools_take_the_place_of_those_before():
    desk = Desk()
    desk.ready.touch(desk.opened)
    other = desk.opened.toolchain = Tools()
    desk.ready.touch(desk.opened)
    assert await desk.said() == ["keep", "let go"]
    assert other.said == ["keep"]


async def test_nothing_is_prepared_once_closed():
    desk = Desk()
    await desk.ready.close()
    desk.ready.touch(desk.opened)
    assert await desk.said() == []
