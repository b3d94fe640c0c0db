"""Hints without a model: of broken solutions in three languages, each in the form that fits."""

import os
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from open_kit import LIBRARY, TOOLCHAINS, open_exercise, reference, with_body

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.judge import judge, plain_name
from tutor_lsp.core.exercise.report import BuildError, RunOutcome, TestOutcome, TestReport
from tutor_lsp.core.exercise.units import update_progress
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.core.text.plain_text import plain_words, with_code
from tutor_lsp.stages import explained
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


@pytest.mark.parametrize("language", list(TOOLCHAINS))
def test_meanings_are_short_and_plain(language):
    kinds = ("error", "run", "warning")
    entries = [entry for kind in kinds for entry in explained._entries(language, kind)]
    assert len(entries) >= 25
    for entry in entries:
        assert len(entry.meaning.means.split()) <= 20, entry
        assert len(entry.meaning.mend.split()) <= 25, entry
        assert "```" not in entry.meaning.means + entry.meaning.mend


COMMON = (
    "E0004 E0023 E0026 E0027 E0040 E0046 E0053 E0061 E0063 E0106 E0107 E0277 E0282 E0283 E0308 "
    "E0369 E0373 E0381 E0382 E0384 E0412 E0423 E0425 E0432 E0433 E0499 E0502 E0505 E0506 E0507 "
    "E0515 E0594 E0596 E0597 E0599 E0614 E0616 E0716"
)


def test_the_common_codes_of_rust_are_explained():
    assert set(COMMON.split()) <= explained.codes("rust")


@pytest.mark.parametrize(
    ("language", "message", "said"),
    [
        ("python", "invalid syntax", "cannot read"),
        ("python", "expected ':'", "colon"),
        ("python", "'(' was never closed", "never closed"),
        ("python", "(unicode error) 'utf-8' codec can't decode byte 0xe9", "saved as UTF-8"),
        ("rust", "stream did not contain valid UTF-8", "saved as UTF-8"),
        ("python", "unterminated string literal (detected at line 3)", "quotation mark"),
        ("c", "expected `;` before `}` token", "semicolon"),
        ("c", "`x` undeclared (first use in this function)", "not declared"),
        ("c", "use of undeclared identifier `x`", "not declared"),
        ("c", "implicit declaration of function `f`", "does not know yet"),
        ("c", "call to undeclared function `f`", "does not know yet"),
        ("c", "initialization of `int` from `char *` makes integer from pointer", "address"),
        ("rust", "this file contains an unclosed delimiter", "never closed"),
        ("rust", "something nobody has ever said", None),
    ],
)
def test_messages_of_several_compilers_are_known(language, message, said):
    found = explained.of_build_error(language, None, message)
    assert (found is None) == (said is None)
    assert found is None or said in found.means


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


@pytest.mark.parametrize(("level", "advised"), [(2, False), (3, True)])
def test_advice_of_a_compiler_is_left_out_where_it_does_not_fit_rather_than_cut(level, advised):
    said = "binary operation `==` cannot be applied to type `&Light`"
    advice = "consider annotating `Light` with `#[derive(PartialEq)]`"
    tutoring = {
        "hint_level": level,
        "unit": {"unit_id": "ex-1", "stub": "Light", "test_names": ["test_a"], "kind": "repair"},
        "files": [{"file_path": "src/light.rs", "content": ""}],
        "run": {
            "passed": [],
            "failures": [],
            "build_errors": [f"src/light.rs:25:12: E0369: {said}; {advice}"],
        },
    }
    text = plain_hint(tutoring, ["A", "B", "C"], "rust")["text"].replace("`", "")
    assert "cannot be applied to type &Light" in text
    assert ("consider annotating" in text) == advised
    assert "…" not in text


def mend(opened, unit, code, source):
    """The second hint's advice on an error of that code on a line of the unit's."""
    texts = dict(opened.exercise.starter)
    texts[unit.file] = source
    error = BuildError(unit.file, 1, 1, 1, 2, *code)
    report = TestReport("r", RunOutcome.BUILD_ERROR, build_errors=(error,))
    site = opened.starter_site(unit)
    contract = f"{site.comment or ''}\n{site.signature}".strip()
    given = (opened.exercise, opened.vault, texts, report)
    context = TutoringContext(*given, contracts={unit.id: contract})
    packet = coach_request(context, unit.id, 2).packet
    return plain_hint(packet["tutoring"], ("", "", ""), opened.exercise.language)["text"]


RETURNED = re.compile(r"->.*(&|<')")
NO_COPY = {
    ("rust-borrowing-quiz-scoreboard", "leader"),
    ("rust-lifetimes-log-detective", "parse"),
    ("rust-ownership-undo-history", "open"),
    ("rust-ownership-undo-history", "edit"),
    ("rust-ownership-undo-history", "versions"),
    ("rust-slices-strings-chat-bot", "recent"),
}
"""Units whose contract or tests forbid a copy, by reading them."""


def test_no_advice_that_a_signature_a_contract_or_a_test_forbids(tmp_path):
    seen = set()
    for entry in LIBRARY.entries("rust"):
        opened = open_exercise(tmp_path / entry.folder, "rust", entry.folder)
        for unit in opened.exercise.units:
            site = opened.starter_site(unit)
            if unit.kind is not UnitKind.BODY or site is None:
                continue
            moved = mend(opened, unit, ("E0382", "use of moved value: `text`"), "x")
            returned = mend(opened, unit, ("E0515", "cannot return reference"), "x")
            out = mend(opened, unit, ("E0507", "cannot move out of `*x`"), "x")
            is_borrowed = bool(RETURNED.search(" ".join(site.signature.split())))
            assert ("value itself" in returned) != is_borrowed, (entry.folder, unit.stub)
            assert "Lend it there" in moved
            if "clone it" not in moved:
                seen.add((entry.folder, unit.stub))
                assert "clone" not in out
            if is_borrowed:
                assert "clone" not in out
    assert seen == NO_COPY


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("    return *at;", "Is the address itself meant"),
        ("    next = *at;", "Is the address itself meant"),
        ("    next = 3;", "is taken with `&`"),
    ],
)
def test_what_is_said_of_a_number_for_an_address_fits_the_line(tmp_path, source, says):
    opened = open_exercise(tmp_path / "one", "c", "c-pointers-robot-orders")
    unit = next(each for each in opened.exercise.units if each.stub == "skip_blanks")
    said = "returning `char` from a function with return type `const char *` makes pointer from int"
    text = mend(opened, unit, ("int-conversion", f"{said}eger without a cast"), source)
    assert says in text
    assert ("is taken with `&`" in text) == (says == "is taken with `&`")
