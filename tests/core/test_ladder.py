"""L1 → L2 → L3 per unit and failing test, and when a solution is free."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample import EXERCISE, judged_reports, report

from tutor_lsp.core.exercise.report import BuildError, RunOutcome, TestOutcome, TestReport
from tutor_lsp.core.learner.ladder import (
    HintStep,
    hint_test,
    is_stuck,
    ladder_of,
    next_hint,
    reveal_refusal,
    reveal_rule,
)
from tutor_lsp.core.session import Hint, UnitProgress

UNIT = EXERCISE.units[0]


def hint(level, unit="ex-1", test="t", text="a"):
    return Hint(unit, test, level, f"L{level}", None, False, "", text)


def test_the_third_call_gives_the_last_level_and_the_fourth_shows_it_again():
    given_hints = []
    for level in (1, 2, 3):
        step = next_hint(given_hints, "ex-1", "t", f"text {level}")
        assert (step.level, step.stored) == (level, None)
        given_hints.append(hint(level, text=f"text {level}"))
    again = next_hint(given_hints, "ex-1", "t", "text 3")
    assert again == HintStep(3, stored=given_hints[-1], moved_on=False)
    assert next_hint(given_hints, "ex-1", "t", "text 4").moved_on


def test_a_question_at_the_last_level_is_a_new_call():
    asked = next_hint([hint(1), hint(2), hint(3)], "ex-1", "t", "b", question=True)
    assert asked == HintStep(3)
    assert next_hint([hint(1)], "ex-1", "t", "b", question=True).level == 2


def test_an_answer_is_not_shown_again_in_place_of_the_last_hint():
    answer = replace(hint(3), text="an answer", question="Why?")
    assert next_hint([hint(3), answer], "ex-1", "t", "a").stored == hint(3)
    assert next_hint([answer], "ex-1", "t", "a") == HintStep(3)


def test_a_new_failure_and_another_unit_start_at_the_first_level():
    given_hints = [hint(1), hint(2), hint(3)]
    assert next_hint(given_hints, "ex-1", "other", "a") == HintStep(1)
    assert next_hint(given_hints, "ex-2", "t", "a") == HintStep(1)


def test_it_is_said_when_nothing_changed_since_the_second_hint():
    given_hints = [hint(1), hint(2, text="a")]
    assert next_hint(given_hints, "ex-1", "t", "a") == HintStep(3, unchanged_since_l2=True)
    assert next_hint(given_hints, "ex-1", "t", "b") == HintStep(3)
    assert next_hint([hint(1, text="a")], "ex-1", "t", "a") == HintStep(2)


def broken(message="'(' was never closed", line=3):
    error = BuildError("src/a.py", line, 1, line, 2, None, message)
    return TestReport("r", RunOutcome.BUILD_ERROR, build_errors=(error,))


def test_hints_on_what_does_not_build_leave_those_of_the_test():
    on = ladder_of("t", broken(), None)
    assert on != "t"
    assert ladder_of("t", broken(line=9), None) == on
    assert ladder_of("t", broken("invalid syntax"), None) != on
    assert ladder_of("t", report(), None) == ladder_of("t", None, UnitProgress()) == "t"
    given_hints = [hint(1, test=on), hint(2, test=on), hint(3, test=on)]
    assert next_hint(given_hints, "ex-1", "t", "a") == HintStep(1)
    again = next_hint(given_hints, "ex-1", on, "a")
    assert again.stored == given_hints[-1]
    # The place may be another one: what was said of the text before need not hold.
    assert next_hint(given_hints, "ex-1", on, "b") == HintStep(3)


calls = st.lists(
    st.tuples(
        st.sampled_from(["ex-1", "ex-2"]),
        st.sampled_from(["", "t", "u"]),
        st.sampled_from("abc"),
        st.booleans(),
    ),
    max_size=20,
)


@given(calls)
def test_over_any_calls_the_level_is_the_number_of_the_call_up_to_three(asked):
    given_hints = []
    counts = {}
    for unit, test, text, question in asked:
        step = next_hint(given_hints, unit, test, text, question=question)
        before = counts.get((unit, test), 0)
        assert step.level == min(before + 1, 3)
        assert (step.stored is not None) == (before >= 3 and not question)
        if step.stored is not None:
            assert (step.stored.unit, step.stored.test, step.stored.level) == (unit, test, 3)
            continue
        given_hints.append(hint(step.level, unit, test, text))
        counts[unit, test] = before + 1


def test_a_hint_before_any_run_is_about_the_first_test():
    assert hint_test(UNIT, None, None) == "test_split_cuts"
    assert hint_test(UNIT, TestReport("r", RunOutcome.BUILD_ERROR), None) == "test_split_cuts"
    known = UnitProgress(first_failing="test_split_ignores_spaces")
    assert hint_test(UNIT, None, known) == "test_split_ignores_spaces"


def test_a_hint_is_about_the_first_test_that_does_not_pass():
    failing = report(test_split_ignores_spaces=TestOutcome.FAILED)
    assert hint_test(UNIT, failing, None) == "test_split_ignores_spaces"
    assert hint_test(UNIT, report(), UnitProgress(first_failing="x")) == ""


@given(judged_reports)
def test_the_test_of_a_hint_is_one_of_the_unit_that_does_not_pass(found):
    for unit in EXERCISE.units:
        name = hint_test(unit, found, None)
        passing = {t.name for t in found.tests if t.outcome is TestOutcome.PASSED}
        if name:
            assert name in unit.tests
            before = unit.tests[: unit.tests.index(name)]
            assert name not in passing
            assert set(before) <= passing
        else:
            assert set(unit.tests) <= passing


@pytest.mark.parametrize(
    ("tries", "confirm", "allowed", "free", "left"),
    [
        (0, False, False, False, 4),
        (3, False, False, False, 1),
        (4, False, True, True, 0),
        (9, True, True, True, 0),
        (1, True, True, False, 3),
    ],
)
def test_a_solution_is_free_after_four_changed_runs_or_confirmed(
    tries, confirm, allowed, free, left
):
    progress = UnitProgress(failing_texts=tuple(map(str, range(tries))))
    rule = reveal_rule(progress, confirm=confirm)
    assert (rule.allowed, rule.free, rule.runs_left) == (allowed, free, left)


def test_a_refusal_says_both_ways():
    said = reveal_refusal(reveal_rule(None), "split")
    assert "4 more runs with changed code" in said
    assert "confirm" in said
    one = reveal_refusal(reveal_rule(UnitProgress(failing_texts=("a", "b", "c"))), "split")
    assert "one more run " in one


def test_five_changed_runs_with_one_failure_are_stuck():
    assert not is_stuck(None)
    assert not is_stuck(UnitProgress(stuck_runs=4))
    assert is_stuck(UnitProgress(stuck_runs=5))
