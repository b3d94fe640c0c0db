"""A save and a command that is given right after it are answered by one run."""

import time

import pytest
from tutor_kit import stub_file, write_wrong

from tutor_lsp.tutor.running.saving import CLOCK_STEP_S, saved


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
