"""From an open exercise and how it stands to what an editor shows of it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from tutor_lsp.core.exercise.exercise import LESSON, Unit, UnitState
from tutor_lsp.core.exercise.report import BuildError, TestReport
from tutor_lsp.core.exercise.standing import BEFORE, Standing, UnitStanding
from tutor_lsp.core.exercise.units import Stubs, focus
from tutor_lsp.core.learner.ladder import hint_test, is_stuck, ladder_of
from tutor_lsp.core.session import Hint, Review
from tutor_lsp.core.text.positions import LineIndex, normalise_line_ends
from tutor_lsp.library.markdown import headings
from tutor_lsp.tutor.exercise.saved_texts import SavedTexts
from tutor_lsp.tutor.ide.view import UnitView, View

if TYPE_CHECKING:
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise


def view_of(opened: "OpenExercise", saved: SavedTexts, stands: Standing) -> View:
    """What an editor shows of an exercise that stands so with these saved texts."""
    texts = opened.texts(saved)
    stubs = opened.stubs(texts)
    ran = saved.check_hash
    here = focus(opened.exercise, _as_known(stands), opened.last_edited)
    return View(
        root=opened.root,
        exercise=opened.exercise,
        session=opened.session,
        standing=stands,
        units=tuple(_unit_view(opened, item, stubs, stands, here, ran) for item in stands.units),
        texts=texts,
        build_error=_standing_error(opened, stands, texts),
        refusal=opened.refusal,
        report=opened.session.last_report,
        changed_files=opened.changed_files(texts),
        test_lines=_test_lines(opened, texts),
        heading_lines=_heading_lines(texts.get(LESSON, "")),
        review=_standing_review(opened, texts, saved.texts),
        next_title=opened.next_title,
        easier=opened.easier,
    )


def _ladder_hint(opened: "OpenExercise", unit: Unit, report: TestReport | None) -> Hint | None:
    """The highest hint of the unit's present ladder, or None."""
    session = opened.session
    ladder = ladder_of(hint_test(unit, report, session.progress.get(unit.id)), report)
    mine = [hint for hint in session.hints if (hint.unit, hint.test) == (unit.id, ladder)]
    # The order of giving decides among equals, not the clock, which may go backwards.
    return max(reversed(mine), key=lambda hint: hint.level, default=None)


def _unit_view(
    opened: "OpenExercise",
    item: UnitStanding,
    stubs: Stubs,
    stands: Standing,
    here: str | None,
    ran: str,
) -> UnitView:
    unit = item.unit
    needed = opened.exercise.proof.needs.get(unit.id, ())
    known = _as_known(stands)
    return UnitView(
        unit=unit,
        state=item.state,
        focus=here == unit.id,
        site=stubs.site(unit.id),
        results=item.results,
        old=item.old,
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


def _test_lines(opened: "OpenExercise", texts: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    return {
        site.name: (file, site.line)
        for file, text in texts.items()
        if file.startswith("tests/")
        for site in opened.test_sites(text)
    }


def _standing_error(
    opened: "OpenExercise", stands: Standing, texts: Mapping[str, str]
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
    if not stands.errors_old:
        return error
    return replace(error, message=f"{error.message} (from {BEFORE})")


def _standing_review(
    opened: "OpenExercise", texts: Mapping[str, str], saved: Mapping[str, str]
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


def _heading_lines(text: str) -> dict[str, int]:
    """The line of each heading, of the first one where several are the same."""
    marks = reversed(list(headings(normalise_line_ends(text))))
    return {mark.text: mark.line for mark in marks}
