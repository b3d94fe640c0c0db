"""The units of an exercise in the learner's current text: stubs, states, focus, progress."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from tutor_lsp.core.exercise.declared import TEST, file_site
from tutor_lsp.core.exercise.exercise import Exercise, Unit, UnitKind, UnitState, sharing
from tutor_lsp.core.exercise.report import (
    BuildError,
    RunOutcome,
    TestOutcome,
    TestReport,
    TestResult,
)
from tutor_lsp.core.language.language import Lines
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.core.session import UnitProgress
from tutor_lsp.core.text.positions import LineIndex, normalise_line_ends, split_lines

FunctionReader = Callable[[str], Sequence[FunctionSite]]
"""`Toolchain.functions` of the exercise's language."""

FAILING_TEXTS_KEPT = 20
_NOT_STARTED = frozenset({TestOutcome.TODO, TestOutcome.NOT_RUN})
_UNKNOWN = frozenset({TestOutcome.PASSED, TestOutcome.NOT_RUN})
_Functions = Mapping[str, Sequence[FunctionSite]]


class Stubs:
    """The stubs of an exercise, located in the current texts of its files."""

    def __init__(
        self,
        exercise: Exercise,
        texts: Mapping[str, str],
        functions: FunctionReader,
        lines: Lines | None = None,
    ) -> None:
        """`texts` are the current texts by workspace path and may include other files.
        A stub whose file is missing has no site. `lines` are those of the language: without them
        a unit that asks for a declaration has none either."""
        self._exercise = exercise
        self._texts = texts
        self._functions = functions
        self._lines = lines
        self._now = self._read(texts, {unit.file for unit in exercise.units})
        self._sites = self._located(texts, self._now)

    def _read(self, texts: Mapping[str, str], files: Iterable[str]) -> _Functions:
        """The functions of these files, where units are bodies of some."""
        shared = {unit.file for unit in self._exercise.units if unit.kind is UnitKind.BODY}
        return {f: tuple(self._functions(texts[f])) for f in files if f in shared and f in texts}

    def _located(
        self, texts: Mapping[str, str], read: _Functions
    ) -> dict[str, FunctionSite | None]:
        """The stub of each unit in these files' texts."""
        return {
            unit.id: locate(unit, read.get(unit.file, ()))
            if unit.kind is UnitKind.BODY
            else file_site(
                unit.stub,
                texts.get(unit.file),
                self._lines,
                TEST if unit.asks_for_tests else None,
                unit.id if self.shares(unit) else "",
            )
            for unit in self._exercise.units
        }

    def shares(self, unit: Unit) -> bool:
        """Whether a unit has its file with others, and a part of it to itself."""
        return bool(sharing(self._exercise.units, unit))

    def stopped_by(self, unit: Unit, error: BuildError | None) -> Unit | None:
        """The unit in whose part an error is that keeps the file from being built which it shares
        with this one; None if it is in no other's part."""
        if error is None or error.file != unit.file or not self.shares(unit):
            return None
        other = self.unit_at(error.file, error.line)
        return None if other is None or other.id == unit.id else other

    @cached_property
    def _then(self) -> dict[str, FunctionSite | None]:
        """The stub of each unit in the starter, where its file was changed."""
        starter = self._exercise.starter
        files = {unit.file for unit in self._exercise.units}
        changed = {file for file in files if self._texts.get(file) != starter.get(file)}
        texts = {file: starter.get(file, "") for file in changed}
        then = self._located(texts, self._read(texts, changed))
        return {unit.id: then[unit.id] for unit in self._exercise.units if unit.file in changed}

    @cached_property
    def _touched(self) -> dict[str, bool]:
        return {
            unit.id: unit.id in self._then and self._differs(unit, self._then[unit.id])
            for unit in self._exercise.units
        }

    def _differs(self, unit: Unit, then: FunctionSite | None) -> bool:
        now = self._sites[unit.id]
        if now is None or then is None:
            return True
        starter = self._exercise.starter[unit.file]
        return _without_space(self._texts[unit.file], now) != _without_space(starter, then)

    def site(self, unit_id: str) -> FunctionSite | None:
        """Where the stub of a unit is now, or None if it no longer exists."""
        return self._sites.get(unit_id)

    def commented(self, unit: Unit) -> FunctionSite | None:
        """The function that has the comment of a unit, whatever its name, or None."""
        return next(iter(_marked(unit, self._now.get(unit.file, ()))), None)

    def touched(self, unit_id: str) -> bool:
        """Whether the stub differs from the starter, ignoring its comment and white space."""
        return self._touched.get(unit_id, False)

    def resigned(self, unit_id: str) -> bool:
        """Whether the stub is there with another signature than it was given."""
        now, then = self._sites[unit_id], self._then.get(unit_id)
        return now is not None and then is not None and now.signature != then.signature

    def text_hash(self, unit_id: str) -> str:
        """Identifies what the learner wrote for a unit.

        That is the text of its file without the bodies of other units, ignoring line ends, empty
        lines and trailing spaces.
        """
        unit = self._exercise.unit(unit_id)
        if unit is None:
            return ""
        text = self._texts.get(unit.file, "")
        others = [
            site
            for other in self._exercise.units
            if other.id != unit_id and other.file == unit.file and other.kind is UnitKind.BODY
            if (site := self.site(other.id))
        ]
        kept: list[str] = []
        done = 0
        for site in sorted(others, key=lambda site: site.start):
            kept.append(text[done : max(site.start, done)])
            done = max(site.end, done)
        kept.append(text[done:])
        lines = (line.rstrip() for line in split_lines("".join(kept)))
        return _digest("\n".join(line for line in lines if line))

    def basis(self, unit_id: str) -> str:
        """Identifies what the results of a unit come from that needs no other: what the learner
        wrote for it, its tests, and what was given of src/."""
        unit = self._exercise.unit(unit_id)
        if unit is None:
            return ""
        own = {each.file for each in self._exercise.units}
        given = {
            file: text
            for file, text in self._texts.items()
            if file == unit.test_file or (file.startswith("src/") and file not in own)
        }
        return files_hash({**given, unit.file: self.text_hash(unit_id)})

    def unit_at(self, file: str, line: int) -> Unit | None:
        """The unit whose stub, comment included, covers a 1-based line; the innermost one."""
        covering: list[tuple[int, Unit]] = []
        for unit in self._exercise.units:
            site = self._sites[unit.id]
            if unit.file != file or site is None:
                continue
            index = LineIndex(self._texts[file])
            first = index.position(site.start).line
            if unit.kind is UnitKind.BODY:  # else its name may stand in another unit's part
                first = min(first, site.line)
            if site.comment is not None:
                first = min(first, site.comment_line)
            last = index.position(max(site.end - 1, site.start)).line
            if first <= line <= last:
                covering.append((last - first, unit))
        return min(covering, key=lambda pair: pair[0])[1] if covering else None


def locate(unit: Unit, sites: Sequence[FunctionSite]) -> FunctionSite | None:
    """The function that is the stub of a unit, or None.

    Of several with its name, the one whose comment names the unit, or else the one nearest to
    its line in the starter.
    """
    named = [site for site in sites if site.name == unit.stub]
    marked = _marked(unit, named)
    return min(marked or named, key=lambda site: abs(site.line - unit.line), default=None)


def _marked(unit: Unit, sites: Iterable[FunctionSite]) -> list[FunctionSite]:
    """Those whose comment names the unit."""
    mark = re.compile(rf"^\s*{re.escape(unit.id)}\s", re.MULTILINE)
    return [site for site in sites if site.comment and mark.search(site.comment)]


def files_hash(texts: Mapping[str, str]) -> str:
    """Identifies a set of texts by path, ignoring line ends."""
    parts = (f"{path}\0{normalise_line_ends(text)}\0" for path, text in sorted(texts.items()))
    return _digest("".join(parts))


def first_failing(unit: Unit, report: TestReport) -> TestResult | None:
    """The first test of a unit, in the unit's order, that has a result other than passed."""
    open_tests = {
        test.name: test
        for test in reversed(report.tests)
        if test.unit == unit.id and test.outcome is not TestOutcome.PASSED
    }
    listed = (open_tests[name] for name in unit.tests if name in open_tests)
    return next(listed, None) or next(iter(reversed(open_tests.values())), None)


def state_of(unit: Unit, tests: Iterable[TestResult], stubs: Stubs) -> UnitState:
    """A unit's state from results of the texts that `stubs` was read from.

    Without results it is `todo`; `stale` if none of its tests was reached.
    """
    outcomes = {test.outcome for test in tests if test.unit == unit.id}
    if not outcomes or (outcomes <= {TestOutcome.NOT_RUN} and not stubs.touched(unit.id)):
        return UnitState.TODO
    if outcomes == {TestOutcome.PASSED}:
        return UnitState.PASSING
    if outcomes <= _UNKNOWN:
        return UnitState.STALE
    if outcomes - {TestOutcome.PASSED} <= _NOT_STARTED:
        return UnitState.TODO
    return UnitState.FAILING


def broken_units(errors: Iterable[BuildError], stubs: Stubs) -> set[str]:
    """The units in whose stubs these errors are."""
    places = (stubs.unit_at(error.file, error.line) for error in errors)
    return {unit.id for unit in places if unit is not None}


def focus(
    exercise: Exercise, states: Mapping[str, UnitState], last_edited: str | None = None
) -> str | None:
    """The unit that the learner is on.

    It is the one last edited until that passes, else the first one that does not pass; if all
    pass, the one last edited, else the last. None without units.
    """
    not_passing = [
        unit.id for unit in exercise.units if states.get(unit.id) is not UnitState.PASSING
    ]
    if last_edited in not_passing:
        return last_edited
    if not_passing:
        return not_passing[0]
    if last_edited is not None and exercise.unit(last_edited):
        return last_edited
    return exercise.units[-1].id if exercise.units else None


def update_progress(
    progress: Mapping[str, UnitProgress], report: TestReport, exercise: Exercise, stubs: Stubs
) -> dict[str, UnitProgress]:
    """The progress of every unit after one more run on the texts that `stubs` was read from.

    `report` is that run's own report. Runs that were cancelled or did not start change nothing.
    A run counts as not passing for a unit if one of its tests failed for a reason other than
    not being written yet, or if the build stopped inside its stub. Nothing changes for a unit whose
    file does not build because of another one in it.
    """
    if report.outcome in {RunOutcome.CANCELLED, RunOutcome.NOT_RUN}:
        return dict(progress)
    built = report.outcome is not RunOutcome.BUILD_ERROR
    broken = set() if built else broken_units(report.build_errors, stubs)
    updated = dict(progress)
    for unit in exercise.units:
        before = progress.get(unit.id, UnitProgress())
        after = replace(before, touched=before.touched or stubs.touched(unit.id))
        state = state_of(unit, report.tests, stubs) if built else None
        text = stubs.text_hash(unit.id)
        if unit.kind.on_request and built:
            if state is UnitState.STALE:  # it did not run
                updated[unit.id] = after
                continue
            after = replace(after, checked=stubs.basis(unit.id))
        if state is UnitState.FAILING and _stopped(unit, report, stubs):
            pass  # the try was at another unit
        elif unit.id in broken:
            after = _one_more_try(after, before.first_failing, text)
        elif state is UnitState.PASSING:
            passes = before.passes + (not before.passed)
            after = replace(after, passed=True, first_failing="", stuck_runs=0, passes=passes)
        elif state is not None and (failing := first_failing(unit, report)):
            if state is UnitState.FAILING:
                after = _one_more_try(after, failing.name, text)
            else:
                after = replace(after, passed=False, first_failing=failing.name, stuck_runs=0)
        updated[unit.id] = after
    return updated


def _stopped(unit: Unit, report: TestReport, stubs: Stubs) -> bool:
    """Whether its tests were not built because of another unit in its file."""
    mine = (test for test in report.tests if test.unit == unit.id)
    return any(stubs.stopped_by(unit, test.build_error) is not None for test in mine)


def _one_more_try(before: UnitProgress, failing: str, text: str) -> UnitProgress:
    changed = bool(before.failing_texts) and before.failing_texts[-1] != text
    same_failure = before.first_failing == failing
    # The last run's text comes last, so returning to an older text is a change too.
    others = tuple(known for known in before.failing_texts if known != text)
    return replace(
        before,
        passed=False,
        failing_texts=(*others, text)[-FAILING_TEXTS_KEPT:],
        first_failing=failing,
        stuck_runs=before.stuck_runs + changed if same_failure else 0,
    )


def _without_space(text: str, site: FunctionSite) -> str:
    start, end = site.start, site.end
    if site.comment is None:
        return "".join((site.signature + text[start:end]).split())
    index = LineIndex(text)
    comment_start = index.offset(site.comment_line, 1)
    comment_end = index.offset(site.comment_end_line + 1, 1)
    if start <= comment_start and comment_end <= end:
        rest = text[start:comment_start] + text[comment_end:end]
    else:
        rest = text[start:end]
    return "".join((site.signature + rest).split())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
