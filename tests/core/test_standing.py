"""How far an exercise is and which results are old, from texts and kept reports alone."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample import EXERCISE, FILE, functions, judged_reports, report, written

from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.exercise.report import BuildError, RunOutcome, TestOutcome, TestReport
from tutor_lsp.core.exercise.standing import (
    BEFORE,
    Early,
    Progress,
    Saved,
    progress_of,
    standing,
)
from tutor_lsp.core.exercise.units import Stubs, first_failing
from tutor_lsp.core.session import Session

TODO, FAILING, PASSING, STALE = UnitState
FAILED, NOT_RUN, AS_TODO = TestOutcome.FAILED, TestOutcome.NOT_RUN, TestOutcome.TODO
DONE = {
    "split": "return text.split()",
    "count": "return len(split(text))",
    "longest": "return max(text.split(), key=len)",
}
NOW, THEN = "hash of now", "hash of then"


def session(**kept):
    return Session(
        id="s", exercise_id="", node="", title="", language="python", depth="D1",
        workspace="", lesson="", created_at="", updated_at="", **kept,
    )  # fmt: skip


def saved(**bodies):
    return Saved(Stubs(EXERCISE, written(**bodies), functions), frozenset({NOW}))


def of(found, text_hash=NOW):
    return None if found is None else replace(found, text_hash=text_hash)


def stands(results=None, last=None, /, *, bodies=DONE, **more):
    """How it stands; the last run is that of the results unless another is given."""
    kept = session(last_results=results, last_report=last or results)
    return standing(EXERCISE, kept, saved(**bodies), **more)


def states(found):
    return [item.state for item in found.units]


def error(line):
    return BuildError(FILE, line, 1, line, 2, None, "unclear")


def broken(line, text_hash=NOW):
    return TestReport("r", RunOutcome.BUILD_ERROR, build_errors=(error(line),), text_hash=text_hash)


HALF = report(test_split_cuts=FAILED, test_longest_finds=AS_TODO)


def test_a_fresh_exercise_is_all_to_do():
    assert states(stands(bodies={})) == [TODO, TODO, TODO]


def test_what_was_written_and_never_run_is_neither_to_do_nor_judged():
    found = stands(bodies={"count": "return 1"})
    assert states(found) == [TODO, STALE, TODO]
    assert not found.old, "there is nothing that could be old"
    assert states(stands(bodies={"count": "return 1"}, pending=True)) == [TODO, TODO, TODO]


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        (HALF, [FAILING, PASSING, TODO]),
        (report(test_split_cuts=AS_TODO), [TODO, PASSING, PASSING]),
        (report(test_split_cuts=TestOutcome.TIMEOUT), [FAILING, PASSING, PASSING]),
        (report(test_split_cuts=NOT_RUN, test_longest_finds=NOT_RUN), [STALE, PASSING, STALE]),
    ],
)
def test_states_follow_the_tests(results, expected):
    found = stands(of(results))
    assert states(found) == expected
    assert not found.old


@pytest.mark.parametrize("results", [HALF, report()])
def test_results_of_an_older_version_without_a_hash_are_old(results):
    found = stands(of(results, ""))
    assert set(states(found)) == {STALE}
    assert found.old
    assert BEFORE in found.units_words
    assert not found.all_green


def test_build_errors_of_an_older_version_are_old():
    assert stands(None, broken(4, "")).errors_old


def test_tests_without_their_turn_leave_an_untouched_unit_to_do():
    assert states(stands(of(report(test_longest_finds=NOT_RUN)), bodies={}))[2] is TODO


def test_results_of_another_text_are_old_and_nothing_passes_now():
    found = stands(of(HALF, THEN))
    assert states(found) == [STALE, STALE, STALE]
    assert all(item.old for item in found.units)
    assert (found.units_passing, found.tests_passing) == (0, 0)
    assert found.units_words == f"1 of 3 {BEFORE}"
    assert found.tests_words == f"2 of 4 {BEFORE}"


def test_results_about_to_come_are_waited_for_and_old_where_they_do_not_come():
    assert states(stands(of(HALF, THEN), pending=True)) == [FAILING, PASSING, TODO]
    assert states(stands(of(HALF, THEN))) == [STALE, STALE, STALE]


def early_of(unit, results):
    return Early(tests=tuple(test for test in results.tests if test.unit == unit))


@pytest.mark.parametrize("pending", [False, True])
def test_results_of_a_run_under_way_count_for_their_unit_alone(pending):
    found = stands(of(HALF, THEN), pending=pending, early=early_of("ex-1", report()))
    others = [PASSING, TODO] if pending else [STALE, STALE]
    assert states(found) == [PASSING, *others]
    assert [item.old for item in found.units] == [False, not pending, not pending]


def test_what_has_results_builds():
    found = stands(of(HALF, THEN), broken(4, THEN), pending=True, early=early_of("ex-1", HALF))
    assert states(found) == [FAILING, PASSING, TODO]
    assert not found.errors


def test_the_first_results_of_all_may_be_early():
    assert states(stands(pending=True, early=early_of("ex-1", report())))[0] is PASSING


def test_what_was_put_back_to_the_stub_is_to_do_and_shows_no_old_result():
    found = stands(of(report(), THEN), bodies={"split": DONE["split"]})
    assert states(found) == [STALE, TODO, TODO]
    assert [len(item.results) for item in found.units] == [2, 0, 0]


@pytest.mark.parametrize("told", ["by the report", "by the parser", "by a run under way"])
@pytest.mark.parametrize(
    ("line", "expected"), [(3, [STALE, STALE, STALE]), (7, [FAILING, STALE, STALE])]
)
def test_a_build_error_makes_its_unit_failing_and_all_results_old(line, expected, told):
    before = of(HALF, THEN)
    if told == "by the parser":
        found = stands(before, syntax_error=error(line))
    elif told == "by a run under way":
        found = stands(before, pending=True, early=Early(errors=(error(line),)))
    else:
        found = stands(before, broken(line))
    assert states(found) == expected
    assert all(item.old for item in found.units)
    assert found.report.outcome is RunOutcome.BUILD_ERROR
    assert found.errors == (error(line),)
    assert not found.errors_old


def test_a_build_error_without_results_leaves_untouched_units_to_do():
    found = stands(None, broken(7), bodies={"split": "return ("})
    assert states(found) == [FAILING, TODO, TODO]


def test_a_build_error_of_another_text_is_old():
    found = stands(of(HALF, "older"), broken(7, THEN))
    assert found.errors_old
    assert found.errors
    assert states(found) == [STALE, STALE, STALE]


def test_a_text_that_is_back_has_its_results_back_and_no_error():
    found = stands(of(HALF), broken(7, THEN))
    assert (found.errors, states(found)) == ((), [FAILING, PASSING, TODO])


def test_why_nothing_ran_is_told_of_the_text_it_was_asked_for_alone():
    refused = TestReport("r", RunOutcome.NOT_RUN, reason="No tests.", text_hash=NOW)
    assert stands(None, refused).not_run == "No tests."
    assert stands(None, of(refused, THEN)).not_run is None


@pytest.mark.parametrize(
    ("kept", "begun", "expected"),
    [
        ({}, False, Progress.NOT_BEGUN),
        ({}, True, Progress.BEGUN),
        ({"passed": True}, False, Progress.PASSED),
        ({"passed": True, "hint_level_used": 3}, True, Progress.PASSED),
    ],
)
def test_a_pass_is_a_pass_whatever_help_was_taken(kept, begun, expected):
    assert progress_of(session(**kept), begun=begun) is expected


any_hash = st.sampled_from([NOW, THEN, "older"])
broken_reports = st.builds(broken, st.sampled_from([3, 7, 15, 23]), any_hash)


@given(
    results=st.none() | st.builds(of, judged_reports, any_hash),
    last=st.none() | broken_reports,
    bodies=st.sampled_from([{}, {"split": "return 1"}, DONE]),
    syntax_error=st.none() | st.builds(error, st.sampled_from([3, 7, 15])),
)
def test_whatever_is_shown_unmarked_belongs_to_the_saved_text(results, last, bodies, syntax_error):
    found = stands(results, last, bodies=bodies, syntax_error=syntax_error)
    of_now = results is not None and results.text_hash == NOW
    for item in found.units:
        shown = bool(item.results)
        assert item.old or not shown or of_now
        assert item.state is not PASSING or (of_now and not item.old and item.passed)
        assert item.state is not TODO or not item.old
    if syntax_error is not None or (last is not None and last.text_hash == NOW):
        assert found.errors
        assert found.units_passing == 0
        assert all(item.old for item in found.units if item.results)
    if found.errors and not found.errors_old:
        assert found.report.outcome is RunOutcome.BUILD_ERROR
    assert found.all_green == (found.units_passing == len(EXERCISE.units))


@given(judged_reports, st.booleans())
def test_a_passing_unit_has_only_passing_tests(results, solved):
    found = stands(of(results), bodies=DONE if solved else {})
    for item in found.units:
        passed = {test.outcome for test in item.results} == {TestOutcome.PASSED}
        assert (item.state is PASSING) == passed
        assert (first_failing(item.unit, results) is None) == passed
