"""Progress in an exercise, and which results are old: the one truth for all lists and editors.

A result belongs to the texts that it ran on (`TestReport.text_hash`). It is old as soon as other
texts are saved, wherever that happens and whatever their run gives. Typing makes nothing old.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tutor_lsp.core.exercise.exercise import Exercise, Unit, UnitState
from tutor_lsp.core.exercise.report import (
    BuildError,
    RunOutcome,
    TestOutcome,
    TestReport,
    TestResult,
)
from tutor_lsp.core.exercise.units import Stubs, broken_units, state_of
from tutor_lsp.core.learner.curriculum import DEPTHS
from tutor_lsp.core.learner.mastery import Help, help_taken
from tutor_lsp.core.session import NodeRecord, Session
from tutor_lsp.core.text.translation import marked, n, t

BEFORE = marked("before this edit")
"""Marks an old result, wherever it is shown."""
NOT_RUN = marked("not run yet")
"""Marks a unit or exercise that has been edited but never run."""
NOT_CHECKED = marked("not checked yet")
"""Marks a unit whose tests run on request only, and have not run on what it says now."""


class Progress(StrEnum):
    """How far a learner is with an exercise or a topic."""

    NOT_BEGUN = marked("not begun")
    BEGUN = marked("begun")
    PASSED = marked("passed")


def is_unchecked(unit: Unit, state: UnitState, *, old: bool) -> bool:
    """Whether a unit waits until somebody asks for its tests."""
    return unit.kind.on_request and state is UnitState.STALE and not old


@dataclass(frozen=True, slots=True)
class Saved:
    """The saved texts: their stubs, and the hashes of what a check and an attempt would run
    on."""

    stubs: Stubs
    hashes: frozenset[str]


@dataclass(frozen=True, slots=True)
class UnitStanding:
    """A unit now. `results` are those of its tests in the last run that had any; if `old`, they
    belong to another text than the saved one.
    """

    unit: Unit
    state: UnitState
    results: tuple[TestResult, ...] = ()
    old: bool = False

    @property
    def tests_passing(self) -> int:
        """How many of the tests passed when they last ran."""
        return sum(result.outcome is TestOutcome.PASSED for result in self.results)

    @property
    def unchecked(self) -> bool:
        """Whether its tests wait until somebody asks for them, though everything else has run."""
        return is_unchecked(self.unit, self.state, old=self.old)

    @property
    def passed(self) -> bool:
        """Whether all tests passed when they last ran, even on an older text."""
        return bool(self.results) and self.tests_passing == len(self.results)


@dataclass(frozen=True, slots=True)
class Standing:
    """An exercise now.

    `report` combines the last results with the outcome that counts, None before the first run.
    `errors` are why the saved text does not build; with `errors_old` they come from another text.
    `not_run` says why its run ended without results. `unrun` means that it was begun but no run
    of it is on record or under way.
    """

    units: tuple[UnitStanding, ...]
    report: TestReport | None
    errors: tuple[BuildError, ...] = ()
    errors_old: bool = False
    not_run: str | None = None
    progress: Progress = Progress.NOT_BEGUN
    help: Help = Help.NONE
    unrun: bool = False

    @property
    def states(self) -> dict[str, UnitState]:
        """The state of every unit by its id."""
        return {item.unit.id: item.state for item in self.units}

    @property
    def old(self) -> bool:
        """Whether results shown belong to another text than the saved one."""
        return any(item.old for item in self.units)

    @property
    def units_passing(self) -> int:
        """How many units pass now, old results excluded."""
        return sum(item.state is UnitState.PASSING for item in self.units)

    @property
    def tests(self) -> int:
        """How many tests there are."""
        return sum(len(item.unit.tests) for item in self.units)

    @property
    def tests_passing(self) -> int:
        """How many tests pass now, old results excluded."""
        return sum(item.tests_passing for item in self.units if not item.old)

    @property
    def all_green(self) -> bool:
        """Whether every unit passes now."""
        return bool(self.units) and self.units_passing == len(self.units)

    @property
    def units_words(self) -> str:
        """`3 of 4`, `3 of 4 before this edit`, or `not run yet`."""
        passed = sum(item.passed if item.old else _passes(item) for item in self.units)
        return self._words(passed, len(self.units))

    @property
    def tests_words(self) -> str:
        """`8 of 11`, `8 of 11 before this edit`, or `not run yet`."""
        return self._words(sum(item.tests_passing for item in self.units), self.tests)

    def _words(self, passed: int, of: int) -> str:
        return t(NOT_RUN) if self.unrun else passed_of(passed, of, old=self.old)


@dataclass(frozen=True, slots=True)
class Early:
    """What a run that has not ended has found: results of some units, or that the text does not
    build."""

    tests: tuple[TestResult, ...] = ()
    errors: tuple[BuildError, ...] = ()


NOTHING_EARLY = Early()


def standing(
    exercise: Exercise,
    session: Session,
    saved: Saved,
    *,
    syntax_error: BuildError | None = None,
    pending: bool = False,
    early: Early = NOTHING_EARLY,
) -> Standing:
    """The standing of an exercise.

    `syntax_error` is why the saved text was not run, None if it was or may be. With `pending` a
    run of the saved text is under way, and earlier results do not count as old yet; `early` is
    what it has found already. A report without a hash is from an older version: its text is
    unknown, so it is old.
    """
    judged = _Judged(exercise, session, saved, syntax_error, pending, early)
    progress = progress_of(session, begun=any(map(saved.stubs.touched, judged.names)))
    report = judged.report()
    return Standing(
        units=tuple(judged.unit(unit) for unit in exercise.units),
        report=report,
        errors=judged.errors,
        errors_old=judged.errors_old,
        not_run=judged.not_run(),
        progress=progress,
        help=help_taken(session),
        unrun=report is None and progress is Progress.BEGUN and not pending,
    )


def progress_of(session: Session, *, begun: bool = False) -> Progress:
    """How far a session is; `begun` if its text is known to differ from the starter.

    A pass counts whatever help was used.
    """
    if session.passed:
        return Progress.PASSED
    touched = any(unit.touched for unit in session.progress.values())
    begun = begun or touched or bool(session.attempts or session.hints)
    return Progress.BEGUN if begun else Progress.NOT_BEGUN


def finished(session: Session) -> bool:
    """Whether nothing is left to do, so that no list offers to continue it."""
    return session.passed or session.ended_at is not None


def topic_words(record: NodeRecord, *, begun: bool) -> str:
    """Progress in a topic, in words: a pass counts at any depth and with any help, which is
    mentioned while the topic counts for less because of it. `begun` if there is a session on it."""
    if record.passed_depths:
        target = max(DEPTHS[depth] for depth in record.passed_depths)
        return "passed" if record.mastery >= target else marked("passed with help")
    return str(Progress.BEGUN if begun or record.history else Progress.NOT_BEGUN)


def passed_of(passed: int, of: int, *, old: bool = False) -> str:
    """`3 of 4`; `3 of 4 before this edit` of an old result."""
    if old:
        return t(f"{passed} of {of} before this edit")
    return n("{passed} of {count}", "{passed} of {count}", of, passed=passed)


def from_before(text: str, *, old: bool) -> str:
    """A text about a result, which tells that it is old."""
    return t(f"{text} (from before this edit)") if old else text


def with_early(known: TestReport | None, early: Sequence[TestResult]) -> TestReport | None:
    """The known results with those of a run under way in the place of their units' own."""
    if not early:
        return known
    units = {test.unit for test in early}
    before = known or TestReport("", RunOutcome.FAILED)
    kept = (test for test in before.tests if test.unit not in units)
    return replace(before, tests=(*kept, *early))


class _Judged:
    def __init__(
        self,
        exercise: Exercise,
        session: Session,
        saved: Saved,
        syntax_error: BuildError | None,
        pending: bool,
        early: Early,
    ) -> None:
        self._results = with_early(session.last_results, early.tests)
        self._early = {test.unit for test in early.tests}
        self._last = session.last_report
        self._saved = saved
        self._pending = pending
        self.names = [unit.id for unit in exercise.units]
        self.errors: tuple[BuildError, ...] = ()
        self.errors_old = False
        self._built = True
        if syntax_error is not None:
            self.errors, self._built = (syntax_error,), False
        elif early.errors:
            self.errors, self._built = early.errors, False
        elif early.tests:
            pass  # what has results builds
        elif self._last is not None and self._last.outcome is RunOutcome.BUILD_ERROR:
            self.errors_old = not self._is_current(self._last)
            self._built = self.errors_old
            # Errors of a text abandoned for one with results no longer matter.
            overtaken = self.errors_old and self._results_current
            self.errors = () if overtaken else self._last.build_errors
        self._broken = set() if self._built else broken_units(self.errors, saved.stubs)

    def _is_current(self, report: TestReport) -> bool:
        return self._pending or report.text_hash in self._saved.hashes

    @property
    def _results_current(self) -> bool:
        return self._results is not None and self._is_current(self._results)

    def report(self) -> TestReport | None:
        """The results with the outcome that counts."""
        if self._built:
            return self._results
        before = self._results or self._last or TestReport("", RunOutcome.BUILD_ERROR)
        return replace(before, outcome=RunOutcome.BUILD_ERROR, build_errors=self.errors)

    def not_run(self) -> str | None:
        """Why the saved text has no results although it was run."""
        last = self._last
        if last is None or last.outcome is not RunOutcome.NOT_RUN or not self._is_current(last):
            return None
        return last.reason

    def unit(self, unit: Unit) -> UnitStanding:
        """One unit."""
        tests = self._results.tests if self._results is not None else ()
        mine = tuple(test for test in tests if test.unit == unit.id)
        touched = self._saved.stubs.touched(unit.id)
        state = state_of(unit, mine, self._saved.stubs)
        if unit.id in self._broken:
            return UnitStanding(unit, UnitState.FAILING, mine, old=bool(mine))
        if self._built and (self._results_current or unit.id in self._early):
            return UnitStanding(unit, state, mine)
        if not touched and (self._built or state is UnitState.TODO):
            return UnitStanding(unit, UnitState.TODO)
        if not mine and self._built and self._pending:
            return UnitStanding(unit, UnitState.TODO)
        return UnitStanding(unit, UnitState.STALE, mine, old=bool(mine))


def _passes(item: UnitStanding) -> bool:
    return item.state is UnitState.PASSING
