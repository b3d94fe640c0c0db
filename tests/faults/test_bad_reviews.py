"""What a reviewer may answer, and what must come of it: a bad review costs the learner nothing."""

import json
from pathlib import Path

import pytest
from learner_kit import learner

from tutor_lsp.tutor.reviewing import asking, verify_review

pytestmark = pytest.mark.first(3)

REPORT = {
    "schema_version": "review_report_v1", "role": "reviewer", "verdict": "PASS", "score": 90,
    "summary": "It reads well.", "findings": [], "tags": [],
}  # fmt: skip
RED = REPORT | {"verdict": "FAIL", "score": 40}
NO_FORM = "its answer was not a valid review"
RULE = "it broke a rule for reviews"
AGAINST = "it contradicted the tests"
NONE = "the model gave no answer"
LATE = "it did not answer in time"
UNUSABLE = "From the run alone: the model's review was not used"


def text(said):
    return {"stage": "reviewer", "text": said}


def answer(report=REPORT, **more):
    return text(json.dumps({**report, **more}))


def failed(why, **details):
    return {"stage": "reviewer", "error": why, "details": details}


# what the model answers, call by call; whether all tests pass; why its review was not used, if not
BAD = {
    "an empty object, twice": ([text("{}"), text("{}")], True, NO_FORM),
    "an empty object, then a review": ([text("{}"), answer()], True, None),
    "nothing": ([text(""), text("")], True, NO_FORM),
    "prose": ([text("Well done!"), text("Well done!")], True, NO_FORM),
    "a hint": ([answer(schema_version="hint_pack_v1", role="coach")] * 2, True, NO_FORM),
    "deeply nested": ([text("[" * 50_000)] * 2, True, NO_FORM),
    "an unknown tag": ([answer(tags=["made-up"])] * 2, True, RULE),
    "a not yet of 95 points": ([answer(RED, score=95)] * 2, True, RULE),
    "a pass of 3 points": ([answer(score=3)] * 2, True, RULE),
    "a book": ([answer(summary="word " * 500)] * 2, True, RULE),
    "control characters": ([answer(summary="It reads\u202e well.\x07")], True, None),
    "a crash, twice": ([failed("exit code 1"), failed("exit code 1")], True, NONE),
    "a crash, then a review": ([failed("exit code 1"), answer()], True, None),
    "no time, twice": ([failed("slow", timeout=True)] * 2, True, LATE),
    "a form, then a crash": ([text("{}"), failed("exit code 1")], True, NONE),
    "a pass on red, twice": ([answer(), answer()], False, AGAINST),
    "a pass on red, then none": ([answer(), answer(RED)], False, None),
    "an empty object on red": ([text("{}"), text("{}")], False, NO_FORM),
    "not logged in": (
        [failed("Codex is logged out", remedy="log in")],
        True,
        "Codex is logged out",
    ),
}


@pytest.fixture
def reviewer(tmp_path, monkeypatch):
    """A learner whose reviewer gives these answers, in order."""

    def scripted(lines):
        path = tmp_path / "script.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        monkeypatch.setenv("TUTOR_LSP_SCRIPT", str(path))
        return learner(tmp_path / "home", backend="scripted")

    return scripted


async def begin(me, *, solved, node="python-functions"):
    session = await me.start(language=node.partition("-")[0], node=node, backend="library")
    if solved:
        await me.solve(session)
    return session


async def refusals(me, session):
    found = await me.app.services.db(
        lambda tx: tx.events(session=session["sessionId"], kind="stage-rejected")
    )
    return [event["data"]["reason"] for event in found]


@pytest.mark.first(1)
@pytest.mark.parametrize(("lines", "green", "why"), BAD.values(), ids=BAD)
async def test_a_bad_answer_costs_nothing(reviewer, lines, green, why):
    async with reviewer(lines) as me:
        session = await begin(me, solved=green)
        result = await me.do("attempt")
        review = result["review"]
        assert (review["verdict"], result["reviewError"]) == ("PASS" if green else "FAIL", None)
        assert (result["mastery"]["after"] > 0) == green
        if why is None:
            assert review["summary"] == "It reads well."
        else:
            assert f"{UNUSABLE}, {why}" in review["summary"]
            coach = Path(session["workspace"], ".tutor/coach.md").read_text("utf-8")
            assert why in coach
            assert len(await refusals(me, session)) == len(lines), "asked once more"


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_the_second_call_is_told_why(reviewer):
    async with reviewer([text("{}"), answer()]) as me:
        await begin(me, solved=True)
        await me.do("attempt")
        asked = me.app.services.backends.get("scripted").requests
        assert "Why your last answer" not in asked[0].prompt.text
        told = asked[1].prompt.text.partition("# Why your last answer was not used")[2]
        assert "the answer is no review_report_v1" in told


async def test_a_slow_reviewer_is_not_waited_for(reviewer, monkeypatch):
    monkeypatch.setattr(asking, "LIMIT_SHARE", 0.001)
    async with reviewer([answer() | {"delay_s": 60}] * 2) as me:
        session = await begin(me, solved=True)
        review = (await me.do("attempt"))["review"]
        assert review["verdict"] == "PASS"
        assert LATE in review["summary"]
        assert len(await refusals(me, session)) == 2


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_defect_of_ours_costs_nothing_either(reviewer, monkeypatch):
    async def broken(self, payload):
        raise RuntimeError("a defect")

    monkeypatch.setattr(verify_review.Settling, "settled", broken)
    async with reviewer([answer()]) as me:
        await begin(me, solved=True)
        result = await me.do("attempt")
        assert result["review"]["verdict"] == "PASS"
        assert "the tutor failed" in result["review"]["summary"]
        assert result["mastery"]["after"] > 0
