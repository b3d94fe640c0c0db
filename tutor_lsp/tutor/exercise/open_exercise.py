"""An exercise that is open in this process: its standing, and what an editor shows of it."""

import time
from collections.abc import Mapping
from dataclasses import replace

from tutor_lsp.core.exercise.exercise import LESSON, Exercise, Unit, UnitState
from tutor_lsp.core.exercise.report import BuildError, RunOutcome, TestReport
from tutor_lsp.core.exercise.standing import (
    NOTHING_EARLY,
    Early,
    Saved,
    Standing,
    UnitStanding,
    from_before,
    standing,
)
from tutor_lsp.core.exercise.units import Stubs, focus
from tutor_lsp.core.learner.ladder import hint_test, is_stuck, ladder_of
from tutor_lsp.core.session import Hint, Review
from tutor_lsp.core.text.positions import LineIndex, normalise_line_ends
from tutor_lsp.library.markdown import headings
from tutor_lsp.tutor.exercise.folder.saved_texts import SavedTexts
from tutor_lsp.tutor.exercise.state import ExerciseState
from tutor_lsp.tutor.ide.view import UnitView, View
from tutor_lsp.wire import filled_from

DISK_S = 0.1
"""How long a view may be shown before the disk is checked again, in seconds."""


class OpenExercise(ExerciseState):
    """Everything about one exercise in this process. Use from the loop's thread only."""

    _viewed: tuple[tuple[object, ...], SavedTexts, View] | None = None
    _looked_at = 0.0

    def standing(self) -> Standing:
        """The exercise's standing by what is saved, whatever is still running."""
        return self._standing(self.saved(), pending=False)

    def _standing(
        self,
        saved: SavedTexts,
        *,
        pending: bool,
        parses: bool = False,
        early: Early = NOTHING_EARLY,
    ) -> Standing:
        hash_then, error = self._unparsed or ("", None)
        here = Saved(self.stubs(saved.texts), saved.hashes)
        counts = not parses and (pending or hash_then == saved.check_hash)
        return standing(
            self.exercise,
            self.session,
            here,
            syntax_error=error if counts else None,
            pending=pending,
            early=early,
        )

    def behind(self) -> bool:
        """Whether what is saved was not run: what is known is from before, or nothing is."""
        session, saved = self.session, self.saved()
        last = session.last_report or session.last_results
        if last is None:
            return self.started(saved)
        return last.text_hash not in saved.hashes

    def view(self, *, patient: bool = True) -> View:
        """A snapshot of now; `patient` leaves results that are about to come their time."""
        return self._view(self.saved(), patient=patient)

    def _view(self, saved: SavedTexts, *, patient: bool) -> View:
        pending = patient and self.results_pending
        hash_then, found = self.early or ("", NOTHING_EARLY)
        early = found if hash_then in saved.hashes else NOTHING_EARLY
        return view_of(self, saved, self._standing(saved, pending=pending, early=early))

    def recent_view(self, buffers: object) -> View:
        """The same, computed once for each change and not for each request: of what is known here,
        of the editor's texts, whose state is `buffers`, and of the disk at most `DISK_S` late.
        """
        state, now = (buffers, *self.known_state()), time.monotonic()
        viewed = self._viewed
        if viewed is not None and viewed[0] == state and now - self._looked_at <= DISK_S:
            return viewed[2]
        self._looked_at, saved = now, self.saved()
        if viewed is None or viewed[0] != state or viewed[1] is not saved:
            viewed = self._viewed = (state, saved, self._view(saved, patient=True))
        return viewed[2]

    def standing_report(self) -> TestReport | None:
        """What is known of the texts as they are now, unsaved ones included: the results that
        count, or that the code does not parse."""
        error = self.first_syntax_error()
        if error is None:
            return self._standing(self.saved(), pending=False, parses=True).report
        before = self.session.last_results or TestReport("", RunOutcome.BUILD_ERROR)
        return replace(before, outcome=RunOutcome.BUILD_ERROR, build_errors=(error,))


def view_of(opened: ExerciseState, saved: SavedTexts, stands: Standing) -> View:
    """What an editor shows of an exercise that stands so with these saved texts."""
    texts = opened.texts(saved)
    stubs = opened.stubs(texts)
    ran = saved.check_hash
    changed = opened.changed_files(texts)
    here = focus(opened.exercise, _as_known(stands), opened.last_edited)
    return filled_from(
        View,
        opened,
        standing=stands,
        units=tuple(_unit_view(opened, item, stubs, stands, here, ran) for item in stands.units),
        texts=texts,
        build_error=_standing_error(opened, stands, texts),
        report=opened.session.last_report,
        changed_files=changed,
        test_lines=_test_lines(opened, texts),
        heading_lines=_heading_lines(
            opened.exercise, texts.get(LESSON, ""), changed=LESSON in changed
        ),
        review=_standing_review(opened, texts, saved.texts),
    )


def _ladder_hint(opened: ExerciseState, unit: Unit, report: TestReport | None) -> Hint | None:
    """The highest hint of the unit's present ladder, or None."""
    session = opened.session
    progress = session.progress.get(unit.id)
    ladder = ladder_of(hint_test(unit, report, progress), report, progress)
    mine = [hint for hint in session.hints if (hint.unit, hint.test) == (unit.id, ladder)]
    # The order of giving decides among equals, not the clock, which may go backwards.
    return max(reversed(mine), key=lambda hint: hint.level, default=None)


def _unit_view(
    opened: ExerciseState,
    item: UnitStanding,
    stubs: Stubs,
    stands: Standing,
    here: str | None,
    ran: str,
) -> UnitView:
    unit = item.unit
    needed = opened.exercise.proof.needs.get(unit.id, ())
    known = _as_known(stands)
    return filled_from(
        UnitView,
        item,
        focus=here == unit.id,
        site=stubs.site(unit.id),
        waits_for=tuple(
            other
            for other in opened.exercise.units
            if other.id in needed and known[other.id] is not UnitState.PASSING
        ),
        hint=(hint := _ladder_hint(opened, unit, stands.report)),
        unchanged=(unchanged := hint is not None and hint.text_hash == stubs.text_hash(unit.id)),
        hint_old=hint is not None and not (ran == hint.ran if hint.ran else unchanged),
        stuck=is_stuck(opened.session.progress.get(unit.id)),
        was_reset=unit.id in opened.was_reset and not stubs.touched(unit.id),
    )


def _test_lines(opened: ExerciseState, texts: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    return {
        site.name: (file, site.line)
        for file, text in texts.items()
        if file.startswith("tests/")
        for site in opened.test_sites(text)
    }


def _standing_error(
    opened: ExerciseState, stands: Standing, texts: Mapping[str, str]
) -> BuildError | None:
    """The first error that still stands at its place."""
    if not stands.errors:
        return None
    mine = [each for each in stands.errors if each.file in opened.exercise.starter]
    error = (mine or list(stands.errors))[0]
    now, then = texts.get(error.file), opened.ran_texts.get(error.file)
    if now is None:
        return None
    report = opened.session.last_report
    if then is not None and report is not None and error in report.build_errors:
        line_now, line_then = (LineIndex(text).line(error.line) for text in (now, then))
        if line_now.strip() != line_then.strip():
            return None
    return replace(error, message=from_before(error.message, old=stands.errors_old))


def _standing_review(
    opened: ExerciseState, texts: Mapping[str, str], saved: Mapping[str, str]
) -> Review | None:
    last = opened.session.attempts[-1] if opened.session.attempts else None
    if last is None or last.review is None:
        return None
    stands = all(last.files_hash == opened.text_hash(each) for each in (texts, saved))
    return last.review if stands else None


def _as_known(stands: Standing) -> dict[str, UnitState]:
    """States by unit, with what passed on an older text as passing: it is not where to work."""
    return {
        item.unit.id: UnitState.PASSING if item.old and item.passed else item.state
        for item in stands.units
    }


def _heading_lines(exercise: Exercise, text: str, *, changed: bool) -> dict[str, int]:
    """The line of each unit's heading, of the first one where several are the same. A lesson that
    was not changed is as it was indexed, and is not read as Markdown again.
    """
    lines = normalise_line_ends(text).split("\n")
    known = {unit.lesson_heading: unit.lesson_line for unit in exercise.units}
    if not changed and all(_is_heading(lines, number, title) for title, number in known.items()):
        return known
    marks = reversed(headings(normalise_line_ends(text)))
    return {mark.text: mark.line for mark in marks}


def _is_heading(lines: list[str], number: int, title: str) -> bool:
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    return line.startswith("#") and line.strip("# \t") == title
