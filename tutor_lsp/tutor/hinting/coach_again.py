"""`.tutor/coach.md` written anew from the record, where the learner deleted it."""

from collections.abc import Iterator
from pathlib import Path

from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.exercise.verdict import sentence
from tutor_lsp.core.session import Session
from tutor_lsp.tutor.hinting.coach_file import NAME, hint_text, review_text, write_coach_file


def write_coach_file_again(root: Path, session: Session, exercise: Exercise) -> str:
    """Write the file anew unless it is there. What to say of it, as the end of a sentence: with
    what it holds again and how the rest can be had, or why it cannot be written. Blocks."""
    may_hold_more = any(unit.passed or unit.revealed for unit in session.progress.values())
    entries = sorted(_entries(session, exercise))
    if (root / NAME).is_file() or not (entries or may_hold_more):
        return "; nothing is lost."
    try:
        if entries:
            write_coach_file(root, entries)
    except OSError as error:
        return (
            f"; {NAME} cannot be ({error.strerror}): your record holds its hints and reviews, and "
            "tutor.hint and tutor.review show the last ones."
        )
    said = ""
    if entries:
        kept, all_of_them = len(session.attempts), session.attempt_count
        reviews = "reviews" if kept >= all_of_them else f"the reviews of your last {kept} attempts"
        said = f", and {NAME} with your hints and {reviews}"
    if may_hold_more:
        said += "; tutor.reveal and tutor.compare show again what they had put there"
    return f"{said}."


def _entries(session: Session, exercise: Exercise) -> Iterator[tuple[str, str]]:
    stubs = {unit.id: unit.stub for unit in exercise.units}
    for hint in session.hints:
        yield hint.at, hint_text(hint, stubs.get(hint.unit, hint.unit), session.language)
    before = None
    for attempt in session.attempts:
        if attempt.review is not None:
            run = sentence(attempt.report, before)
            yield attempt.at, review_text(attempt.review, run, attempt.number, session.language)
        before = attempt.report
