"""A save and a command that is given right after it are answered by one run."""

import asyncio
import time

import pytest
from tutor_kit import stub_file, until, write_wrong

from tutor_lsp.tutor.running.check_soon import CLOCK_STEP_S
from tutor_lsp.tutor.running.saving import saved


@pytest.mark.parametrize(("late", "runs_again"), [(True, False), (False, True)])
async def test_a_save_that_a_check_overtook_is_not_run_again(t, late, runs_again):
    ready = await t.start(language="python")
    path = stub_file(ready)
    opened = t.app.exercises.opened_of(path)
    write_wrong(ready)
    asked = time.monotonic() - 2 * CLOCK_STEP_S
    await t.do("check")
    queue = t.app.runs.of(opened)
    saved(t.app.services, queue, opened, path, asked if late else time.monotonic())
    assert queue.pending() is runs_again
    assert t.desk.shown[-1].units[0].state == "failing"


async def test_a_save_outlives_the_command_whose_check_answers_it(t):
    """A cancel of the command leaves the text to be run for the save."""
    ready = await t.start(language="python")
    path = stub_file(ready)
    queue = t.app.runs.of(opened := t.app.exercises.opened_of(path))
    write_wrong(ready)
    asked = time.monotonic() - 2 * CLOCK_STEP_S
    command = asyncio.ensure_future(queue.check())
    await until(lambda: queue.checked_since(asked), "the check did not begin")
    saved(t.app.services, queue, opened, path, asked)
    command.cancel()
    await until(lambda: not queue.pending(), "the run did not end")
    assert t.desk.shown[-1].units[0].state == "failing"


async def test_a_save_whose_time_lies_in_the_past_is_run_all_the_same(t):
    ready = await t.start(language="python")
    path = stub_file(ready)
    queue = t.app.runs.of(opened := t.app.exercises.opened_of(path))
    asked = time.monotonic() - 1
    await t.do("check")
    write_wrong(ready)
    saved(t.app.services, queue, opened, path, asked)
    assert queue.pending()
    await until(lambda: not queue.pending(), "the run did not end")
    assert t.desk.shown[-1].units[0].state == "failing"
