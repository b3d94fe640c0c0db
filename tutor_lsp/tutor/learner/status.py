"""`tutor.status` and `tutor.cancel`."""

from typing import TYPE_CHECKING, Any

from tutor_lsp import __version__
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.standing import Standing
from tutor_lsp.core.session import Attempt, Session
from tutor_lsp.core.wire import to_wire
from tutor_lsp.tutor.exercise.units import units_wire
from tutor_lsp.tutor.hinting.context import answers_questions
from tutor_lsp.tutor.learner.how_far import standing_wire
from tutor_lsp.tutor.running.fresh import run_what_was_saved

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import CancelArguments, NoArguments
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise


async def status(app: "App", arguments: "NoArguments") -> dict[str, Any]:
    """Session, units, jobs, backend, home and version; nulls where there is none.

    `backend.answersQuestions`: whether a model would answer a question about this session's code.
    """
    opened: OpenExercise | None = None
    session: dict[str, Any] | None = None
    units: list[dict[str, Any]] | None = None
    try:
        opened = await app.locate(arguments)
    except TutorError as error:
        if arguments.session is not None or arguments.uri is not None:
            raise
        if error.kind != "NO_SESSION":
            session = {"error": {"message": error.message, **error.data()}}
    if opened is None:
        # What comes next is likely the list of exercises.
        app.tools.begin(app.taught)
    name, why = await app.backends.serving()
    answers = await answers_questions(app, opened.session if opened is not None else None)
    if opened is not None:
        if app.frontend.abilities.terminal:
            await run_what_was_saved(app, opened)
        # Looked at last: looking for backends takes its time, and tests may have run meanwhile.
        session = session_view(opened.session, opened.standing())
        session["proof"] = to_wire(opened.exercise.proof)
        session["history"] = [_attempt_view(item) for item in opened.session.attempts]
        # An answer is about what is saved now: it does not wait for results that are to come.
        units = units_wire(opened.view(patient=False))
    return {
        "session": session,
        "units": units,
        "jobs": [job.view() for job in app.jobs.all()],
        "backend": {"name": name, "why": why, "answersQuestions": answers},
        "home": str(app.home),
        "version": __version__,
    }


def session_view(session: Session, stands: Standing | None) -> dict[str, Any]:
    """A session without its history, as lists and status show it; how it `stands` is None where
    there is no record of its exercise."""
    last = session.attempts[-1] if session.attempts else None
    return {
        "id": session.id,
        "exerciseId": session.exercise_id,
        "node": session.node,
        "title": session.title,
        "language": session.language,
        "depth": session.depth,
        "workspace": session.workspace,
        "lesson": session.lesson,
        "createdAt": session.created_at,
        "updatedAt": session.updated_at,
        "endedAt": session.ended_at,
        "backend": session.backend,
        "challenge": session.challenge,
        "attempts": session.attempt_count,
        "hintLevelUsed": session.hint_level_used,
        "passed": session.passed,
        "tests": stands.tests if stands is not None else 0,
        "testsPassing": stands.tests_passing if stands is not None else 0,
        "standing": standing_wire(stands) if stands is not None else None,
        "verdict": last.review.verdict if last is not None and last.review is not None else None,
    }


def _attempt_view(attempt: Attempt) -> dict[str, Any]:
    """One of the kept attempts: how many tests passed, and what the review said."""
    tests, review = attempt.report.tests, attempt.review
    return {
        "number": attempt.number,
        "at": attempt.at,
        "textHash": attempt.report.text_hash,
        "outcome": attempt.report.outcome.value,
        "tests": len(tests),
        "testsPassing": sum(test.outcome == "passed" for test in tests),
        "verdict": review.verdict if review is not None else None,
        "score": review.score if review is not None else None,
    }


async def cancel(app: "App", arguments: "CancelArguments") -> dict[str, bool]:
    """Cancel one job, or everything that is going on: jobs, commands, runs and reviews.

    `cancelled` is false where there was nothing (any more) to cancel.
    """
    return {"cancelled": app.cancel(arguments.job_id)}
