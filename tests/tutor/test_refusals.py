"""A save whose tests cannot be run at all is told: on the stub, and once in a message."""

import errno

import pytest
from tutor_kit import stub_file, until, write_wrong

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.ide.diagnostics import diagnostics
from tutor_lsp.tutor.running.saving import saved

NO_CARGO = TutorError("TOOLCHAIN_MISSING", "Rust is not ready to use. Install it, then try again.")
FULL = OSError(errno.ENOSPC, "No space left on device", "/tmp/run-x1")
FULL_AGAIN = OSError(errno.ENOSPC, "No space left on device", "/tmp/run-x2")


class Saves:
    """Saves of the first stub; `fails` is what the next run raises, None lets it run."""

    def __init__(self, t, ready, monkeypatch):
        self.t, self.path, self.fails = t, stub_file(ready), NO_CARGO
        self.opened = t.app.exercises.opened_of(self.path)
        run = self.opened.toolchain.run

        async def running(*arguments, **more):
            if self.fails is not None:
                raise self.fails
            return await run(*arguments, **more)

        monkeypatch.setattr(self.opened.toolchain, "run", running)

    async def save(self):
        """Save, wait for what is shown of its run; what is said on stubs as `not-run`."""
        shown = len(self.t.desk.shown)
        saved(self.t.app.services, self.t.app.runs.of(self.opened), self.opened, self.path)
        runs = self.t.app.runs.of(self.opened)
        await until(lambda: not runs.pending(), "the run did not end")
        assert len(self.t.desk.shown) > shown
        return self.not_run()

    def not_run(self):
        found = diagnostics(self.t.desk.shown[-1])
        return [item for items in found.values() for item in items if item.code == "not-run"]


@pytest.fixture
async def saves(t, monkeypatch):
    ready = await t.start(language="python")
    write_wrong(ready)
    return Saves(t, ready, monkeypatch)


async def test_a_save_without_tools_says_why_on_the_stub_and_once_in_a_message(t, saves):
    before = saves.opened.session
    (first,) = await saves.save()
    view = t.desk.shown[-1]
    assert first.message == NO_CARGO.message
    assert (first.file, first.span) == (view.focus.unit.file, view.focus.name_span)
    assert first.body == view.body_lines(view.focus)
    await until(lambda: NO_CARGO.message in t.desk.said, "no message")
    assert len(await saves.save()) == 1
    await saves.save()
    assert t.desk.said.count(NO_CARGO.message) == 1
    assert saves.opened.session == before
    saves.fails = None
    assert await saves.save() == []
    assert t.desk.shown[-1].units[0].state == "failing"


async def test_another_reason_takes_the_place_of_the_first(t, saves):
    await saves.save()
    saves.fails = FULL
    (said,) = await saves.save()
    assert "No space left" in said.message
    assert "Free some space" in said.message
    saves.fails = FULL_AGAIN  # the same reason in another folder
    await saves.save()
    await saves.save()
    assert sum("No space left" in text for text in t.desk.said) == 1


async def test_a_defect_is_told_too(t, saves):
    saves.fails = ZeroDivisionError("oh")
    (said,) = await saves.save()
    assert "ZeroDivisionError" in said.message
    await until(lambda: said.message in t.desk.said, "no message")


async def test_a_check_that_is_asked_for_shows_it_and_leaves_the_words_to_its_answer(t, saves):
    assert (await t.refused("check")).message == NO_CARGO.message
    assert [item.message for item in saves.not_run()] == [NO_CARGO.message]
    assert NO_CARGO.message not in t.desk.said
