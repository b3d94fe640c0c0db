"""`tutor.status` and `tutor.cancel`."""

from tutor_lsp import __version__
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.standing import finished
from tutor_lsp.core.session import Attempt
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.units import units_of
from tutor_lsp.tutor.hinting.tutor_choice import answers_questions
from tutor_lsp.tutor.interface.arguments import CancelArguments, NoArguments
from tutor_lsp.tutor.interface.choices import Choice
from tutor_lsp.tutor.interface.learner import (
    AttemptInfo,
    BackendInfo,
    BrokenSession,
    OpenSession,
    Status,
    error_info,
)
from tutor_lsp.tutor.interface.results import Cancelled
from tutor_lsp.tutor.learner.onward import reviews_due, to_continue
from tutor_lsp.tutor.learner.standings import session_fields
from tutor_lsp.tutor.running.check_soon import is_due, run_what_was_saved
from tutor_lsp.tutor.running.runs import Runs, cancel_work
from tutor_lsp.tutor.voice import choices as rows
from tutor_lsp.tutor.voice.exercises import attempt_words
from tutor_lsp.tutor.voice.voice import Voice
from tutor_lsp.wire import filled_from


async def status(runs: Runs, arguments: NoArguments) -> Status:
    """Session, units, jobs, backend, home and version; None where there is none."""
    named = arguments.session is not None or arguments.uri is not None
    opened: OpenExercise | None = None
    session: OpenSession | BrokenSession | None = None
    try:
        opened = await runs.exercises.locate(arguments)
    except TutorError as error:
        if named:
            raise
        if error.kind != "NO_SESSION":
            session = BrokenSession(error_info(error))
    if opened is None:
        # What comes next is likely the list of exercises.
        runs.services.tools.begin(runs.services.taught)
    name, why = await runs.services.backends.serving()
    answers = await answers_questions(runs.services, opened.session if opened is not None else None)
    due, due_words = await reviews_due(runs.services)
    if opened is not None:
        # What runs tests is loaded for that alone.
        if runs.services.frontend.abilities.terminal and is_due(opened):
            await run_what_was_saved(runs.of(opened), opened)
        # Read last: looking for backends takes time, and tests may have run by then.
        session = filled_from(
            OpenSession,
            opened.session,
            **session_fields(opened.session, opened.standing()),
            proof=opened.exercise.proof,
            history=tuple(
                _attempt_info(runs.services.frontend.abilities.voice, item)
                for item in opened.session.attempts
            ),
        )
    return Status(
        session=session,
        # An answer is about what is saved now: it does not wait for results that are to come.
        units=units_of(opened.view(patient=False)) if opened is not None else None,
        jobs=tuple(job.view() for job in runs.services.jobs.all()),
        backend=BackendInfo(name, why, answers),
        home=str(runs.services.home),
        version=__version__,
        layout=runs.services.settings.layout,
        resume=await _to_continue(runs, opened, named=named),
        due=due,
        due_words=due_words,
    )


async def _to_continue(runs: Runs, opened: OpenExercise | None, *, named: bool) -> Choice | None:
    if opened is None or finished(opened.session):
        return None if named else await to_continue(runs.services)
    session, words = opened.session, opened.standing().units_words
    return rows.onward(runs.services.frontend.abilities.voice, session.id, session.title, words)


def _attempt_info(voice: Voice, attempt: Attempt) -> AttemptInfo:
    """One stored attempt: how many tests passed, and what the review said."""
    tests, review = attempt.report.tests, attempt.review
    return AttemptInfo(
        number=attempt.number,
        at=attempt.at,
        text_hash=attempt.report.text_hash,
        outcome=attempt.report.outcome.value,
        tests=len(tests),
        tests_passing=sum(test.outcome == "passed" for test in tests),
        verdict=review.verdict if review is not None else None,
        score=review.score if review is not None else None,
        words=attempt_words(voice, attempt),
    )


async def cancel(runs: Runs, arguments: CancelArguments) -> Cancelled:
    """Cancel one job, or everything that is running: jobs, commands, runs and reviews.

    `cancelled` is false where there was nothing (any more) to cancel.
    """
    return Cancelled(cancel_work(runs, arguments.job_id))
