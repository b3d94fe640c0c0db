"""A review gives no solution away while its tests do not pass."""

import asyncio
from dataclasses import replace

import pytest
from open_kit import open_exercise

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.session import Answer, Finding, Place, Review
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.reviewing import leaks
from tutor_lsp.tutor.reviewing.leaks import open_units, without_leaks

SOLUTION = "Write `return list(zip(stops, stops[1:]))` there."
ANSWER = Answer(Place("src/a.py", 1, 1, "x"), (), "f()", "1")
HONEST = "The last stop has nothing behind it, so it begins no leg."


@pytest.fixture
def opened(tmp_path):
    return open_exercise(tmp_path / "work" / "one", "python", "python-loops-bike-tour")


def report(opened, *missing):
    tests = tuple(
        TestResult(
            name, unit.id, unit.stub,
            TestOutcome.FAILED if unit.id in missing else TestOutcome.PASSED,
        )
        for unit in opened.exercise.units
        for name in unit.tests
    )  # fmt: skip
    return TestReport("r", RunOutcome.FAILED if missing else RunOutcome.PASSED, tests)


def finding(claim):
    return Finding("src/exercise/tour.py", 1, 1, '"""Bike tour', claim, "the test says so")


async def test_what_gives_an_open_stub_away_is_left_out(tmp_path, opened):
    place = Place("src/exercise/tour.py", 1, 1, '"""Bike tour')
    given = Review(
        "FAIL",
        40,
        SOLUTION,
        (finding(HONEST), finding(SOLUTION)),
        improvement=SOLUTION,
        improvement_at=place,
    )
    texts = dict(opened.vault.originals)
    red = report(opened, "ex-1")
    shown, dropped = await without_leaks(given, red, opened, texts, ShadowCopies(tmp_path / "home"))
    assert shown.findings == (finding(HONEST),)
    assert (shown.improvement, shown.improvement_at) == (None, None)
    assert shown.summary == "Not yet: 14 of 16 tests pass."
    assert [each.what for each in dropped] == ["summary", "improvement", "finding"]
    for text in (SOLUTION, "zip(stops, stops[1:])"):
        assert text not in str(dropped)


async def test_what_passes_may_be_talked_about(tmp_path, opened):
    given = Review("PASS", 90, SOLUTION, (finding(SOLUTION),), improvement=SOLUTION)
    texts = dict(opened.vault.originals)
    trials = ShadowCopies(tmp_path / "home")
    for run in (report(opened), report(opened, "ex-2")):
        assert await without_leaks(given, run, opened, texts, trials) == (given, ())
    honest = replace(given, summary=HONEST, findings=(finding(HONEST),), improvement=HONEST)
    red = report(opened, "ex-1")
    assert await without_leaks(honest, red, opened, texts, trials) == (honest, ())


def test_without_results_every_unit_is_open(opened):
    broken = TestReport("r", RunOutcome.BUILD_ERROR)
    assert open_units(opened.exercise.units, broken) == opened.exercise.units
    assert [unit.id for unit in open_units(opened.exercise.units, report(opened, "ex-3"))] == [
        "ex-3"
    ]


SPLIT = [
    "Begin with `result = []`.",
    "Go over them with `for number, line in enumerate(lines, start=1):`.",
    'In it comes `result.append(f"{number}. {line}")`.',
    "At the end there is `return result`.",
]


async def test_a_solution_that_is_split_over_findings_is_left_out(tmp_path, opened):
    given = Review("FAIL", 40, HONEST, tuple(finding(said) for said in SPLIT))
    red = report(opened, "ex-2")
    texts = dict(opened.vault.originals)
    shown, dropped = await without_leaks(given, red, opened, texts, ShadowCopies(tmp_path / "home"))
    assert (shown.summary, shown.findings) == (HONEST, ())
    assert dropped[-1].what == "review"


DRESSED = [
    "```python\nreturn list(zip(stops, stops[1:]))\n```",
    "Try **this**: `return list( zip( stops, stops[ 1 : ] ) )`",
    "def legs(stops):\n    pairs = zip(stops, stops[1:])\n    return list(pairs)",
    "Here is all of it:\n\n    return [(a, b) for a, b in zip(stops, stops[1:])]",
]
FIELDS = ["summary", "improvement", "question", "finding"]


@pytest.mark.first(2)
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("said", DRESSED)
async def test_however_it_is_dressed_and_wherever_it_stands_it_is_left_out(
    tmp_path, opened, said, field
):
    given = Review("FAIL", 40, HONEST, (finding(HONEST),), improvement=HONEST, question=HONEST)
    change = {"findings": (finding(said),)} if field == "finding" else {field: said}
    red = report(opened, "ex-1")
    texts = dict(opened.vault.originals)
    shown, dropped = await without_leaks(
        replace(given, **change), red, opened, texts, ShadowCopies(tmp_path / "home")
    )
    assert [each.what for each in dropped] == [field]
    assert "zip" not in str(shown)
    kept = "summary" if field != "summary" else "improvement"
    assert getattr(shown, kept) == HONEST


async def test_what_there_was_no_time_to_look_at_is_left_out(tmp_path, opened, monkeypatch):
    async def slow(trials, opened, unit, level, text, *_):
        await asyncio.sleep(0 if text == HONEST else 3600)

    monkeypatch.setattr(leaks, "leak", slow)
    monkeypatch.setattr(leaks, "LIMIT_S", 0.05)
    given = Review("FAIL", 40, HONEST, (finding("A claim."),), "Never looked at.", "Nor this.")
    shown, dropped = await without_leaks(
        given, report(opened, "ex-1"), opened, {}, ShadowCopies(tmp_path / "home")
    )
    assert (shown.summary, shown.improvement, shown.question) == (HONEST, None, None)
    assert shown.findings == ()
    assert [each.what for each in dropped] == ["review"]


async def test_what_could_not_be_looked_at_together_is_not_shown_together(
    tmp_path, opened, monkeypatch
):
    async def slow(trials, opened, unit, level, text, *_):
        await asyncio.sleep(0 if text == HONEST else 3600)

    monkeypatch.setattr(leaks, "leak", slow)
    monkeypatch.setattr(leaks, "LIMIT_S", 0.05)
    given = Review("FAIL", 40, HONEST, (), HONEST, HONEST, answer=ANSWER)
    shown, dropped = await without_leaks(
        given, report(opened, "ex-1"), opened, {}, ShadowCopies(tmp_path / "home")
    )
    assert shown == Review("FAIL", 40, HONEST, ())
    assert [each.what for each in dropped] == ["review"]
