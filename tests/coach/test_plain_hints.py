"""Hints without a model: of broken solutions in three languages, each in the form that fits."""

import os
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from open_kit import LIBRARY, open_exercise, reference, with_body

from tutor_lsp.core.exercise.judge import judge, plain_name
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome
from tutor_lsp.core.exercise.units import update_progress
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.core.text.plain_text import plain_words, with_code
from tutor_lsp.stages.plain_hint import WORDS, _fitted, plain_hint, prose_of
from tutor_lsp.stages.tutoring import TutoringContext, coach_request

BROKEN = tomllib.loads((Path(__file__).parent / "broken.toml").read_text("utf-8"))["broken"]
OWN = "Read the sum again. " * 9 + "And let the function hand its answer back."
SAMPLE = {0, 2, 13, 23, 26, 35, 37, 42, 44}
LIMITS = RunLimits(total_s=60.0, test_s=1.0)


def cases():
    for number, broken in enumerate(BROKEN):
        if os.environ.get("TUTOR_HINTS") == "all" or number in SAMPLE:
            language = broken["on"].split("-")[0]
            marks = [pytest.mark.cargo] if language == "rust" else []
            yield pytest.param(broken, id=f"{number}-{broken['on']}", marks=marks)


def test_the_set_is_large_enough():
    assert len(BROKEN) >= 40
    assert {broken["on"].split("-")[0] for broken in BROKEN} == {"python", "rust", "c"}
    assert {broken["form"] for broken in BROKEN} == {"value", "exception", "timeout", "build"}


async def run(broken, root):
    """The exercise with the broken solution in it after a run, as the session keeps it."""
    folder, unit_id = broken["on"].split()
    opened = open_exercise(root, folder.split("-")[0], folder)
    for unit in opened.exercise.units:
        if unit.id == unit_id:
            (root / unit.file).write_text(with_body(opened, unit.id, broken["body"].strip("\n")))
            break
        (root / unit.file).write_text(reference(opened, unit.id))
    raw = await opened.toolchain.run(root, limits=LIMITS)
    texts = opened.texts()
    stubs = opened.stubs(texts)
    report = judge(
        raw, opened.exercise, texts, stubs, explain=opened.toolchain.explain, run_id="r"
    )  # fmt: skip
    progress = update_progress({}, report, opened.exercise, stubs)
    opened.session = replace(
        opened.session, last_report=report, last_results=report, progress=progress
    )
    opened.ran_texts = texts
    return opened, raw, report


def hint(opened, unit, level):
    context = TutoringContext(
        opened.exercise, opened.vault, opened.texts(), opened.standing_report()
    )
    packet = coach_request(context, unit.id, level).packet
    return plain_hint(packet["tutoring"], opened.vault.hints[unit.id], opened.exercise.language)


def first_open(broken, raw):
    """The first test of the unit that did not pass, by the exercise's own list."""
    folder, unit_id = broken["on"].split()
    entry = next(e for e in LIBRARY.entries(folder.split("-")[0]) if e.folder == folder)
    names = next(unit.tests for unit in entry.units if unit.id == unit_id)
    passed = {plain_name(t.name) for t in raw.tests if t.outcome is TestOutcome.PASSED}
    return next(name for name in names if name not in passed)


@pytest.mark.first(4)
@pytest.mark.parametrize("broken", list(cases()))
async def test_a_broken_solution_gets_the_hint_that_fits(tmp_path, broken):
    opened, raw, report = await run(broken, tmp_path / "work" / "one")
    view = opened.view()
    error = view.build_error
    at = view.unit_at(error.file, error.line) if error else view.focus
    unit = (at or view.focus).unit
    assert unit.id == broken["on"].split()[1]
    test = first_open(broken, raw)
    texts = [hint(opened, unit, level)["text"] for level in (1, 2, 3)]
    for level, text in enumerate(texts, start=1):
        assert test in text
        own = prose_of(opened.vault.hints[unit.id][level - 1])
        if broken["form"] == "build" and level == 1:
            own = ""
        assert own in text
        assert len(text.split()) - len(own.split()) <= WORDS[level], text
    text = texts[0]
    failure = next((t for t in report.tests if t.name == test), None)
    assert (report.outcome is RunOutcome.BUILD_ERROR) == (broken["form"] == "build")
    if broken["form"] == "build":
        assert "does not build" in text
        assert unit.file in text
    elif broken["form"] == "value":
        assert failure.expected is not None
        for value in (failure.expected, failure.actual):
            assert value[:40] in plain_words(text)
    elif broken["form"] == "timeout":
        assert "did not finish" in text
    assert broken.get("says", "") in " ".join(texts), texts


@pytest.mark.parametrize(
    ("told", "begins"), [("", "You skip one. "), ("You skip one.", "`test_f`")]
)
def test_what_the_code_does_is_said_once_even_if_it_was_not_known_at_first(told, begins):
    failure = {
        "unit_id": "ex-1", "test": "test_f", "outcome": "failed", "expected": "2", "actual": "1",
        "message": "`f(1)` gave 1, expected 2",
    }  # fmt: skip
    unit = {"unit_id": "ex-1", "stub": "f", "test_names": ["test_f"], "contract": ""}
    tutoring = {
        "hint_level": 2, "unit": unit, "files": [],
        "run": {"passed": False, "build_errors": [], "failures": [failure]},
        "earlier_hints": [{"level": 1, "text": told}],
        "diagnoses": [{"unit_id": "ex-1", "says": "You skip one.", "hint": ""}],
    }  # fmt: skip
    text = plain_hint(tutoring, ["First.", "Second.", "Third."], "python")["text"]
    assert text.startswith(begins)


FACT = "`test_f` expects 2, your code gives 1."


def hint_on(level, **more):
    failure = {
        "unit_id": "ex-1", "test": "test_f", "outcome": "failed", "expected": "2", "actual": "1",
        "message": "`f(1)` gave 1, expected 2",
    }  # fmt: skip
    unit = {"unit_id": "ex-1", "stub": "f", "test_names": ["test_f"], "contract": ""}
    run = {"passed": False, "build_errors": [], "failures": [failure]}
    tutoring = {"hint_level": level, "unit": unit, "files": [], "run": run, **more}
    return plain_hint(tutoring, ["First.", "Second.", "Third."], "python")["text"]


def test_a_place_leads_the_first_hint_and_leaves_the_author_s_words():
    place = {"unit_id": "ex-1", "says": "Look at line 3.", "hint": None, "sure": False}
    assert hint_on(1, diagnoses=[place]) == f"Look at line 3. {FACT} First."
    again = [{"level": 1, "text": "Look at line 3."}]
    assert "Look at" not in hint_on(2, diagnoses=[place], earlier_hints=again)


def test_a_shorter_call_is_told_once_behind_the_fact():
    shorter = "`f(0)` gave 1, expected 2"
    said = f"A shorter call shows it, too: {shorter}."
    assert hint_on(1, shorter=shorter) == f"{FACT} {said} First."
    assert said not in hint_on(2, shorter=shorter, earlier_hints=[{"level": 1, "text": said}])


@pytest.mark.parametrize("level", [1, 2, 3])
def test_two_long_values_are_told_apart_and_no_value_ends_in_its_middle(level):
    same = "1 of 2 legs without charging\\n1. Bonn to Köln: 30 km, 12 km left\\n2. "
    wanted, gave = f"'{same}Köln to Neuss: 4 km left'", f"'{same}Köln to Neuss: 9 km left'"
    failure = {
        "unit_id": "ex-1", "test": "test_plan", "outcome": "failed", "expected": wanted,
        "actual": gave, "message": f"`plan([30, 8], 42)` gave {gave}, expected {wanted}",
    }  # fmt: skip
    unit = {"unit_id": "ex-1", "stub": "plan", "test_names": ["test_plan"], "contract": ""}
    run = {"passed": False, "build_errors": [], "failures": [failure]}
    tutoring = {"hint_level": level, "unit": unit, "run": run, "files": []}
    text = plain_hint(tutoring, ["First.", "Second.", "Third."], "python")["text"]
    assert "4 km left" in text
    assert "9 km left" in text
    assert text.endswith(("First.", "Second.", "Third."))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_what_a_run_says_stays_text_in_the_markdown_of_a_hint(level):
    actual = "'a`b_c*d* <img src=x> [x](y)'"
    failure = {
        "unit_id": "ex-1", "test": "test_a", "outcome": "failed", "expected": "166",
        "actual": actual, "message": f"`f(1)` gave {actual}, expected 166",
    }  # fmt: skip
    tutoring = {
        "hint_level": level,
        "unit": {"unit_id": "ex-1", "test_names": ["test_a"]},
        "run": {"passed": [], "failures": [failure], "build_errors": []},
    }
    text = plain_hint(tutoring, ["Replace the `raise` line."] * 3, "python")["text"]
    assert actual in plain_words(text)
    assert plain_words(text).endswith("Replace the `raise` line.")
    shown = MarkdownIt().render(text)
    assert "<code>raise</code>" in shown
    assert "<img" not in shown
    assert "<a " not in shown
    assert "<em>" not in shown


def test_a_hint_that_has_to_be_cut_does_not_end_in_a_colon():
    long = "Three things happen to it: " + "one thing and " * 20 + "another one. Which is first?"
    assert _fitted(["It gave 3.", long], WORDS[1]) == "It gave 3."


def test_the_author_s_words_stand_whole_after_long_facts():
    value = "[" + ", ".join(map(str, range(39))) + "]"
    failure = {
        "unit_id": "ex-1", "test": "test_a", "outcome": "failed", "expected": "1",
        "actual": value, "message": f"`f(1)` gave {value}, expected 1",
    }  # fmt: skip
    tutoring = {
        "hint_level": 1,
        "unit": {"unit_id": "ex-1", "test_names": ["test_a"]},
        "run": {"passed": [], "failures": [failure], "build_errors": []},
        "authored_hints": [{"level": 1, "text": OWN}],
    }
    text = plain_hint(tutoring, [OWN], "python")["text"]
    assert text.endswith(OWN)
    assert "0, 1, 2" in text


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("`f(1)` gave 'a  b', expected 'a b'", "`test_a` expects 'a b', your code gives 'a  b'."),
        (
            "after `numbered(lines)`, `lines` is 'a  b', expected 'a b'",
            "after `numbered(lines)`, `lines` is 'a  b', expected 'a b'.",
        ),
    ],
)
def test_a_first_hint_says_what_was_looked_at_and_keeps_blanks(message, said):
    failure = {
        "unit_id": "ex-1", "test": "test_a", "outcome": "failed", "expected": "'a b'",
        "actual": "'a  b'", "message": message,
    }  # fmt: skip
    tutoring = {
        "hint_level": 1,
        "unit": {"unit_id": "ex-1", "test_names": ["test_a"]},
        "run": {"passed": [], "failures": [failure], "build_errors": []},
    }
    assert said in plain_hint(tutoring, ["Look."], "python")["text"]


def test_code_follows_the_words_that_announce_it_where_nothing_is_written_yet():
    failure = {
        "unit_id": "ex-1", "test": "test_a", "outcome": "todo", "expected": None, "actual": None,
        "message": "not written yet",
    }  # fmt: skip
    tutoring = {
        "hint_level": 2,
        "unit": {"unit_id": "ex-1", "kind": None, "test_names": ["test_a"]},
        "run": {"passed": [], "failures": [failure], "build_errors": []},
    }
    authored = "The same step with weeks:\n\n```python\nreturn weeks * 7\n```"
    found = plain_hint(tutoring, ["", authored], "python")
    shown = with_code(found["text"], found["code"], "python").split("\n\n")
    assert shown == [
        "The same step with weeks:",
        "```python\nreturn weeks * 7\n```",
        "`test_a` is the first test of it.",
    ]


def test_the_two_verdicts_on_tests_of_ones_own_are_not_named_before_there_is_one():
    unit = {"unit_id": "ex-1", "test_names": ["test_span_accepts_right_programs"], "kind": "test"}
    tutoring = {
        "hint_level": 1,
        "unit": unit,
        "run": {"passed": [], "failures": [], "build_errors": []},
    }
    assert plain_hint(tutoring, ["Try an empty list."], "python")["text"] == "Try an empty list."
