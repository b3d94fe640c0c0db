"""One exercise as it stands now: current texts, where the units are in them, last results."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tutor_lsp.core.exercise.exercise import Exercise, Unit, UnitState
from tutor_lsp.core.exercise.report import BuildError, TestReport, TestResult
from tutor_lsp.core.exercise.standing import Standing, is_unchecked
from tutor_lsp.core.learner.recommendation import Advice
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.core.session import Hint, Review, Session


@dataclass(frozen=True, slots=True)
class Span:
    """A range in a file: 1-based lines, 1-based code point columns, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class UnitView:
    """A unit in the current text. `site` is None when its stub cannot be found there.

    `results` are those of its tests in the last run that had any, `old` whether that was on another
    text than the saved one; `waits_for` the earlier units that it needs and that do not pass;
    `hint` the highest unlocked hint of its present ladder, `unchanged` whether the text is still
    the one that it was given for, `hint_old` whether it speaks of a run on another text;
    `was_reset` holds after a reset of it here, until something is written again.
    """

    unit: Unit
    state: UnitState
    focus: bool
    site: FunctionSite | None
    results: tuple[TestResult, ...] = ()
    old: bool = False
    waits_for: tuple[Unit, ...] = ()
    hint: Hint | None = None
    unchanged: bool = False
    hint_old: bool = False
    stuck: bool = False
    was_reset: bool = False

    @property
    def name_span(self) -> Span:
        """Where the stub's name stands, or the beginning of the line where it was."""
        if self.site is None:
            return Span(self.unit.line, 1, self.unit.line, 1)
        return Span(self.site.line, self.site.column, self.site.line, self.site.end_column)

    @property
    def unchecked(self) -> bool:
        """Whether it waits until somebody asks for its tests."""
        return is_unchecked(self.unit, self.state, old=self.old)

    @property
    def cue_line(self) -> int | None:
        """Line of the comment's "Start here", or None where the comment is gone."""
        if self.site is None or self.site.comment is None:
            return None
        for offset, line in enumerate(self.site.comment.split("\n")):
            if line.strip().lower().startswith("start here"):
                return self.site.comment_line + offset
        return None

    @property
    def failing(self) -> tuple[TestResult, ...]:
        """Results that did not pass, in the order of the unit's tests."""
        return tuple(result for result in self.results if result.outcome != "passed")


@dataclass(frozen=True, slots=True)
class View:
    """A snapshot. `texts` holds every workspace file by relative path, buffers before disk.

    `build_error` is the first error that still stands at its place; `changed_files` are given
    files (tests, lesson) that differ from what was delivered; `test_lines` and `heading_lines`
    say where tests and lesson headings are now. `easier` is known after a last hint, `asks` says
    whether a model would answer a question. `refusal` says why no run could be made since the last
    one.
    """

    root: Path
    exercise: Exercise
    session: Session
    standing: Standing
    units: tuple[UnitView, ...]
    texts: Mapping[str, str]
    build_error: BuildError | None
    report: TestReport | None
    changed_files: tuple[str, ...]
    test_lines: Mapping[str, tuple[str, int]]
    heading_lines: Mapping[str, int]
    review: Review | None
    next_title: str | None = None
    easier: Advice | None = None
    asks: bool = False
    refusal: str | None = None

    @property
    def focus(self) -> UnitView | None:
        """The unit that the learner is on."""
        return next((item for item in self.units if item.focus), None)

    def in_file(self, file: str) -> tuple[UnitView, ...]:
        """Units whose stub is in that file, in order."""
        return tuple(item for item in self.units if item.unit.file == file)

    def body_lines(self, item: UnitView) -> tuple[int, int]:
        """First and last 1-based line of a unit's body, or twice its line where none is found."""
        site, text = item.site, self.texts.get(item.unit.file)
        if site is None or text is None:
            return item.name_span.line, item.name_span.line
        first = text.count("\n", 0, site.body_start) + 1
        return first, first + text.count("\n", site.body_start, site.body_end)

    def unit_at(self, file: str, line: int) -> UnitView | None:
        """The unit whose comment or definition covers a 1-based line, or None."""
        text = self.texts.get(file)
        for item in self.in_file(file):
            site = item.site
            if site is None or text is None:
                continue
            first = min(site.comment_line or site.line, site.line)
            last = text.count("\n", 0, site.end) + 1
            if first <= line <= last:
                return item
        return None


class Viewable(Protocol):
    """An open exercise as its viewers see it: a folder of which a snapshot can be taken."""

    root: Path

    def view(self, *, patient: bool = True) -> View:
        """A snapshot of now; `patient` leaves results that are about to come their time."""
