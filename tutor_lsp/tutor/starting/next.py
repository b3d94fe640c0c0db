"""`tutor.next`: from one exercise to the one that comes next."""

from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.verdict import not_counted
from tutor_lsp.core.session import Session
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.trust import allow
from tutor_lsp.tutor.learner.advice import what_next
from tutor_lsp.tutor.learner.sessions import end_session
from tutor_lsp.tutor.starting.resolve_start import decide
from tutor_lsp.tutor.starting.resume import begin_again, begun_before
from tutor_lsp.tutor.starting.start import begin, start

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import RunArguments
    from tutor_lsp.tutor.starting.resume import Started


async def next_exercise(app: "App", arguments: "RunArguments") -> dict[str, Any]:
    """Attempt what was written since the last attempt, end the session, start the next one.

    An exercise of that topic that is there and not passed is opened again instead of a copy.
    After `tutor.end` there is nothing to end, `ended` says so and the next one starts.
    Raises TutorError `REFUSED` if the attempt could not be counted, so that nothing is skipped.
    """
    from tutor_lsp.tutor.arguments import StartArguments
    from tutor_lsp.tutor.running.attempt import attempt_on, until_saved

    try:
        opened = await app.locate(arguments)
    except TutorError as error:
        last = await _last(app, arguments) if error.kind == "NO_SESSION" else None
        if last is None:
            raise
        begun = await start(app, StartArguments(language=last.language, trust=arguments.trust))
        return _going_on(f"“{last.title}” had ended already.", begun)
    await until_saved(opened)
    if needs_attempt(opened):
        await allow(app, opened, agreed=arguments.trust, command="tutor.next")
        result = await attempt_on(app, opened)
        if result.attempt is None:
            why = result.report.reason or "The tests could not be run."
            why = not_counted(result.report) or why
            raise TutorError("REFUSED", f"{why} To leave it as it is, end the session (tutor.end).")
    advice = await what_next(app, opened.session)
    if not advice:
        summary = await end_session(app, opened)
        raise TutorError(
            "NO_EXERCISE",
            f"{summary} Everything at hand in {opened.session.language} is done: well done.",
            details={"ended": summary},
        )
    there = await begun_before(app, opened.session.language, advice[0].node)
    if there is not None:
        summary = await end_session(app, opened)
        begun = begin_again(app, there, _why(there, opened))
    else:
        language = opened.session.language
        wish = StartArguments(language=language, node=advice[0].node, trust=arguments.trust)
        plan = await decide(app, wish)
        summary = await end_session(app, opened)
        begun = begin(app, plan)
    return _going_on(summary, begun)


async def _last(app: "App", arguments: "RunArguments") -> Session | None:
    """The session last worked on, where none is named."""
    if arguments.session is not None or arguments.uri is not None:
        return None
    sessions = await app.db(lambda tx: tx.sessions())
    return sessions[0] if sessions else None


def _going_on(summary: str, begun: "Started") -> dict[str, Any]:
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
