"""Questions about a unit: what is sure needs no model, and a model knows what was said so far."""

import json
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hint_session import pack, session
from learner_kit import learner

from tutor_lsp.core.session import Hint
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.stages import evidence
from tutor_lsp.tutor.hinting.asked import asks_why

KNOWN = {
    "python": (
        "python-strings",
        "You take the spaces off the left end and leave those on the right.",
        "def clean(title: str) -> str:\n    return title.lstrip().lower()\n",
    ),
    "rust": (
        "rust-functions",
        "You divide the bill by 100 before you multiply",
        "pub fn tip(bill: u32, percent: u32) -> u32 {\n    bill / 100 * percent\n}\n",
    ),
    "c": (
        "c-functions",
        "You add first and multiply then, so the seconds count sixty times as well.",
        "unsigned to_seconds(unsigned minutes, unsigned seconds)\n"
        "{\n    return (minutes + seconds) * SECONDS_PER_MINUTE;\n}\n",
    ),
}
WHY = [
    "I see 166, why is it wrong?", "Why does my test fail?", "what's wrong here",
    "Whats my mistake", "Why doesn't it work?", "Why does the second test not pass?",
    "Warum ist das falsch?", "Wieso klappt das nicht?", "Was ist mein Fehler?",
    "Pourquoi est-ce faux ?", "Pourquoi le test échoue-t-il ?", "Où est mon erreur ?",
    "¿Por qué está mal?", "¿Por qué falla la prueba?", "¿Dónde está el error?",
    "为什么错了？", "为什么测试不通过？", "哪里不对？",
]  # fmt: skip
OTHER = [
    "Why does `strip` return a new text?", "Is there a method for that?", "What is a slice?",
    "Warum gibt es zwei Methoden?", "Pourquoi deux méthodes ?", "¿Qué es un método?",
    "What should it return if the input is incorrect?", "Why should a test fail first?",
    "¿Qué devuelvo en caso de error?", "Wo behandle ich Fehler?", "Wollte ich Fehler?",
    "Qu'est-ce qu'une erreur de type ?", "Warum funktioniert sum() auch mit Floats?",
    "什么是方法？", "It is wrong.", "", "How do I fail a test on purpose?",
    "Why is it wrong? " + "I have read the lesson and tried it with other values. " * 4,
]  # fmt: skip


@pytest.mark.parametrize("question", WHY)
def test_what_asks_for_the_reason(question):
    assert asks_why(question)


@pytest.mark.parametrize("question", OTHER)
def test_what_asks_for_something_else(question):
    assert not asks_why(question)


@asynccontextmanager
async def asking(tmp_path, monkeypatch, language, *lines, backend="scripted"):
    """A function that asks about a known mistake, the exercise, and the prompts so far."""
    script = tmp_path / "script.jsonl"
    script.write_text("\n".join(map(json.dumps, lines)))
    monkeypatch.setenv("TUTOR_LSP_SCRIPT", str(script))
    node, _, code = KNOWN[language]
    async with learner(tmp_path / "home", backend=backend) as me:
        ready = await me.start(language=language, node=node, backend="library")
        unit, root = ready["units"][0], Path(ready["workspace"])
        opened = me.app.exercises.open_at(root)
        text = (root / unit["file"]).read_text()
        site = site_of(opened.toolchain, text, unit["stub"])
        changed = text[: site.start] + code.rstrip("\n") + text[site.end :]
        (root / unit["file"]).write_text(changed)
        await me.do("check")

        async def ask(question):
            return await me.do("ask", unit="ex-1", question=question)

        def prompts():
            asked = me.app.services.backends.get("scripted").requests
            return [each.prompt.text for each in asked]

        yield ask, opened, prompts


@pytest.mark.sample("python", "c")
@pytest.mark.parametrize(
    "language",
    [pytest.param(each, marks=pytest.mark.cargo if each == "rust" else ()) for each in KNOWN],
)
async def test_why_it_is_wrong_is_told_without_a_model_where_that_is_sure(
    tmp_path, monkeypatch, language
):
    said = KNOWN[language][1]
    async with asking(tmp_path, monkeypatch, language) as (ask, opened, prompts):
        answer = await ask("I see 166, why is it wrong?")
        assert (answer["answered"], answer["reason"]) == (True, None)
        assert said in answer["text"]
        assert (answer["source"], answer["level"], answer["tried"]) == ("author", 1, True)
        assert answer["mistake"]["sure"]
        assert prompts() == []
        assert said in (Path(opened.root) / ".tutor/coach.md").read_text()
        assert opened.session.hints[-1].question == "I see 166, why is it wrong?"
        assert opened.session.hint_level_used == 1, "no more than the first hint says"


async def test_nobody_needs_a_model_for_that(tmp_path, monkeypatch):
    async with asking(tmp_path, monkeypatch, "python", backend="library") as (ask, *_):
        answer = await ask("Warum ist das falsch?")
        assert answer["answered"]
        assert KNOWN["python"][1] in answer["text"]
        other = await ask("What is a method?")
        assert (other["answered"], other["reason"]) == (False, "NO_MODEL")
        assert KNOWN["python"][1] in other["text"]


async def test_whoever_asks_again_wants_more_and_the_model_knows_what_was_said(
    tmp_path, monkeypatch
):
    text = "Which end of the title does `lstrip` look at?"
    async with asking(tmp_path, monkeypatch, "python", pack(level=2, text=text)) as it:
        ask, opened, prompts = it
        await ask("Why is it wrong?")
        again = await ask("But why is it wrong at the end?")
        assert again["text"] == text
        (prompt,) = prompts()
        talk = prompt.partition("# What they asked so far, and the answers")[2]
        assert '"asked":"Why is it wrong?"' in talk
        assert KNOWN["python"][1] in talk.partition("# The learner asks")[0]
        assert "But why is it wrong at the end?" in talk
        questions = [hint.question for hint in opened.session.hints]
        assert questions == ["Why is it wrong?", "But why is it wrong at the end?"]


async def test_a_question_for_the_reason_is_answered_by_the_run_where_a_model_fails(
    tmp_path, monkeypatch
):
    useless = pack(text="The test is wrong: delete it.")
    async with session(tmp_path, monkeypatch, useless, useless) as it:
        await it.begin("return title.replace('a', 'b')")
        answer = await it.hint(question="I see 166, why is it wrong?")
        assert (answer["answered"], answer["reason"]) == (True, None)
        assert it.unit["tests"][0] in answer["text"]
        assert "delete" not in answer["text"]


def test_a_packet_has_the_last_exchanges_of_the_unit_alone():
    blank = Hint("ex-1", "t", 1, "", None, False, "", "h")
    asked = [replace(blank, question=f"{n}?" * 500, text="answer " * 500) for n in range(5)]
    other = replace(blank, unit="ex-2", question="?", text="other")
    hint = replace(blank, text="a hint")
    found = evidence.exchanges([*asked, other, hint], "ex-1")
    assert [each["asked"][0] for each in found] == ["2", "3", "4"]
    most = evidence.ASKED_BYTES + evidence.ANSWERED_BYTES
    assert all(len("".join(each.values()).encode()) <= most for each in found)
    told = evidence.earlier_hints([*asked, other, hint], "ex-1")
    assert [each["text"] for each in told] == ["a hint"]
