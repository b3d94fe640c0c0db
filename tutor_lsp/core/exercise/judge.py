"""From a toolchain's raw report to what the learner reads: tests by unit, each in one sentence."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tutor_lsp.core.exercise.exercise import Exercise, Unit
from tutor_lsp.core.exercise.missing_stub import at_their_stubs
from tutor_lsp.core.exercise.report import (
    BuildError,
    Failure,
    Location,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
    TestReport,
    TestResult,
)
from tutor_lsp.core.exercise.undone import undone
from tutor_lsp.core.exercise.units import Stubs
from tutor_lsp.core.text.translation import t

Explainer = Callable[[RawTest, Mapping[str, str], Sequence[str]], Failure]
"""`Toolchain.explain`: a test, the texts that ran, the stubs with the test's own first."""

_EXECUTED = frozenset({RunOutcome.PASSED, RunOutcome.FAILED})
_NOT_PASSED = frozenset({TestOutcome.FAILED, TestOutcome.ERRORED, TestOutcome.TIMEOUT})
PUT_BACK = "puts it back"
"""How a sentence ends that names the command for what is missing."""
_CASE = re.compile(r"\[.*\]$", re.DOTALL)


def plain_name(test: str) -> str:
    """A test's function name without module path and parameters (`a::test_x`, `test_x[1]`)."""
    return _CASE.sub("", test).rpartition("::")[2]


def names(test: str) -> tuple[str, str]:
    """The names under which an exercise may list a test: the whole one, and that of its function;
    both without parameters."""
    return _CASE.sub("", test), plain_name(test)


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
    held: Sequence[TestResult] = (),
) -> TestReport:
    """The report of one run.

    `texts` are the texts that ran, test files included, and `stubs` was read from them. Every
    test gets its unit, its stub and, unless it passed, one sentence. A failing test is `todo`
    if its stub is untouched or ended it with its placeholder; of a program that is to be mended its
    values are told all the same. If a test stopped in another unit's stub, or its unit needs one
    that does not pass, its sentence says so.

    A run that ended by itself is `passed` only if every expected test is present and passed;
    expected are the exercise's tests, or those in `only`. A missing one is `errored`.
    `text_hash` identifies everything that the run ran on. `held` are results of tests that did not
    run again; they count as if they had.
    """
    judging = _Judging(raw, exercise, texts, stubs, explain)
    results = [judging.result(test) for test in raw.tests]
    outcome = raw.outcome
    if outcome in _EXECUTED:
        expected = {name for unit in exercise.units for name in unit.tests}
        results += _missing(exercise, raw, expected if only is None else expected & set(only))
        results = _in_order(exercise, [*results, *held]) if held else results
        green = bool(results) and all(test.outcome is TestOutcome.PASSED for test in results)
        outcome = RunOutcome.PASSED if green else RunOutcome.FAILED
    return TestReport(
        run_id=run_id,
        outcome=outcome,
        tests=tuple(results),
        build_errors=at_their_stubs(raw.build_errors, exercise, texts, stubs),
        duration_ms=raw.duration_ms,
        command=raw.command,
        reason=raw.reason,
        text_hash=text_hash,
    )


def merge(previous: TestReport | None, new: TestReport) -> TestReport | None:
    """The newest report with test results, given the previous one: a run without any (a build
    error, say, which may list tests that had no turn) keeps the previous results, which belong to
    another text."""
    if new.outcome is RunOutcome.BUILD_ERROR and previous is not None:
        return previous
    return new if new.tests and new.outcome is not RunOutcome.CANCELLED else previous


@dataclass(frozen=True)
class _Judging:
    _raw: RawReport
    _exercise: Exercise
    _texts: Mapping[str, str]
    _stubs: Stubs
    _explain: Explainer

    @cached_property
    def _passing(self) -> frozenset[str]:
        """Units whose tests all passed, and units none of whose tests ran: those may well pass."""
        outcomes: dict[str, set[TestOutcome]] = {}
        for test in self._raw.tests:
            if test.outcome is not TestOutcome.NOT_RUN:
                for name in names(test.name):
                    outcomes.setdefault(name, set()).add(test.outcome)
        return frozenset(
            unit.id
            for unit in self._exercise.units
            if all(outcomes.get(name) == {TestOutcome.PASSED} for name in unit.tests)
            or not outcomes.keys() & set(unit.tests)
        )

    def result(self, test: RawTest) -> TestResult:
        whole, plain = names(test.name)
        unit = self._exercise.unit_of_test(whole) or self._exercise.unit_of_test(plain)
        if unit is not None and test.broken is not None:
            test = self._with_first_error(test, test.broken, unit)
        outcome = test.outcome
        failure = Failure("")
        if outcome in _NOT_PASSED:
            if unit is not None and unit.aside is not None and unit.file not in self._texts:
                test = replace(test, broken=None)  # it is of a file that does not matter then
                failure = Failure(
                    t(f"{unit.file} is gone; tutor.reset or tutor.restore puts it back")
                )
            elif unit is not None and self._is_todo(test, unit):
                outcome = TestOutcome.TODO
                said = undone(unit.kind, unit.stub)
                found = self._failure(test, unit) if unit.kind.given_broken else Failure(said)
                told = test.said if unit.kind.on_request else None
                failure = told or replace(found, message=said)
            else:
                failure = self._failure(test, unit)
        elif outcome is TestOutcome.NOT_RUN:
            failure = Failure(test.error or t("this test did not get its turn"))
        return TestResult(
            name=test.name,
            unit=unit.id if unit else None,
            stub=unit.stub if unit else None,
            outcome=outcome,
            message=t(failure.message) or None,
            expected=failure.expected,
            actual=failure.actual,
            file=test.location.file if test.location else None,
            line=test.location.line if test.location else None,
            output=test.output,
            duration_ms=test.duration_ms,
            build_error=test.broken,
        )

    def _is_todo(self, test: RawTest, unit: Unit) -> bool:
        if not self._stubs.touched(unit.id):
            return True
        return test.not_implemented and self._stopped_in(test) in (None, unit)

    def _failure(self, test: RawTest, unit: Unit | None) -> Failure:
        if test.said is not None:
            return test.said
        other = self._stubs.stopped_by(unit, test.broken) if unit is not None else None
        if other is not None and test.broken is not None:
            return Failure(
                t(f"{other.id} in the same file stops the build at line {test.broken.line}")
            )
        stopped_in = self._stopped_in(test)
        if stopped_in and stopped_in != unit and self._is_open(stopped_in):
            return Failure(_needs(stopped_in))
        if unit is not None and self._is_taken_away(test, unit):
            return Failure(t(f"`{unit.stub}` is not there, but the tests need it"))
        own = (unit.stub,) if unit else ()
        others = tuple(other.stub for other in self._exercise.units if other.stub not in own)
        failure = self._explain(test, self._texts, own + others)
        needed = self._needed_unit(unit) if unit else None
        if needed is None:
            return failure
        return replace(failure, message=f"{failure.message}; {_needs(needed)}")

    def _with_first_error(self, test: RawTest, told: BuildError, unit: Unit) -> RawTest:
        """The test with the first error in the first part that has one, of a file that several
        units share: what is wrong below may follow from that."""
        if told.file != unit.file or not self._stubs.shares(unit):
            return test
        found = [each for each in self._raw.aside_errors if each.file == unit.file]
        first = self._stubs.unit_at(unit.file, min((e.line for e in found), default=told.line))
        of_first = (e for e in found if self._stubs.unit_at(e.file, e.line) == first)
        error = next(of_first, told)
        place = Location(error.file, error.line, error.column)
        return replace(test, broken=error, error=error.labelled, location=place)

    def _is_taken_away(self, test: RawTest, unit: Unit) -> bool:
        """Whether the test is not built because what was given under the stub's name is gone."""
        if test.broken is None or test.broken.file != unit.test_file or not unit.kind.given_broken:
            return False
        site = self._stubs.site(unit.id)
        return site is not None and not site.signature

    def _is_open(self, unit: Unit) -> bool:
        """Whether a unit is known not to pass: by its tests, or because it is not begun."""
        return unit.id not in self._passing or not self._stubs.touched(unit.id)

    def _stopped_in(self, test: RawTest) -> Unit | None:
        """The unit in whose stub the test ended, if known."""
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
        others = (other for other in self._exercise.units if other.id in needed)
        return next((each for each in others if each.id != unit.id and self._is_open(each)), None)


def _needs(unit: Unit) -> str:
    return t(f"needs `{unit.stub}` ({unit.id}), which does not pass yet")


def _in_order(exercise: Exercise, results: Sequence[TestResult]) -> list[TestResult]:
    places = {unit.id: at for at, unit in enumerate(exercise.units)}
    return sorted(results, key=lambda result: places.get(result.unit or "", len(places)))


def _missing(exercise: Exercise, raw: RawReport, expected: Collection[str]) -> Iterable[TestResult]:
    there = {name for test in raw.tests for name in names(test.name)}
    for unit in exercise.units:
        for name in unit.tests:
            if name in expected and name not in there:
                yield TestResult(
                    name=name,
                    unit=unit.id,
                    stub=unit.stub,
                    outcome=TestOutcome.ERRORED,
                    message=t(
                        "this test is missing from the test files; tutor.restore puts it back"
                    ),
                )
