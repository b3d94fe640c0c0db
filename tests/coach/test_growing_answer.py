"""An answer is shown while a model writes it: nothing that was not checked, and nothing is taken
back."""

import asyncio
import json
import threading
from importlib.util import find_spec
from itertools import pairwise

import pytest
from hint_session import LEAK, pack, session
from openai_fake import FakeService, completion

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.stage import BackendAnswer
from tutor_lsp.stages.backends.scripted import ScriptedBackend
from tutor_lsp.tutor.exercise.folder.coach_file import TITLE
from tutor_lsp.tutor.hinting import hint
from tutor_lsp.tutor.hinting.coach.listening import goes_on
from tutor_lsp.tutor.hinting.coach.sentences import begun, says_something
from tutor_lsp.tutor.hinting.coach.showing import Coached

ONE = "Your answer still has the blanks at its ends."
TWO = "Which method takes them away?"
THREE = "The lesson has one for that, on its first page."
FALSE = '`clean("  Up ")` gives `"up"` with your code.'


def growing(text, piece=7, pause_s=0.02, **more):
    """A line whose answer comes in pieces, in the contract's order."""
    payload = pack(text=text, **more)["payload"]
    first = ("schema_version", "role", "unit_id", "level", "fix", "claims")
    ordered = {key: payload.get(key) for key in first} | payload
    written = json.dumps(ordered, ensure_ascii=False)
    return {"stage": "coach", "text": written, "piece": piece, "pause_s": pause_s}


def told(it):
    """What was told of the answer while it was written."""
    noted = [p for method, p in it.noted if method == "tutor/hintReady"]
    assert not any(payload["final"] for payload in noted)
    return [payload["hint"]["text"] for payload in noted]


def answered_once_told(it, monkeypatch, text, instead=None):
    """The script's answer ends only once so much of it was told."""
    answer = ScriptedBackend.answer

    async def waits(self, request):
        made = await answer(self, request)
        async with asyncio.timeout(20):
            while not any(text in each for each in told(it)):  # noqa: ASYNC110 - only words tell it
                await asyncio.sleep(0.01)
        return instead or made

    monkeypatch.setattr(ScriptedBackend, "answer", waits)


async def test_each_sentence_is_shown_once_it_holds_and_the_whole_answer_replaces_it(
    tmp_path, monkeypatch
):
    line = growing(f"{ONE} {TWO} {THREE} And then?")
    async with session(tmp_path, monkeypatch, line) as it:
        await it.begin()
        answered_once_told(it, monkeypatch, THREE)
        answer = await it.hint(question="Is there a method for this?")
        assert answer["text"] == f"{ONE} {TWO} {THREE} And then?"
        shown = told(it)
        assert shown[0] == f"{ONE} …"
        assert shown[-1] == f"{ONE} {TWO} {THREE} …"
        assert all(after.startswith(before[:-2]) for before, after in pairwise(shown))
        assert it.card.count(ONE) == 1, "it grew in its place"
        assert "…" not in it.card
        (kept,) = await it.events("hint")
        assert (kept["text"], kept["replaces"]) == (answer["text"], False)
        said = [p["say"] for method, p in it.noted if method == "tutor/hintReady"]
        assert said[0]["title"] == answer["say"]["title"]
        assert ONE in said[0]["markdown"]
        sources = [p["hint"]["source"] for m, p in it.noted if m == "tutor/hintReady"]
        assert {*sources, answer["source"]} == {"model"}
        assert "tried out" not in said[0]["markdown"], "that is told at its end"


@pytest.mark.parametrize("bad", [LEAK, FALSE, "The test is wrong: skip it."])
async def test_nothing_is_shown_early_from_what_does_not_hold_on(tmp_path, monkeypatch, bad):
    line = growing(f"{ONE} {bad} {TWO} And then?")
    async with session(tmp_path, monkeypatch, line) as it:
        await it.begin()
        answered_once_told(it, monkeypatch, ONE)
        answer = await it.hint(question="Is there a method for this?")
        assert told(it) == [f"{ONE} …"]
        assert answer["text"].startswith(ONE)
        assert bad not in answer["text"]
        assert TWO in answer["text"]


async def test_claims_in_it_are_run_before_it_is_shown(tmp_path, monkeypatch):
    claim = '`clean("  Up ")` gives `"  up "`.'
    line = growing(f"{claim} {TWO} {THREE} {ONE} And then?")
    async with session(tmp_path, monkeypatch, line) as it:
        await it.begin()
        answered_once_told(it, monkeypatch, claim)
        answer = await it.hint(question="Is there a method for this?")
        assert told(it)[0] == f"{claim} {TWO} …"
        assert claim[:-1] in answer["triedOut"]


async def test_an_answer_in_the_older_order_is_shown_at_its_end(tmp_path, monkeypatch):
    line = growing(f"{ONE} {TWO}")
    payload = json.loads(line["text"])
    payload["fix"] = payload.pop("fix")
    line["text"] = json.dumps({"text": payload.pop("text"), **payload})
    async with session(tmp_path, monkeypatch, line) as it:
        await it.begin()
        answer = await it.hint(question="Is there a method for this?")
        assert answer["text"] == f"{ONE} {TWO}"
        assert told(it) == []


async def test_an_answer_of_which_some_was_shown_may_break_off_but_is_not_replaced(
    tmp_path, monkeypatch
):
    line = growing(f"{ONE} {TWO} And then?")
    line["text"] = line["text"][:-40]
    async with session(tmp_path, monkeypatch, line, pack(text=THREE)) as it:
        await it.begin()
        answered_once_told(it, monkeypatch, ONE)
        answer = await it.hint(question="Is there a method for this?")
        assert answer["text"].startswith(ONE)
        assert answer["text"].endswith("The answer broke off here.")
        assert len(it.calls()) == 1


@pytest.mark.parametrize(
    "bad",
    [
        {"fix": [{"path": "titles.py"}]},
        {"fix": ["titles.py"]},
        {"fix": 3},
        {"claims": [{"call": "clean(1)"}]},
        {"claims": {"call": "clean(1)"}},
    ],
)
async def test_an_answer_that_breaks_the_contract_is_asked_for_again(tmp_path, monkeypatch, bad):
    line = growing(f"{ONE} {TWO} And then?", **bad)
    async with session(tmp_path, monkeypatch, line, pack(text=THREE)) as it:
        await it.begin()
        answer = await it.hint(question="Is there a method for this?")
        assert answer["text"] == THREE
        assert told(it) == []
        assert len(it.calls()) == 2


@pytest.mark.parametrize(
    ("more", "changes"),
    [
        ("And then? " * 12 + "Is that it?", {}),
        ("And then?", {"tags": ["no-such-tag"]}),
        ("And then?", {"code": "\n".join(["x = 1"] * 30)}),
    ],
)
async def test_an_answer_that_only_breaks_a_limit_goes_on_from_what_was_told(
    tmp_path, monkeypatch, more, changes
):
    line = growing(f"{ONE} {TWO} {THREE} {more}")
    line["text"] = json.dumps(json.loads(line["text"]) | changes)
    async with session(tmp_path, monkeypatch, line, pack(text=THREE)) as it:
        await it.begin()
        answered_once_told(it, monkeypatch, ONE)
        answer = await it.hint(question="Is there a method for this?")
        assert answer["text"] == f"{ONE} {TWO} {THREE} {more}"
        assert answer["code"] is None
        assert len(it.calls()) == 1
        (rejected,) = await it.events("stage-rejected")
        assert rejected["kind"] == "POLICY_VIOLATION"
        assert not any("And then? " * 9 in each for each in told(it))


async def test_a_cancelled_question_ends_the_backend_and_the_checks(tmp_path, monkeypatch):
    line = growing(f"{ONE} {TWO} {THREE}", piece=30, pause_s=0.2)
    async with session(tmp_path, monkeypatch, line) as it:
        await it.begin()
        before = asyncio.all_tasks()
        asked = asyncio.ensure_future(it.hint(question="Is there a method for this?"))
        async with asyncio.timeout(20):
            while not told(it):  # noqa: ASYNC110 - only its words tell that it has begun
                await asyncio.sleep(0.01)
        assert ONE in it.card
        assert it.app.cancel()
        with pytest.raises(TutorError, match="cancelled"):
            await asked
        seen = len(told(it))
        await asyncio.sleep(0.5)
        assert len(told(it)) == seen
        left = [task for task in asyncio.all_tasks() - before if "_listen" in repr(task)]
        assert left == []
        assert it.card == TITLE, "nothing half-done stays behind"


async def test_an_answer_whose_end_comes_while_a_sentence_is_written_down_stands_once(
    tmp_path, monkeypatch
):
    written = threading.Event()
    write = hint.note_for_learner

    async def slow(*given, instead=None, **more):
        if TWO in given[2] and "…" in given[2]:
            written.set()
            await asyncio.sleep(0.5)
        await write(*given, instead=instead, **more)

    answers = ScriptedBackend.answer

    async def until_written(self, request):
        made = await answers(self, request)
        await asyncio.to_thread(written.wait, 20)
        return made

    monkeypatch.setattr(hint, "note_for_learner", slow)
    monkeypatch.setattr(ScriptedBackend, "answer", until_written)
    async with session(tmp_path, monkeypatch, growing(f"{ONE} {TWO} {THREE} And then?")) as it:
        await it.begin()
        answer = await it.hint(question="Is there a method for this?")
        assert written.is_set()
        assert it.card.count(ONE) == 1
        assert answer["text"] in it.card
        assert "…" not in it.card


def coached(text):
    return Coached(text, None, verified=False)


def test_nothing_that_was_told_is_taken_back():
    early = coached(f"{ONE} {TWO}")
    for other in (ONE, TWO, f"{TWO} {ONE}", f"{ONE} {TWO[:-1]} it?"):
        assert not goes_on(early, coached(other))
    for whole in (f"{ONE} {TWO}\n\n{THREE}", f"**{ONE} {TWO}**\n\n{THREE}"):
        assert goes_on(early, coached(whole))
    assert goes_on(None, coached(ONE))


@pytest.mark.parametrize(
    ("text", "rule", "left"),
    [
        (f"{TWO} {LEAK} {THREE}", "other-words", [LEAK]),
        (LEAK, "code-at-level-1", []),
        ("The test is wrong: skip it.", "contradiction", []),
    ],
)
async def test_what_is_not_shown_of_another_whole_answer_is_in_the_record(
    tmp_path, monkeypatch, text, rule, left
):
    whole = BackendAnswer(json.dumps(pack(text=text)["payload"]))
    async with session(tmp_path, monkeypatch, growing(f"{ONE} {TWO} And then?")) as it:
        await it.begin()
        answered_once_told(it, monkeypatch, ONE, whole)
        answer = await it.hint(question="Is there a method for this?")
        assert answer["text"].startswith(ONE)
        assert answer["text"].endswith("The answer broke off here.")
        (rejected,) = await it.events("hint-rejected")
        assert (rejected["rule"], rejected["text"]) == (rule, text)
        noted = await it.events("hint-left-out")
        assert [said["said"] for each in noted for said in each["left"]] == left
        assert len(it.calls()) == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"*{ONE} {TWO}* {THREE} And then?", None),
        (f"{ONE} {TWO}\n---\nAnd then?", f"**{ONE} {TWO}**\n\nAnd then?"),
    ],
)
async def test_an_answer_with_emphasis_is_shown_whole(tmp_path, monkeypatch, text, shown):
    async with session(tmp_path, monkeypatch, growing(text)) as it:
        await it.begin()
        answered_once_told(it, monkeypatch, ONE)
        answer = await it.hint(question="Is there a method for this?")
        assert answer["text"] == (shown or text)
        assert not any("\\" in each for each in told(it))


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("One. Two", "One."),
        ("One", ""),
        ("Use `a. b` now. Then", "Use `a. b` now."),
        ("Use `a. b", ""),
        ("**Both. of it** are. And", "**Both. of it** are."),
        ("**Both. of", ""),
        ("一。二", "一。"),
        ("- One.\n- ", "- One."),
        ("1. One.\n2. Two. Th", "1. One.\n2. Two."),
        ("One.\n\n```python\nx = 1\n```\nTwo. ", "One."),
        ("See [this. one](x). More. ", ""),
        ("Take `xs[0]` first. Then", "Take `xs[0]` first."),
        ("*Think first. What", ""),
        ("_Think first. What", ""),
        ("*Think first. What?* So. Then", "*Think first. What?* So."),
        ("Is `a * b` my_name? Then", "Is `a * b` my_name?"),
        ("* One.\n* Two. Th", "* One.\n* Two."),
    ],
)
def test_what_has_begun_is_whole_sentences(text, whole):
    assert begun(text) == whole


def test_signs_of_a_script_without_blanks_are_counted_one_by_one():
    assert says_something("`floor(1, 1)` でいくつ。")
    assert not says_something("`floor(1, 1)` は。")
    assert says_something("Which one is it?")
    assert not says_something("See `this one here`:")


@pytest.mark.skipif(find_spec("openai") is None, reason="not installed (extra: openai)")
async def test_an_answer_of_a_service_is_shown_while_its_pieces_come(tmp_path, monkeypatch):
    text = growing(f"{ONE} {TWO} {THREE} And then?")["text"]
    with FakeService(completion(text)) as service:
        service.pieces = 9
        monkeypatch.setenv("TUTOR_LSP_OPENAI_BASE_URL", service.url)
        monkeypatch.setenv("TUTOR_LSP_MODEL", "tiny")
        async with session(tmp_path, monkeypatch, backend="openai") as it:
            await it.begin()
            service.may_end.clear()
            tell = it.desk.notify

            def notify(method, payload):
                tell(method, payload)
                service.may_end.set()

            it.desk.notify = notify
            answer = await it.hint(question="Is there a method for this?")
            assert answer["text"] == f"{ONE} {TWO} {THREE} And then?"
            assert told(it)[0].startswith(ONE)
            assert service.requests[-1]["stream"] is True
