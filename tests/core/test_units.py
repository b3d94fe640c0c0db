"""Stubs in the learner's text: touched or not, where, in which state, how often tried."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from placeholders import with_body
from sample import (
    EXERCISE,
    FILE,
    STARTER,
    TEST_FILE,
    TESTS,
    functions,
    judged_reports,
    report,
    written,
)

from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.exercise.report import BuildError, RunOutcome, TestOutcome, TestReport
from tutor_lsp.core.exercise.units import (
    FAILING_TEXTS_KEPT,
    Stubs,
    files_hash,
    first_failing,
    focus,
    locate,
    update_progress,
)
from tutor_lsp.core.session import UnitProgress

DONE = {"split": "return text.split()", "count": "return len(split(text))"}
TODO, FAILING, PASSING, STALE = UnitState
FAILED, NOT_RUN, AS_TODO = TestOutcome.FAILED, TestOutcome.NOT_RUN, TestOutcome.TODO


def stubs(texts=None, /, **bodies):
    return Stubs(EXERCISE, written(**bodies) if texts is None else texts, functions)


def touched(text):
    found = stubs({FILE: text})
    return [unit.id for unit in EXERCISE.units if found.touched(unit.id)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (STARTER, []),
        (STARTER.replace("\n", "\r\n"), []),
        (STARTER.replace("    raise", "      raise"), []),
        (STARTER.replace('\n    """\n    raise', '\n    """\n\n    raise'), []),
        (STARTER.replace("Count the words.", "My notes."), []),
        (STARTER.replace("LIMIT = 3", "LIMIT = 4"), []),
        ("import re\n" + STARTER, []),
        (written(**DONE)[FILE], ["ex-1", "ex-2"]),
        (with_body(STARTER, "count", "pass"), ["ex-2"]),
        (STARTER.replace("def count(text: str)", "def count(words: str)"), ["ex-2"]),
        (STARTER.replace("def count(", "def my_count("), ["ex-2"]),
        ("", ["ex-1", "ex-2", "ex-3"]),
    ],
)
def test_a_stub_is_touched_when_its_own_code_differs(text, expected):
    assert touched(text) == expected


def test_a_missing_file_leaves_no_stub():
    gone = stubs({})
    assert gone.touched("ex-1")
    assert gone.site("ex-1") is None
    assert gone.unit_at(FILE, 6) is None
    assert isinstance(gone.text_hash("ex-1"), str)
    assert stubs().site("ex-9") is None
    assert stubs().text_hash("ex-9") == ""


def test_the_stub_is_the_function_whose_comment_names_the_unit():
    twice = "def count(text):\n    return 1\n\n\n" + STARTER
    unit = EXERCISE.units[1]
    assert locate(unit, functions(twice)).comment.strip().startswith("Count")
    plain = twice.replace("ex-2 ", "")
    assert locate(unit, functions(plain)).line == 18
    assert locate(unit, ()) is None


def test_a_line_belongs_to_the_stub_that_covers_it():
    found = stubs()
    owners = {line: found.unit_at(FILE, line) for line in range(1, STARTER.count("\n") + 2)}
    assert [line for line, unit in owners.items() if unit and unit.id == "ex-2"] == [*range(14, 20)]
    assert owners[3] is None
    assert found.unit_at("src/other.py", 15) is None


def text_hash(unit="ex-2", text=None, /, **bodies):
    return stubs(written(**bodies) if text is None else {FILE: text}).text_hash(unit)


def test_what_counts_as_changed_text_of_a_unit():
    plain = text_hash()
    assert text_hash("ex-2", STARTER.replace("\n", "\r\n")) == plain
    assert text_hash("ex-2", STARTER.replace("LIMIT = 3\n", "LIMIT = 3  \n\n\n")) == plain
    assert text_hash(split="return []") == plain
    assert text_hash(count="return 0") != plain
    assert text_hash("ex-2", STARTER.replace("LIMIT = 3", "LIMIT = 4")) != plain
    assert text_hash(count="return 0") != text_hash(count="return 1")


def test_files_are_identified_by_path_and_text_whatever_their_line_ends():
    assert files_hash({"a": "x\r\ny", "b": ""}) == files_hash({"b": "", "a": "x\ny"})
    assert files_hash({"a": "b"}) != files_hash({"b": "a"}) != files_hash({"b": "a", "c": ""})
    assert files_hash({"a": "\ud800"}) != files_hash({"a": ""})


def broken(line, *, tests=()):
    return TestReport(
        "r",
        RunOutcome.BUILD_ERROR,
        tests=tests,
        build_errors=(BuildError(FILE, line, 1, line, 2, None, "unclear"),),
    )


def test_the_first_failing_test_is_first_in_the_units_order():
    found = report(test_split_cuts=FAILED, test_split_ignores_spaces=FAILED)
    turned = replace(found, tests=found.tests[::-1])
    assert first_failing(EXERCISE.units[0], turned).name == "test_split_cuts"


@pytest.mark.parametrize(
    ("given_states", "edited", "expected"),
    [
        ([TODO, TODO, TODO], None, "ex-1"),
        ([PASSING, FAILING, TODO], None, "ex-2"),
        ([PASSING, FAILING, TODO], "ex-3", "ex-3"),
        ([PASSING, FAILING, TODO], "ex-1", "ex-2"),
        ([PASSING, PASSING, PASSING], "ex-1", "ex-1"),
        ([PASSING, PASSING, PASSING], None, "ex-3"),
        ([TODO, TODO, TODO], "ex-9", "ex-1"),
        ([PASSING, PASSING, STALE], "ex-9", "ex-3"),
    ],
)
def test_the_focus(given_states, edited, expected):
    by_unit = dict(zip(("ex-1", "ex-2", "ex-3"), given_states, strict=True))
    assert focus(EXERCISE, by_unit, edited) == expected
    assert focus(replace(EXERCISE, units=()), {}, edited) is None


def progress(*runs, unit="ex-2"):
    """The unit's progress after runs, each a report and the stubs that were written."""
    known = {}
    for found, bodies in runs:
        known = update_progress(known, found, EXERCISE, stubs(**bodies))
    return known[unit]


COUNT_FAILS = report(test_count_counts=FAILED)


def test_only_distinct_texts_count_as_tries():
    runs = [(COUNT_FAILS, {"count": f"return {n}"}) for n in (1, 1, 2, 1, 3)]
    after = progress(*runs)
    assert len(after.failing_texts) == 3
    assert (after.touched, after.passed, after.first_failing) == (True, False, "test_count_counts")
    assert after.stuck_runs == 3


def test_edits_of_another_stub_are_no_tries():
    runs = [(COUNT_FAILS, {"count": "return 1", "longest": f"return {n}"}) for n in range(5)]
    assert len(progress(*runs).failing_texts) == 1
    assert progress(*runs).stuck_runs == 0


def test_a_new_first_failure_is_not_stuck():
    one = (report(test_split_cuts=FAILED), {"split": "return 1"})
    other = (report(test_split_ignores_spaces=FAILED), {"split": "return 2"})
    assert progress(one, other, unit="ex-1").stuck_runs == 0
    assert len(progress(one, other, unit="ex-1").failing_texts) == 2


def test_what_is_not_written_yet_is_no_try():
    after = progress((report(test_count_counts=AS_TODO), {}))
    assert after == UnitProgress(first_failing="test_count_counts")


def test_a_build_error_inside_the_stub_is_a_try_elsewhere_it_is_not():
    inside = progress((broken(15), {"count": "return ("}))
    assert len(inside.failing_texts) == 1
    assert inside.touched
    assert progress((broken(3), {"count": "return ("})).failing_texts == ()


def test_passing_keeps_the_tries_and_ends_being_stuck():
    tries = [(COUNT_FAILS, {"count": f"return {n}"}) for n in range(6)]
    after = progress(*tries, (report(), DONE))
    assert (after.passed, after.first_failing, after.stuck_runs) == (True, "", 0)
    assert len(after.failing_texts) == 6
    assert progress((report(), DONE), (COUNT_FAILS, {"count": "return 1"})).passed is False


@pytest.mark.parametrize("outcome", [RunOutcome.CANCELLED, RunOutcome.NOT_RUN])
def test_runs_that_were_none_change_nothing(outcome):
    known = {"ex-1": UnitProgress(passed=True)}
    found = replace(COUNT_FAILS, outcome=outcome)
    assert update_progress(known, found, EXERCISE, stubs(**DONE)) == known


@given(
    st.lists(
        st.tuples(judged_reports | st.sampled_from([broken(15), broken(3)]), st.integers(0, 3)),
        max_size=30,
    )
)
def test_over_any_runs_progress_stays_within_its_bounds(runs):
    known = {}
    for found, number in runs:
        after = update_progress(known, found, EXERCISE, stubs(count=f"return {number}"))
        for unit, before in known.items():
            assert after[unit].touched >= before.touched
            assert set(before.failing_texts) <= set(after[unit].failing_texts)
        for each in after.values():
            assert len(set(each.failing_texts)) == len(each.failing_texts) <= FAILING_TEXTS_KEPT
            assert not (each.passed and (each.stuck_runs or each.first_failing))
        known = after


def test_test_texts_beside_the_stubs_do_no_harm():
    assert stubs({**written(), TEST_FILE: TESTS}).unit_at(TEST_FILE, 1) is None
