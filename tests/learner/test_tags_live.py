"""From a model's tags in two reviews to the section in the next lesson, in real sessions."""

import json
from pathlib import Path

import pytest
from learner_kit import learner

NODE, TAG = "python-functions", "missing-return"
FILE = "src/exercise/movie.py"
STUB, QUOTE = 'raise NotImplementedError("to_minutes")', "hours * 60 + minutes"


def write_a_try(session):
    """A body that answers nothing; its line."""
    path = Path(session["workspace"], FILE)
    text = path.read_text("utf-8").replace(STUB, QUOTE)
    path.write_text(text)
    return text[: text.index(QUOTE)].count("\n") + 1


def verdict(line, test, tag=TAG):
    """A reviewer's answer that names a tag, with the line and the test where it shows."""
    evidence = {
        "tag": tag, "test": test, "file": FILE, "line": line, "end_line": line, "quote": QUOTE
    }  # fmt: skip
    return {
        "schema_version": "review_report_v1", "role": "reviewer", "verdict": "FAIL", "score": 45,
        "summary": "Not yet.", "findings": [], "improvement": None, "improvement_at": None,
        "question": None, "question_probe": None, "tags": [tag], "tag_evidence": [evidence],
        "counter_example": None,
    }  # fmt: skip


async def play(home, tmp_path, *tags):
    """One session with as many reviewed attempts as there are tags; the next session."""
    async with learner(home) as plain:
        first = await plain.start(node=NODE)
    test = first["units"][0]["tests"][0]
    line = write_a_try(first)
    lines = [{"stage": "reviewer", "payload": verdict(line, test, tag)} for tag in tags]
    script = tmp_path / "script.jsonl"
    script.write_text("".join(json.dumps(line) + "\n" for line in lines))
    async with learner(home, backend="scripted") as me:
        for number in range(len(tags)):
            path = Path(first["workspace"], FILE)
            path.write_text(path.read_text() + f"# try {number}\n")
            result = await me.do("attempt", session=first["sessionId"])
            assert result["reviewError"] is None, result
        events = await me.app.services.db(lambda tx: tx.events(kind="misconception"))
        await me.do("end", session=first["sessionId"])
        again = await me.start(node=NODE, backend="library")
    return events, Path(again["lesson"]).read_text("utf-8")


async def test_two_reviews_with_a_tag_open_the_next_lesson(tmp_path, monkeypatch):
    monkeypatch.setenv("TUTOR_LSP_SCRIPT", str(tmp_path / "script.jsonl"))
    events, lesson = await play(tmp_path / "home", tmp_path, TAG, TAG)
    assert [event["data"]["tag"] for event in events] == [TAG, TAG]
    assert events[0]["data"]["line"] > 0
    assert events[0]["data"]["test"].startswith("test_to_minutes")
    assert "Once more: A function that forgets to answer" in lesson


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_once_is_not_yet_a_habit(tmp_path, monkeypatch):
    monkeypatch.setenv("TUTOR_LSP_SCRIPT", str(tmp_path / "script.jsonl"))
    events, lesson = await play(tmp_path / "home", tmp_path, TAG)
    assert len(events) == 1
    assert "Once more" not in lesson
