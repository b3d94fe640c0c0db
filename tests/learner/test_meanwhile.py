"""A review that is due, offered while a model makes an exercise."""

import asyncio
import json

import pytest
from learner_kit import learner
from test_short_review import NODE, due

from tutor_lsp.tutor.services.frontend import Abilities

SCAFFOLD = {
    "schema_version": "scaffold_v1", "role": "scaffold", "scaffold_id": "bees",
    "node_id": "topic-bees", "depth_target": "D2", "exercise_description": "Count bees.",
    "lesson_plan": {"section_intents": ["Counting"]},
    "starter_plan": {"file_intents": ["hive.c"]}, "test_plan": {"case_intents": ["counts"]},
    "units": None,
}  # fmt: skip


@pytest.fixture
def script(tmp_path, monkeypatch):
    """A model that plans an exercise and then fails."""
    path = tmp_path / "script.jsonl"
    path.write_text(json.dumps({"stage": "scaffold", "payload": SCAFFOLD}) + "\n", "utf-8")
    monkeypatch.setenv("TUTOR_LSP_SCRIPT", str(path))


async def started(me):
    """A start that fails after the plan."""
    await me.do("start", topic="bees", language="c", backend="scripted", trust=True)
    await me.app.services.jobs.ended()
    failed = [job for job in me.app.services.jobs.all() if job.state == "failed"]
    assert [job.error["stage"] for job in failed] == ["starter-expand"]


@pytest.mark.long("makes a review, as test_short_review.py does; the others here offer it")
async def test_a_review_that_is_due_is_offered_with_the_plan_and_begun(script, tmp_path):
    async with learner(tmp_path / "home") as me:
        await due(me)
        me.desk.abilities = Abilities(shows_results=True, chooses=True)
        button = "Make it, review “Functions and whole numbers” now"
        me.desk.answers = [button]
        reviewed = asyncio.Event()

        def notify(method, payload):
            if method == "tutor/sessionReady" and payload["title"].startswith("Review: "):
                reviewed.set()

        me.desk.notify = notify
        await started(me)
        ((prompt, choices),) = me.desk.questions
        assert choices == ("Make it", button, "Cancel")
        assert f'“Functions and whole numbers” (tutor.start with {{"node": "{NODE}"}})' in prompt
        async with asyncio.timeout(60):
            await reviewed.wait()


async def test_where_nobody_can_be_asked_it_is_said(script, tmp_path):
    async with learner(tmp_path / "home") as me:
        await due(me)
        me.desk.said.clear()
        await started(me)
        assert [said for said in me.desk.said if "Due for review in the meantime" in said]
        assert me.desk.questions == []
        assert len(me.desk.ready) == 1


async def test_in_a_terminal_it_is_for_another_one(script, tmp_path):
    async with learner(tmp_path / "home") as me:
        await due(me)
        me.desk.abilities = Abilities(shows_results=True, chooses=True, terminal=True)
        await started(me)
        ((prompt, choices),) = me.desk.questions
        assert choices == ("Make it", "Cancel")
        assert "Due for review in the meantime" in prompt


async def test_nothing_is_offered_where_nothing_is_due(script, tmp_path):
    async with learner(tmp_path / "home") as me:
        await me.pass_exercise(node=NODE)
        me.desk.said.clear()
        me.desk.abilities = Abilities(shows_results=True, chooses=True)
        await started(me)
        ((prompt, choices),) = me.desk.questions
        assert choices == ("Make it", "Cancel")
        assert "Due for review" not in prompt
        assert "In the meantime" in prompt
