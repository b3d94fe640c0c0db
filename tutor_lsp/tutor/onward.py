"""`tutor.next`: from one exercise to the one that comes next."""

from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import Session
from tutor_lsp.tutor.advice import what_next
from tutor_lsp.tutor.again import begin_again, begun_before
from tutor_lsp.tutor.choose import decide
from tutor_lsp.tutor.opened import OpenExercise
from tutor_lsp.tutor.sessions import end_session
from tutor_lsp.tutor.start import begin

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import NoArguments


async def next_exercise(app: "App", arguments: "NoArguments") -> dict[str, Any]:
    """Attempt what was written since the last attempt, end the session, start the next one.

    An exercise of that topic that is there and not passed is opened again instead of a copy.
    Raises TutorError `REFUSED` if the attempt could not be counted, so that nothing is skipped.
    """
    from tutor_lsp.tutor.arguments import StartArguments
    from tutor_lsp.tutor.run import attempt_on, refuse_unsaved

    opened = await app.locate(arguments)
    refuse_unsaved(opened)
    if needs_attempt(opened):
        result = await attempt_on(app, opened)
        if result.attempt is None:
            why = result.report.reason or "The tests could not be run."
            raise TutorError("REFUSED", f"{why} To leave it as it is, end the session (tutor.end).")
    advice = await what_next(app, opened.session)
    if not advice:
        summary = await end_session(app, opened)
        raise TutorError(
            "NO_EXERCISE",
            f"{summary} Everything at hand in {opened.session.language} is done: well done.",
            details={"ended": summary},
        )
    there = await begun_before(app, advice[0].node)
    if there is not None:
        summary = await end_session(app, opened)
        begun = begin_again(app, there, _why(there, opened))
    else:
        plan = await decide(app, StartArguments(node=advice[0].node))
        summary = await end_session(app, opened)
        begun = begin(app, plan)
    return {
        "ended": summary,
        "jobId": begun.job_id,
        "node": begun.node,
        "language": begun.language,
        "depth": begun.depth,
    }


def needs_attempt(opened: OpenExercise) -> bool:
    """Whether something was written that no attempt has been reviewed on yet."""
    session = opened.session
    if session.passed or not opened.started():
        return False
    last = session.attempts[-1] if session.attempts else None
    return last is None or last.review is None or last.files_hash != opened.text_hash()


def _why(there: Session, left: OpenExercise) -> str:
    if there.id == left.session.id:
        return (
            f"“{there.title}” is not passed yet and what comes after it builds on it, so it is "
            "open again as you left it. Another topic: tutor.start."
        )
    return f"You began “{there.title}” before: it is open again as you left it."
