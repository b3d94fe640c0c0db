"""A model's hint: shown in the place of the first where it holds, and what becomes of it else."""

import asyncio
import json
from dataclasses import replace

import pytest
from hint_session import LEAK, NUDGE, RIGHT, answering, pack, session

from tutor_lsp.core.errors import TutorError


async def test_the_models_hint_takes_the_place_of_the_first(tmp_path, monkeypatch):
    async with session(tmp_path, monkeypatch) as it:
        await it.begin()
        it.app.services.backends.get("scripted")._lines.append(pack(fix=it.fix(RIGHT)))
        shown = await it.hint()
        assert shown.pop("say")["title"] == f"Hint 1 · ex-1 {shown['stub']}"
        assert shown == {
            "unit": "ex-1", "level": 1, "text": NUDGE, "code": None, "verified": False,
            "answersQuestions": False, "stub": shown["stub"], "language": "python", "actions": [],
            "mistake": shown["mistake"], "source": "model", "tried": False, "triedOut": "",
        }  # fmt: skip
        first, last = [p for method, p in it.noted if method == "tutor/hintReady"]
        assert (first["final"], last["final"]) == (False, True)
        assert it.unit["tests"][0] in first["hint"]["text"]
        assert last["hint"] == shown
        assert NUDGE in it.card
        assert first["hint"]["text"] not in it.card
        stored = [hint["replaces"] for hint in await it.events("hint")]
        assert stored == [False, True]
        # never shown: what was run
        assert RIGHT not in it.card
        assert RIGHT not in json.dumps(shown)


RAN = '`clean("  Up ")` gives `"  up "`. What should it give?'
FALSE = 'Your code makes `"UP"` of `clean("Up")`.'


async def test_tried_out_is_what_was_run_and_what_it_refutes_is_not_shown(tmp_path, monkeypatch):
    async with session(tmp_path, monkeypatch) as it:
        await it.begin()
        claims = [{"call": 'clean("A")', "gives": '"a"'}, {"call": 'clean("B")', "gives": '"B"'}]
        said = f'{RAN} {FALSE} With `clean("B")` it is the same. The test is wrong.'
        line = pack(text=said, fix=it.fix(RIGHT), claims=claims)
        it.app.services.backends.get("scripted")._lines.append(line)
        shown = await it.hint()
        assert shown["text"] == RAN
        ran = 'Tried out: `clean("  Up ")` gives `"  up "`, `clean("A")` gives `"a"`.'
        assert shown["triedOut"] == ran
        assert (shown["verified"], shown["tried"]) == (True, True)
        assert ran in it.card
        assert ran in shown["say"]["markdown"]
        (left,) = await it.events("hint-left-out")
        assert len(left["left"]) == 3
        assert [note["said"] for note in await it.events("author-note")] == ["The test is wrong."]


async def test_a_block_that_is_not_shown_is_in_the_record(tmp_path, monkeypatch):
    block = "for name in title:\n    print(name)"
    async with session(tmp_path, monkeypatch) as it:
        await it.begin()
        line = pack(text=f"{NUDGE}\n\n```python\n{block}\n```", fix=it.fix(RIGHT))
        it.app.services.backends.get("scripted")._lines.append(line)
        shown = await it.hint()
        assert (shown["text"], shown["code"], shown["source"]) == (NUDGE, None, "model")
        (left,) = await it.events("hint-code-left-out")
        assert (left["code"], left["unit"], left["level"]) == (block, "ex-1", 1)
        assert "level 1" in left["why"]
        assert await it.events("hint-left-out") == []


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_the_coach_is_told_inputs_on_which_the_code_differs(tmp_path, monkeypatch):
    async with session(tmp_path, monkeypatch) as it:
        await it.begin()
        it.app.services.backends.get("scripted")._lines.append(pack(fix=it.fix(RIGHT)))
        await it.hint()
        said = it.calls()[-1].prompt.text
        assert "# Inputs on which it differs from the reference" in said
        (entry,) = [e for e in it.calls()[-1].prompt.entries if "Inputs on which" in e]
        told = json.loads(entry.split("\n")[-1])
        assert 1 <= len(told) <= 3
        assert all(each["gives"] != each["should give"] for each in told)
        assert "of the files with the hash" in said


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_right_fix_vouches_for_no_word(tmp_path, monkeypatch):
    said = "A comparison cannot be handed back in Python. Think of another way."
    async with session(tmp_path, monkeypatch) as it:
        await it.begin()
        line = pack(text=said, fix=it.fix(RIGHT))
        it.app.services.backends.get("scripted")._lines.append(line)
        shown = await it.hint()
        assert (shown["verified"], shown["tried"], shown["triedOut"]) == (False, False, "")
        assert "nothing in it was tried out" in it.card
        assert "nothing in it was tried out" in shown["say"]["markdown"]


@pytest.mark.long("plays hints with runs of their own, beside those that stand for them here")
async def test_a_fix_that_passes_nothing_leaves_what_the_facts_support(tmp_path, monkeypatch):
    text = f"{NUDGE} The test gives 17 and expects 23."
    async with session(tmp_path, monkeypatch) as it:
        await it.begin()
        it.app.services.backends.get("scripted")._lines.append(
            pack(text=text, fix=it.fix("return ''"))
        )
        shown = await it.hint()
        assert shown["text"] == NUDGE
        assert not shown["verified"]


NOT_SHOWN = [
    ("leak", pack(text=LEAK), "hint-rejected"),
    ("contradiction", pack(text="The test is wrong: skip it."), "hint-rejected"),
    ("no ground", pack(text="`f` gave 17, expected 23."), "hint-rejected"),
    ("inline code", pack(text="What about `x = title`?"), "hint-rejected"),
    ("too long", pack(text="word " * 41), "stage-rejected"),
    ("code at level 1", pack(code="x = 1"), "stage-rejected"),
    ("another level", pack(level=2), "stage-rejected"),
    ("another unit", pack(unit_id="ex-9"), "stage-rejected"),
    ("no JSON", {"stage": "coach", "text": "no JSON"}, "stage-rejected"),
]


async def test_what_does_not_hold_is_asked_for_once_more_and_then_the_first_stands(
    tmp_path, monkeypatch
):
    async with session(tmp_path, monkeypatch) as it:
        await it.begin()
        for what, line, kind in NOT_SHOWN:
            it.app.services.backends.get("scripted")._lines[:] = [line, line, pack()]
            asked, before = len(it.calls()), len(await it.events(kind))
            shown = await it.hint()
            assert it.unit["tests"][0] in shown["text"], what
            assert not shown["verified"]
            assert len(it.calls()) == asked + 2, what
            assert "Why your last answer was not shown" in it.calls()[-1].prompt.text
            assert len(await it.events(kind)) == before + 2, what
            opened = it.app.exercises.open_at(it.root)
            await it.app.exercises.change_session(opened, lambda kept: replace(kept, hints=()))


@pytest.mark.long("plays hints with runs of their own, beside those that stand for them here")
async def test_the_second_answer_counts_if_it_holds(tmp_path, monkeypatch):
    async with session(tmp_path, monkeypatch, pack(text=LEAK), pack()) as it:
        await it.begin()
        assert (await it.hint())["text"] == NUDGE


async def test_a_model_that_fails_or_takes_too_long_leaves_the_first(tmp_path, monkeypatch):
    slow = {**pack(), "delay_s": 60}
    async with session(tmp_path, monkeypatch, {"stage": "coach", "error": "no"}, slow) as it:
        await it.begin()
        first = await it.hint()
        assert it.unit["tests"][0] in first["text"]
        assert len(it.calls()) == 1
        assert any("gave no usable hint" in text for text in it.desk.said)
        it.app.services.settings = replace(it.app.services.settings, hint_seconds=0.3)
        second = await it.hint()
        assert second["level"] == 2
        assert [e["rule"] for e in await it.events("hint-rejected")] == ["timeout"]


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_the_next_hint_does_not_wait_for_a_closer_look_at_the_first(tmp_path, monkeypatch):
    slow, quick = {**pack(), "delay_s": 60}, pack(level=2, text="Look at both ends of it.")
    async with session(tmp_path, monkeypatch, slow, quick) as it:
        await it.begin()
        first = asyncio.ensure_future(it.hint())
        async with asyncio.timeout(20):
            while not it.calls():  # noqa: ASYNC110 - a backend that is asked tells nobody
                await asyncio.sleep(0.01)
            second = await it.hint()
            shown = await first
        assert (shown["level"], shown["source"]) == (1, "author")
        assert (second["level"], second["source"]) == (2, "model")
        assert not any("gave no usable hint" in text for text in it.desk.said), (
            "it was not its fault"
        )


async def test_an_answer_is_waited_for_and_its_progress_is_told(tmp_path, monkeypatch):
    bad, good = pack(text=LEAK), pack(text="Which method takes the blanks away?")
    async with session(tmp_path, monkeypatch, bad, {**good, "delay_s": 0.5}) as it:
        await it.begin()
        told = []
        it.desk.progress = lambda job, title: answering(_Told(told))
        asked = asyncio.ensure_future(it.hint(question="Is there a method for this?"))
        async with asyncio.timeout(20):
            while len(it.calls()) < 2:  # noqa: ASYNC110 - a backend that is asked tells nobody
                await asyncio.sleep(0.01)
            hint = await it.hint()
            answer = await asked
        assert answer["answered"]
        assert hint["level"] == 2, "the answer was the first step"
        name = it.app.services.backends.get("scripted").name
        steps = [f"asking {name}", "trying out what it says", f"asking {name} once more"]
        assert told[:4] == [*steps, "trying out what it says"]


class _Told:
    """Progress as a list."""

    def __init__(self, told):
        self._told = told

    def report(self, _percent, message):
        self._told.append(message)

    def done(self, message):
        self._told.append(message)


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_cancelling_keeps_the_first(tmp_path, monkeypatch):
    async with session(tmp_path, monkeypatch, {**pack(), "delay_s": 60}) as it:
        await it.begin()
        asked = asyncio.ensure_future(it.hint())
        async with asyncio.timeout(20):
            while not it.calls():  # noqa: ASYNC110 - a backend that is asked tells nobody
                await asyncio.sleep(0.01)
        assert it.app.cancel()
        with pytest.raises(TutorError, match="cancelled"):
            await asked
        assert it.unit["tests"][0] in it.card
