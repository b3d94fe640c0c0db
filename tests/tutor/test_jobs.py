"""A job ends, however it ends."""

import pytest
from tutor_kit import tutor

from tutor_lsp.authoring.report import STAGES, stage_at
from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.services.jobs import Job, JobProgress, Jobs, Pace

ENDS = {
    "a refusal": (TutorError("HOME", "No room."), "failed", "HOME"),
    "a cancel": (TutorError("CANCELLED", "Stopped."), "cancelled", "CANCELLED"),
    "the machine": (OSError(28, "No space left on device"), "failed", "SYSTEM"),
    "a defect": (KeyError("x"), "failed", "INTERNAL"),
}


@pytest.mark.parametrize(("error", "state", "kind"), ENDS.values(), ids=ENDS)
async def test_a_job_that_fails_says_so(error, state, kind):
    async def work(job):
        raise error

    jobs = Jobs()
    job = jobs.start(Job("1", "A title", None, "python"), work)
    await jobs.ended()
    assert (job.state, job.error["kind"]) == (state, kind)
    assert jobs.cancel() is False


class Shown:
    def __init__(self):
        self.said = []

    def report(self, percent, message):
        self.said.append((percent, message))


def test_progress_tells_the_time_left_where_earlier_runs_tell_it():
    now = [0.0]
    known = {"scaffold": [20.0], "starter-expand": [30.0, 50.0, 40.0], "proof": [10.0]}
    pace = Pace(STAGES, stage_at, known, clock=lambda: now[0])
    shown = Shown()
    progress = JobProgress(Job("1", "A title", None, "python"), shown, pace)
    progress.report(2, "plan")
    assert shown.said[-1] == (2, "plan · about 70 s left")
    now[0] = 25.0
    progress.report(8, "starter 1/6")
    assert shown.said[-1] == (8, "starter 1/6 · about 50 s left")
    now[0] = 55.0
    progress.report(14, "starter 2/6")
    assert shown.said[-1] == (14, "starter 2/6 · about 20 s left")
    now[0] = 60.0
    progress.report(31, "test 1/8")
    assert shown.said[-1] == (31, "test 1/8"), "no earlier run had that"
    pace.ended()
    assert pace.run == {"scaffold": 25.0, "starter-expand": 35.0, "test-expand": 0.0}


def test_without_earlier_runs_the_time_left_is_told_from_the_calls_so_far():
    now = [0.0]
    shown = Shown()
    pace = Pace(STAGES, stage_at, clock=lambda: now[0])
    progress = JobProgress(Job("1", "A title", None, "python"), shown, pace)

    def said(seconds, percent):
        now[0] = seconds
        progress.report(percent, "work")
        return shown.said[-1][1]

    assert said(0, 1) == said(0.5, 2) == said(20, 8) == "work"
    assert said(42, 30) == "work · about 2 min left"  # 28 of 98 in 42 s
    assert said(100, 30) == "work · about 45 s left"
    assert said(200, 30) == "work"  # longer than all calls before
    assert said(210, 86) == "work · about 35 s left"


def test_what_an_interrupted_run_had_done_tells_nothing_of_time():
    now = [0.0]
    shown = Shown()
    pace = Pace(STAGES, stage_at, clock=lambda: now[0])
    progress = JobProgress(Job("1", "A title", None, "python"), shown, pace)
    for seconds, percent in ((0, 2), (0.1, 50), (10, 60), (30, 80)):
        now[0] = seconds
        progress.report(percent, "work")
    assert [message for _, message in shown.said] == [*["work"] * 3, "work · about 20 s left"]


def test_progress_without_earlier_runs_says_nothing_of_time():
    shown = Shown()
    progress = JobProgress(Job("1", "A title", None, "python"), shown, Pace(STAGES, stage_at))
    for percent in (1, 10, 40, 90):
        progress.report(percent, "work")
    assert [message for _, message in shown.said] == ["work"] * 4


async def test_a_set_up_keeps_how_long_its_stages_took(tmp_path):
    async with tutor(tmp_path / "home") as t:
        await t.start(language="python")
        kept = await t.app.services.db(lambda tx: tx.durations("library python D1"))
        assert set(kept) <= set(STAGES)
        assert kept["starter-expand"][0] >= 0
        await t.start(language="python", fresh=True, backend="library")
        again = await t.app.services.db(lambda tx: tx.durations("library python D1"))
        assert [len(each) for each in again.values()] == [2] * len(again)
