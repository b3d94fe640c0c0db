"""An answer to a plan that comes when the exercise is being made already."""

import asyncio
from types import SimpleNamespace

import pytest

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.services.frontend import Abilities
from tutor_lsp.tutor.services.jobs import Job, Jobs
from tutor_lsp.tutor.services.tasks import Tasks
from tutor_lsp.tutor.starting import confirm_plan

SCAFFOLD = {"exercise_description": "Count bees.", "units": [], "lesson_plan": {}}


class Bench:
    """As much of the application as a plan needs; the learner answers when `answer` is set."""

    def __init__(self):
        self.settings = SimpleNamespace(confirm_plan=True)
        self.abilities = Abilities(chooses=True)
        self.frontend = self
        self.jobs = Jobs()
        self.tasks = Tasks(lambda: "1")
        self.answer = asyncio.get_running_loop().create_future()
        self.said = []
        self.heard = asyncio.Event()
        self.making = asyncio.Event()

    async def db(self, work):
        return []

    async def choose(self, prompt, choices):
        return await self.answer

    def message(self, text, *, warning=False):
        self.said.append(text)
        self.heard.set()

    async def make(self, job):
        await confirm_plan.agree_on_plan(self, job, "codex", SCAFFOLD, None, near=None)
        self.making.set()
        await asyncio.Event().wait()


@pytest.fixture
async def bench(monkeypatch):
    monkeypatch.setattr(confirm_plan, "ANSWER_S", 0.01)
    bench = Bench()
    yield bench
    for job in bench.jobs.all():
        job.committed = False
    await bench.jobs.drain()
    await bench.tasks.drain()


def job_of(bench):
    return bench.jobs.start(Job("j-1", "Bees", None, "python"), bench.make)


async def test_a_late_cancel_ends_what_was_begun(bench):
    job = job_of(bench)
    await bench.making.wait()
    bench.answer.set_result(confirm_plan.CANCEL)
    await asyncio.wait([job.task])
    assert job.state == "cancelled"
    assert bench.said == []


async def test_what_is_past_cancelling_is_said_and_goes_on(bench):
    job = job_of(bench)
    await bench.making.wait()
    job.committed = True
    bench.answer.set_result(confirm_plan.CANCEL)
    await bench.heard.wait()
    assert "no longer be cancelled" in bench.said[0]
    assert job.state == "running"


async def test_a_late_change_is_told_what_to_do(bench):
    job = job_of(bench)
    await bench.making.wait()
    bench.answer.set_result(confirm_plan.CHANGE)
    await bench.heard.wait()
    assert "cancel it" in bench.said[0]
    assert job.state == "running"


async def test_a_late_answer_to_what_has_ended_means_nothing(bench):
    job = job_of(bench)
    await bench.making.wait()
    bench.jobs.cancel(job.id)
    await asyncio.wait([job.task])
    bench.answer.set_result(confirm_plan.CHANGE)
    await asyncio.wait([task for task in asyncio.all_tasks() if "late" in task.get_name()])
    assert bench.said == []


async def test_an_answer_in_time_declines_it(bench, monkeypatch):
    monkeypatch.setattr(confirm_plan, "ANSWER_S", 30.0)
    bench.answer.set_result(confirm_plan.CANCEL)
    with pytest.raises(TutorError, match="declined"):
        await confirm_plan.agree_on_plan(
            bench, Job("j-1", "Bees", None, "python"), "codex", SCAFFOLD, None, near=None
        )
