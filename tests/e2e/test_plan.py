"""The plan of a generated exercise: made, changed or declined before its loops begin."""

import asyncio

import pytest
from editor import editor
from faults_kit import script

SCAFFOLD = {
    "schema_version": "scaffold_v1", "role": "scaffold", "scaffold_id": "bee-counter",
    "node_id": "topic-bees", "depth_target": "D2",
    "exercise_description": "Count the bees that leave and enter a hive.",
    "lesson_plan": {"section_intents": ["Counting"]},
    "starter_plan": {"file_intents": ["hive.py"]}, "test_plan": {"case_intents": ["counts"]},
    "units": [{
        "unit_id": "ex-1", "stub": "count_bees", "file_path": "src/exercise/hive.py",
        "first_principle": "len of a list", "lesson_heading": "Counting",
        "test_names": ["test_count_bees_counts_all"],
    }],
}  # fmt: skip
START = {"topic": "bees", "backend": "scripted", "language": "python"}


def scaffold(**changes):
    return {"stage": "scaffold", "payload": {**SCAFFOLD, **changes}}


async def test_declined_plan_makes_nothing(tmp_path):
    async with editor(tmp_path / "home", environment=script(tmp_path, scaffold())) as ed:
        ed.answer = lambda params: "Cancel"
        await ed.command("tutor.start", START)
        (failed,) = await ed.until(lambda: ed.notified["tutor/sessionFailed"], "no end")
        assert failed["reason"] == "CANCELLED"
        (question,) = ed.questions
        assert "count_bees: len of a list" in question.message
        assert "calls" in question.message
        assert "In the meantime" in question.message
        assert [action.title for action in question.actions] == ["Make it", "Cancel"]
        assert await ed.command("tutor.sessions") == []


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_dismissed_plan_goes_on_to_the_loops(tmp_path):
    async with editor(tmp_path / "home", environment=script(tmp_path, scaffold())) as ed:
        await ed.command("tutor.start", START)
        (failed,) = await ed.until(lambda: ed.notified["tutor/sessionFailed"], "no end")
        assert failed["stage"].startswith("starter")
        assert "Ready now:" in failed["message"]


async def test_changed_plan_is_asked_for_once_more(tmp_path):
    lines = [scaffold(), scaffold(exercise_description="Count wasps.")]
    environment = script(tmp_path, *lines)
    async with editor(tmp_path / "home", environment=environment, options={"ask": True}) as ed:
        ed.answer = lambda params: "Change…"
        asked = []

        @ed.client.feature("tutor/ask")
        def ask(params):
            asked.append(params.prompt)
            # What is dismissed at first is asked for again, with the plan.
            return {"text": None if len(asked) == 1 else "wasps, please"}

        await ed.command("tutor.start", START)
        (failed,) = await ed.until(lambda: ed.notified["tutor/sessionFailed"], "no end")
        assert asked == ["What should be different?"] * 2
        assert failed["stage"].startswith("starter")
        first, again, changed = ed.questions
        assert first.message == again.message
        assert "Count wasps." in changed.message
        assert [action.title for action in changed.actions] == ["Make it", "Cancel"]


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_setting_skips_the_plan(tmp_path):
    environment = script(tmp_path, scaffold())
    settings = {"confirmPlan": False}
    async with editor(tmp_path / "home", environment=environment, settings=settings) as ed:
        await ed.command("tutor.start", START)
        await ed.until(lambda: ed.notified["tutor/sessionFailed"], "no end")
        assert ed.questions == []


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_unanswered_plan_can_still_be_cancelled(tmp_path):
    async with editor(tmp_path / "home", environment=script(tmp_path, scaffold())) as ed:
        never = asyncio.Event()

        async def ask(params):
            ed.questions.append(params)
            await never.wait()

        ed.override("window/showMessageRequest", ask)
        begun = await ed.command("tutor.start", START)
        await ed.until(lambda: ed.questions, "no plan")
        assert (await ed.command("tutor.cancel", {"jobId": begun["jobId"]}))["cancelled"] is True
        (failed,) = await ed.until(lambda: ed.notified["tutor/sessionFailed"], "no end")
        assert failed["reason"] == "CANCELLED"
        never.set()
