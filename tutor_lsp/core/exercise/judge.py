"""From what a toolchain saw to what the learner reads: tests assigned to units, in one sentence."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from tutor_lsp.core.exercise.exercise import Exercise, Unit
from tutor_lsp.core.exercise.report import (
    Failure,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
    TestReport,
    TestResult,
)
from tutor_lsp.core.exercise.units import Stubs

Explainer = Callable[[RawTest, Mapping[str, str], Sequence[str]], Failure]
"""`Toolchain.explain`: a test, the texts that ran, the stubs with the test's own first."""

_EXECUTED = frozenset({RunOutcome.PASSED, RunOutcome.FAILED})
_NOT_PASSED = frozenset({TestOutcome.FAILED, TestOutcome.ERRORED, TestOutcome.TIMEOUT})
_CASE = re.compile(r"\[.*\]$", re.DOTALL)


def plain_name(test: str) -> str:
    """A test's function name without module path and case: `a::test_x` and `test_x[1]`."""
    return _CASE.sub("", test).rpartition("::")[2]


def judge(
    raw: RawReport,
    exercise: Exercise,
    texts: Mapping[str, str],
    stubs: Stubs,
    *,
    explain: Explainer,
    run_id: str,
    only: Collection[str] | None = None,
    text_hash: str = "",
) -> TestReport:
    """The report of one run.

    `texts` are the texts that ran, test files included, and `stubs` was read from them. Every
    test gets its unit, its stub and, unless it passed, one sentence. A failing test is `todo`
    when its stub is untouched or its stub's own mark ended it. A test that stopped in another
    unit's stub, or whose unit needs one that does not pass, says so.

    A run that ended by itself is `passed` only if every expected test is there and passed;
    expected are the exercise's tests, or those in `only`. A missing one is `errored`.
    `text_hash` identifies all that the run ran on.
    """
    judging = _Judging(raw, exercise, texts, stubs, explain)
    results = [judging.result(test) for test in raw.tests]
    outcome = raw.outcome
    if outcome in _EXECUTED:
        expected = {name for unit in exercise.units for name in unit.tests}
        results += _missing(exercise, raw, expected if only is None else expected & set(only))
        green = bool(results) and all(test.outcome is TestOutcome.PASSED for test in results)
        outcome = RunOutcome.PASSED if green else RunOutcome.FAILED
    return TestReport(
        run_id=run_id,
        outcome=outcome,
        tests=tuple(results),
        build_errors=raw.build_errors,
        duration_ms=raw.duration_ms,
        command=raw.command,
        reason=raw.reason,
        text_hash=text_hash,
    )


def merge(previous: TestReport | None, new: TestReport) -> TestReport | None:
    """The newest report with test results, given the one before: a run that had none (a build
    error, say) leaves those of before, which belong to another text."""
    return new if new.tests and new.outcome is not RunOutcome.CANCELLED else previous


class _Judging:
    def __init__(
        self,
        raw: RawReport,
        exercise: Exercise,
        texts: Mapping[str, str],
        stubs: Stubs,
        explain: Explainer,
    ) -> None:
        self._exercise = exercise
        self._texts = texts
        self._stubs = stubs
        self._explain = explain
        self._passing = _passing_units(raw, exercise)

    def result(self, test: RawTest) -> TestResult:
        unit = self._exercise.unit_of_test(plain_name(test.name))
        outcome = test.outcome
        failure = Failure("")
        if outcome in _NOT_PASSED:
            if unit is not None and self._is_todo(test, unit):
                outcome = TestOutcome.TODO
                failure = Failure(f"`{unit.stub}` is not written yet")
            else:
                failure = self._failure(test, unit)
        elif outcome is TestOutcome.NOT_RUN:
            failure = Failure(test.error or "this test did not get its turn")
        return TestResult(
            name=test.name,
            unit=unit.id if unit else None,
            stub=unit.stub if unit else None,
            outcome=outcome,
            message=failure.message or None,
            expected=failure.expected,
            actual=failure.actual,
            file=test.location.file if test.location else None,
            line=test.location.line if test.location else None,
            output=test.output,
            duration_ms=test.duration_ms,
        )

    def _is_todo(self, test: RawTest, unit: Unit) -> bool:
        if not self._stubs.touched(unit.id):
            return True
        return test.not_implemented and self._stopped_in(test) in (None, unit)

    def _failure(self, test: RawTest, unit: Unit | None) -> Failure:
        stopped_in = self._stopped_in(test)
        if stopped_in and stopped_in != unit and self._is_open(stopped_in):
            return Failure(_needs(stopped_in))
        own = (unit.stub,) if unit else ()
        others = tuple(other.stub for other in self._exercise.units if other.stub not in own)
        failure = self._explain(test, self._texts, own + others)
        needed = self._needed_unit(unit) if unit else None
        if needed is None:
            return failure
        return replace(failure, message=f"{failure.message}; {_needs(needed)}")

    def _is_open(self, unit: Unit) -> bool:
        """Whether a unit is known not to pass: by its tests, or since nobody has begun it."""
        return unit.id not in self._passing or not self._stubs.touched(unit.id)

    def _stopped_in(self, test: RawTest) -> Unit | None:
        """The unit in whose stub the test came to its end, as far as that is known."""
        if test.raised_at is not None:
            return self._stubs.unit_at(test.raised_at.file, test.raised_at.line)
        if not test.not_implemented or not test.error:
            return None
        named = set(re.findall(r"\w+", test.error))
        marked = [unit for unit in self._exercise.units if unit.stub in named]
        return marked[0] if len(marked) == 1 else None

    def _needed_unit(self, unit: Unit) -> Unit | None:
        """The first unit that this one needs and that does not pass."""
        needed = self._exercise.proof.needs.get(unit.id, ())
        return next(
            (
                other
                for other in self._exercise.units
                if other.id in needed and other.id != unit.id and self._is_open(other)
            ),
            None,
        )


def _needs(unit: Unit) -> str:
    return f"needs `{unit.stub}` ({unit.id}), which does not pass yet"


def _passing_units(raw: RawReport, exercise: Exercise) -> frozenset[str]:
    """Units whose tests all passed, and those of which none ran: nothing is known against them."""
    outcomes: dict[str, set[TestOutcome]] = {}
    for test in raw.tests:
        if test.outcome is not TestOutcome.NOT_RUN:
            outcomes.setdefault(plain_name(test.name), set()).add(test.outcome)
    return frozenset(
        unit.id
        for unit in exercise.units
        if all(outcomes.get(name) == {TestOutcome.PASSED} for name in unit.tests)
        or not outcomes.keys() & set(unit.tests)
    )


def _missing(exercise: Exercise, raw: RawReport, expected: Collection[str]) -> Iterable[TestResult]:
    there = {plain_name(test.name) for test in raw.tests}
    for unit in exercise.units:
        for name in unit.tests:
            if name in expected and name not in there:
                yield TestResult(
                    name=name,
                    unit=unit.id,
                    stub=unit.stub,
                    outcome=TestOutcome.ERRORED,
                    message="this test is missing from the test files; tutor.restore puts it back",
                )
