"""From raw results to what the learner reads."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample import (
    ALL_TESTS,
    EXERCISE,
    FILE,
    TEST_FILE,
    explain,
    functions,
    judged_reports,
    raw,
    test_outcomes,
    written,
)

from tutor_lsp.core.exercise.exercise import Proof
from tutor_lsp.core.exercise.judge import judge, merge, plain_name
from tutor_lsp.core.exercise.report import (
    BuildError,
    Location,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
    TestReport,
)
from tutor_lsp.core.exercise.units import Stubs

FAILED, ERRORED, PASSED = TestOutcome.FAILED, TestOutcome.ERRORED, TestOutcome.PASSED
DONE = {
    "split": "return text.split()",
    "count": "return len(split(text))",
    "longest": "return max(split(text), key=len)",
}
NEEDS_SPLIT = "needs `split` (ex-1), which does not pass yet"


def judged(found, exercise=EXERCISE, /, *, only=None, **bodies):
    texts = written(**bodies)
    stubs = Stubs(exercise, texts, functions)
    return judge(found, exercise, texts, stubs, explain=explain, run_id="r1", only=only)


def test_of(found, name):
    return next(test for test in found.tests if test.name == name)


test_of.__test__ = False


def test_every_test_gets_its_unit_stub_sentence_and_place():
    failed = RawTest(
        "test_count_counts",
        FAILED,
        location=Location(TEST_FILE, 10),
        left="3",
        right="2",
        output="hello",
        duration_ms=1.5,
    )
    found = judged(raw(test_count_counts=failed), **DONE)
    assert found.run_id == "r1"
    assert found.outcome is RunOutcome.FAILED
    test = test_of(found, "test_count_counts")
    assert (test.unit, test.stub, test.outcome) == ("ex-2", "count", FAILED)
    assert (test.message, test.expected, test.actual) == ("count() gave 3, expected 2", "2", "3")
    assert (test.file, test.line, test.output, test.duration_ms) == (TEST_FILE, 10, "hello", 1.5)
    assert test_of(found, "test_split_cuts").message is None


def test_the_own_stub_comes_first_when_a_failure_is_explained():
    asked = []

    def spy(test, files, stubs):
        asked.append((test.name, set(files), tuple(stubs)))
        return explain(test, files, stubs)

    texts = written(**DONE)
    stubs = Stubs(EXERCISE, texts, functions)
    judge(raw(test_count_counts=FAILED), EXERCISE, texts, stubs, explain=spy, run_id="")
    assert asked == [("test_count_counts", {FILE, TEST_FILE}, ("count", "split", "longest"))]


def test_untouched_stubs_are_to_do_and_the_run_has_still_not_passed():
    found = judged(raw(**dict.fromkeys(ALL_TESTS, ERRORED)))
    assert {test.outcome for test in found.tests} == {TestOutcome.TODO}
    assert test_of(found, "test_count_counts").message == "`count` is not written yet"
    assert found.outcome is RunOutcome.FAILED


def test_an_edited_stub_that_still_has_its_mark_is_to_do():
    edited = {**DONE, "count": 'words = split(text)\n    raise NotImplementedError("count")'}
    marked = RawTest(
        "test_count_counts", ERRORED, raised_at=Location(FILE, 20), not_implemented=True
    )
    found = judged(raw(test_count_counts=marked), **edited)
    assert test_of(found, "test_count_counts").outcome is TestOutcome.TODO
    nowhere = replace(marked, raised_at=None, error="NotImplementedError: count")
    found = judged(raw(test_count_counts=nowhere), **edited)
    assert test_of(found, "test_count_counts").outcome is TestOutcome.TODO


@pytest.mark.parametrize(
    "stopped",
    [
        RawTest("test_longest_finds", ERRORED, raised_at=Location(FILE, 11), not_implemented=True),
        RawTest("test_longest_finds", ERRORED, error="todo: split", not_implemented=True),
        RawTest("test_longest_finds", ERRORED, raised_at=Location(FILE, 11), error="KeyError"),
    ],
)
def test_a_test_that_stops_in_an_unwritten_stub_says_which(stopped):
    given_stubs = {name: DONE[name] for name in ("count", "longest")}
    found = judged(raw(test_longest_finds=stopped, test_split_cuts=ERRORED), **given_stubs)
    test = test_of(found, "test_longest_finds")
    assert (test.outcome, test.message) == (ERRORED, NEEDS_SPLIT)


def test_a_test_that_stops_in_a_passing_stub_is_the_callers_own():
    stopped = RawTest("test_longest_finds", ERRORED, raised_at=Location(FILE, 11))
    found = judged(raw(test_longest_finds=stopped), **DONE)
    assert "needs" not in test_of(found, "test_longest_finds").message


def test_a_unit_whose_tests_did_not_run_is_not_blamed_unless_nobody_began_it():
    stopped = RawTest("test_other", ERRORED, raised_at=Location(FILE, 11), error="KeyError")
    alone = RawReport(RunOutcome.FAILED, (stopped, RawTest("test_split_cuts", TestOutcome.NOT_RUN)))
    assert (
        test_of(judged(alone, **DONE), "test_other").message == "split() gave None, expected None"
    )
    unwritten = {name: DONE[name] for name in ("count", "longest")}
    assert test_of(judged(alone, **unwritten), "test_other").message == NEEDS_SPLIT


def test_a_unit_that_needs_one_which_does_not_pass_says_so_too():
    found = judged(raw(test_count_counts=FAILED, test_split_cuts=FAILED), **DONE)
    message = test_of(found, "test_count_counts").message
    assert message == f"count() gave None, expected None; {NEEDS_SPLIT}"
    assert "needs" not in test_of(found, "test_split_cuts").message
    passing = judged(raw(test_count_counts=FAILED), **DONE)
    assert "needs" not in test_of(passing, "test_count_counts").message


def test_a_unit_never_needs_itself():
    odd = replace(EXERCISE, proof=Proof(ok=True, needs={"ex-1": ("ex-1",)}))
    found = judged(raw(test_split_cuts=FAILED), odd, **DONE)
    assert "needs" not in test_of(found, "test_split_cuts").message


def test_a_deleted_test_cannot_make_a_run_pass():
    without = RawReport(RunOutcome.PASSED, raw().tests[:-1])
    found = judged(without, **DONE)
    assert found.outcome is RunOutcome.FAILED
    missing = test_of(found, "test_longest_finds")
    assert (missing.outcome, missing.unit) == (ERRORED, "ex-3")
    assert "tutor.restore puts it back" in missing.message


def test_a_run_without_any_test_has_not_passed():
    found = judged(RawReport(RunOutcome.PASSED), **DONE)
    assert found.outcome is RunOutcome.FAILED
    assert [test.name for test in found.tests] == list(ALL_TESTS)


def test_only_the_tests_asked_for_are_expected():
    some = RawReport(RunOutcome.PASSED, raw().tests[:2])
    found = judged(some, only=ALL_TESTS[:2], **DONE)
    assert found.outcome is RunOutcome.PASSED
    assert len(found.tests) == 2
    assert judged(RawReport(RunOutcome.PASSED), only=(), **DONE).outcome is RunOutcome.FAILED


def test_a_run_is_not_passed_because_its_process_says_so():
    assert judged(raw(RunOutcome.PASSED, test_count_counts=FAILED), **DONE).outcome is (
        RunOutcome.FAILED
    )
    assert judged(raw(RunOutcome.FAILED), **DONE).outcome is RunOutcome.PASSED


@pytest.mark.parametrize(
    "outcome",
    [RunOutcome.BUILD_ERROR, RunOutcome.NOT_RUN, RunOutcome.CANCELLED, RunOutcome.TIMEOUT],
)
def test_runs_without_results_stay_what_they_are(outcome):
    error = BuildError(FILE, 1, 1, 1, 2, None, "unclear")
    found = judged(RawReport(outcome, build_errors=(error,), reason="why", command="run it"))
    assert (found.outcome, found.tests, found.reason) == (outcome, (), "why")
    assert (found.build_errors, found.command) == ((error,), "run it")


def test_cases_and_modules_belong_to_their_test():
    assert plain_name("words::tests::test_split_cuts") == "test_split_cuts"
    assert plain_name("tests/test_words.py::test_split_cuts[a::b]") == "test_split_cuts"
    tests = (RawTest("test_split_cuts[1]", FAILED), RawTest("test_split_cuts[2]", PASSED))
    found = judged(RawReport(RunOutcome.FAILED, (*tests, *raw().tests[1:])), **DONE)
    assert [test.unit for test in found.tests[:2]] == ["ex-1", "ex-1"]
    assert len(found.tests) == len(ALL_TESTS) + 1


def test_a_test_of_the_learners_own_has_no_unit():
    own = RawTest("test_mine", FAILED, left="1", right="2")
    found = judged(RawReport(RunOutcome.FAILED, (*raw().tests, own)), **DONE)
    mine = test_of(found, "test_mine")
    assert (mine.unit, mine.stub, mine.outcome) == (None, None, FAILED)


raw_reports = st.builds(
    lambda outcomes, outcome, marks: RawReport(
        outcome,
        tuple(
            RawTest(name, each, not_implemented=mark)
            for name, each, mark in zip(ALL_TESTS, outcomes, marks, strict=True)
        ),
    ),
    st.lists(
        test_outcomes.filter(lambda each: each is not TestOutcome.TODO), min_size=4, max_size=4
    ),
    st.sampled_from([RunOutcome.PASSED, RunOutcome.FAILED, RunOutcome.TIMEOUT]),
    st.lists(st.booleans(), min_size=4, max_size=4),
)


@given(raw_reports, st.frozensets(st.sampled_from(sorted(DONE))))
def test_whatever_happened_no_result_is_lost_or_made_better(found, solved):
    texts = {name: DONE[name] for name in solved}
    result = judged(found, **texts)
    assert [test.name for test in result.tests] == list(ALL_TESTS)
    for before, after in zip(found.tests, result.tests, strict=True):
        assert (after.outcome is PASSED) == (before.outcome is PASSED)
        assert (after.message is None) == (before.outcome is PASSED)
        if after.outcome is TestOutcome.TODO:
            assert before.not_implemented or after.stub not in solved
        else:
            assert after.outcome is before.outcome
    green = all(test.outcome is PASSED for test in result.tests)
    if found.outcome is not RunOutcome.TIMEOUT:
        assert (result.outcome is RunOutcome.PASSED) == green


empty_reports = st.sampled_from(
    [TestReport("n", outcome) for outcome in RunOutcome if outcome is not RunOutcome.PASSED]
)
any_report = judged_reports | empty_reports


@given(st.none() | any_report, any_report)
def test_results_that_count_are_never_lost_by_a_run_without_results(before, new):
    merged = merge(before, new)
    assert merge(merged, new) == merged
    unbuilt = new.outcome is RunOutcome.BUILD_ERROR and before is not None
    has_results = new.tests and new.outcome is not RunOutcome.CANCELLED and not unbuilt
    assert merged == (new if has_results else before)


@pytest.mark.parametrize(
    ("first", "second", "owners"),
    [
        (("A::test_x",), ("B::test_x",), ["ex-1", "ex-2"]),
        (("test_x",), ("test_y",), ["ex-1", "ex-1"]),
    ],
)
def test_methods_of_one_name_are_listed_with_their_class_or_without(first, second, owners):
    one, two, _ = EXERCISE.units
    exercise = replace(
        EXERCISE,
        units=(replace(one, tests=first), replace(two, tests=second)),
        proof=Proof(ok=True),
    )
    found = RawReport(
        RunOutcome.FAILED, (RawTest("A::test_x", PASSED), RawTest("B::test_x", FAILED))
    )
    report = judged(found, exercise, **DONE)
    assert [test.unit for test in report.tests if test.name.endswith("test_x")] == owners
    missing = {test.name for test in report.tests if test.outcome is ERRORED}
    assert missing == set(second) - {"B::test_x"}


IMPORT = BuildError(
    TEST_FILE, 1, 20, 1, 25, "E1", "unresolved imports `words::count`, `words::split`"
)
WHOLE = BuildError(FILE, 1, 1, 1, 2, None, "`count` is not defined here, but the tests need it.")
HEADER = BuildError("src/words.h", 3, 5, 3, 10, None, "`count` is declared here alone")
SAID = "`count` is not defined here, but the tests need it."


@pytest.mark.parametrize("error", [IMPORT, WHOLE, HEADER])
@pytest.mark.parametrize(
    ("now", "line", "at"),
    [
        (lambda text: text.replace("def count(", "def counted("), "def counted(", "counted"),
        (lambda text: text.replace("def count(", "deaf count("), "    ex-2 ", "ex-2"),
        (lambda text: text[: text.index("def count(")], "", ""),
    ],
    ids=["renamed", "broken", "deleted"],
)
def test_a_stub_that_is_missing_is_told_where_it_was(error, now, line, at):
    texts = written()
    texts[FILE] = now(texts[FILE])
    stubs = Stubs(EXERCISE, texts, functions)
    found = RawReport(RunOutcome.BUILD_ERROR, build_errors=(error,))
    report = judge(found, EXERCISE, texts, stubs, explain=explain, run_id="r1")
    told = next(each for each in report.build_errors if "`count`" in each.message)
    assert (told.file, told.message) == (FILE, SAID)
    there = texts[FILE].split("\n")[told.line - 1]
    assert there.startswith(line)
    assert there[told.column - 1 : told.end_column - 1].startswith(at)
    assert told.line > 8


def test_other_errors_stay_where_they_are():
    texts = written()
    texts[FILE] = texts[FILE].replace("def count(", "def counted(")
    stubs = Stubs(EXERCISE, texts, functions)
    of_split = replace(IMPORT, message="unresolved import `words::split`")
    in_code = replace(WHOLE, line=9, end_line=9, column=4, end_column=9)
    found = RawReport(RunOutcome.BUILD_ERROR, build_errors=(of_split, in_code))
    report = judge(found, EXERCISE, texts, stubs, explain=explain, run_id="r1")
    assert report.build_errors == (of_split, in_code)


@pytest.mark.parametrize("changed", [True, False])
def test_a_changed_signature_is_told_at_the_stub_and_not_at_the_test_that_uses_it(changed):
    texts = written()
    if changed:
        texts[FILE] = texts[FILE].replace("def count(", "def count(more, ")
    stubs = Stubs(EXERCISE, texts, functions)
    error = BuildError(TEST_FILE, 10, 12, 10, 17, "E2", "one argument is missing; provide it")
    found = RawReport(RunOutcome.BUILD_ERROR, build_errors=(error,))
    (told,) = judge(found, EXERCISE, texts, stubs, explain=explain, run_id="r1").build_errors
    if not changed:
        assert told == error
        return
    assert (told.file, told.line, told.code) == (FILE, stubs.site("ex-2").line, "E2")
    assert told.message == (
        '`count` does not fit its use `assert count("a b") == 2`: one argument is missing'
    )
