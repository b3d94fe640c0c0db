"""PASS or not yet, whatever a reviewer says."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample import judged_reports, report

from tutor_lsp.core.exercise.report import BuildError, RunOutcome, TestOutcome, TestReport
from tutor_lsp.core.exercise.verdict import (
    FAIL,
    PASS,
    case_sentence,
    is_green,
    sentence,
    settle,
)
from tutor_lsp.core.session import CounterExample, Finding, Review

GREEN = report(RunOutcome.PASSED)
RED = report(test_count_counts=TestOutcome.FAILED)
reviews = st.builds(
    Review,
    verdict=st.sampled_from([PASS, FAIL]),
    score=st.integers(-20, 130),
    summary=st.just(""),
    findings=st.just(()) | st.just((Finding("f", 1, 1, "q", "a claim", ""),)),
    improvement=st.none() | st.just("do less"),
)
runs = judged_reports | st.just(GREEN)


def test_green_needs_tests_and_all_of_them():
    assert is_green(GREEN)
    assert not is_green(RED)
    assert not is_green(replace(GREEN, tests=()))
    assert not is_green(replace(GREEN, outcome=RunOutcome.TIMEOUT))


def test_a_green_run_passes_and_style_becomes_the_improvement():
    harsh = Review(FAIL, 30, "", findings=(Finding("f", 1, 1, "q", "a claim", ""),))
    settled = settle(harsh, GREEN)
    assert (settled.verdict, settled.score, settled.improvement) == (PASS, 70, "a claim")
    named = settle(replace(harsh, improvement="do less"), GREEN)
    assert named.improvement == "do less"


EXAMPLE = CounterExample("ex-1", ("x = 'a'",), "count(x)", "1", "0")


def test_an_executed_counter_example_holds_against_a_green_run_and_is_told_with_both_values():
    settled = settle(Review(PASS, 95, "All is well."), GREEN, EXAMPLE)
    assert (settled.verdict, settled.score, settled.counter_example) == (FAIL, 89, EXAMPLE)
    assert settled.summary == (
        "All 4 tests pass. One case is still open: after `x = 'a'`, `count(x)` gave 0, expected 1."
    )
    stopped = replace(EXAMPLE, setup=(), gave="`count(x)` raised ValueError: x")
    assert case_sentence(stopped) == "`count(x)` raised ValueError: x; expected 1."


def test_a_summary_does_not_contradict_the_verdict():
    assert settle(Review(FAIL, 30, "count('') is wrong."), GREEN).summary == "All 4 tests pass."
    told = settle(Review(PASS, 100, "PASS 100, well done!"), RED).summary
    assert told == "Not yet: 3 of 4 tests pass."


def test_a_failing_run_never_passes():
    settled = settle(Review(PASS, 100, ""), RED)
    assert (settled.verdict, settled.score) == (FAIL, 89)


@given(reviews, runs, st.none() | st.just(EXAMPLE))
def test_whatever_is_said_the_rules_hold(review, run, counter_example):
    settled = settle(review, run, counter_example)
    green = is_green(run)
    assert (settled.verdict == PASS) == (green and counter_example is None)
    assert 70 <= settled.score <= 100 if settled.verdict == PASS else 0 <= settled.score <= 89
    assert settle(settled, run, counter_example) == settled


def of(passed, total, outcome=RunOutcome.FAILED):
    test = GREEN.tests[0]
    rest = replace(test, outcome=TestOutcome.FAILED)
    return TestReport("r", outcome, (test,) * passed + (rest,) * (total - passed))


@pytest.mark.parametrize(
    ("now", "before", "said"),
    [
        (of(9, 12), of(7, 12), "Not yet: 9 of 12 tests pass, 2 more than last time."),
        (of(9, 12), of(10, 12), "Not yet: 9 of 12 tests pass, 1 fewer than last time."),
        (of(9, 12), of(9, 12), "Not yet: 9 of 12 tests pass, as many as last time."),
        (of(9, 12), None, "Not yet: 9 of 12 tests pass."),
        (of(9, 12), of(0, 0), "Not yet: 9 of 12 tests pass."),
        (of(0, 1), None, "Not yet: 0 of 1 test passes."),
        (of(12, 12, RunOutcome.PASSED), of(9, 12), "All 12 tests pass."),
        (of(1, 1, RunOutcome.PASSED), None, "The test passes."),
        (TestReport("r", RunOutcome.CANCELLED), None, "Stopped: nothing was counted."),
        (
            TestReport("r", RunOutcome.NOT_RUN, reason="cargo is missing."),
            None,
            "The tests were not run: cargo is missing.",
        ),
        (
            TestReport(
                "r",
                RunOutcome.BUILD_ERROR,
                build_errors=(BuildError("src/lib.rs", 7, 1, 7, 2, None, "x"),),
            ),
            of(9, 12),
            "Not yet: the code does not build, see src/lib.rs line 7.",
        ),
    ],
)
def test_what_people_read(now, before, said):
    assert sentence(now, before) == said


@given(runs, runs, st.sampled_from(RunOutcome))
def test_people_never_read_of_failing(now, before, outcome):
    assert "fail" not in sentence(replace(now, outcome=outcome), before).lower()
