"""How a set-up ends: `tutor/sessionReady` and opening what it names, or `tutor/sessionFailed`."""

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.units import units_of
from tutor_lsp.tutor.interface.learner import error_info
from tutor_lsp.tutor.interface.notifications import SessionFailed, SessionReady
from tutor_lsp.tutor.learner.advice import LOOK_S
from tutor_lsp.tutor.services.jobs import Job
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.services.tell import tell
from tutor_lsp.wire import filled_from

OPENS_ITSELF_S = 5.0
"""A wait up to which lesson and stub open by themselves, in seconds."""
OPEN, LATER = "Open", "Later"


async def show_exercise(services: Services, opened: OpenExercise) -> None:
    """Open lesson and first stub where the client does not do it itself, or say where they are."""
    if services.frontend.abilities.shows_results:
        return
    view = opened.view()
    lesson, focus = opened.root / LESSON, view.focus
    stub = opened.root / focus.unit.file if focus is not None else lesson
    if not services.frontend.abilities.opens:
        services.frontend.message(
            f"Ready: {opened.exercise.title}. Read {lesson}, then open {stub}"
        )
        return
    await services.frontend.open(lesson, 1, take_focus=False)
    if focus is not None:
        await services.frontend.open(stub, focus.name_span.line)


async def tell_what_is_missing(
    services: Services, opened: OpenExercise, wait_s: float | None = None
) -> None:
    """Report once that the tests of an exercise cannot run here, if that is found in time."""
    missing = await services.tools.look_for_missing(opened.session.language, wait_s)
    if missing is not None:
        services.say_once(missing)


def tell_ready(services: Services, opened: OpenExercise, job: Job | None) -> SessionReady:
    """Send and return `tutor/sessionReady`; its `job`, if it has one, counts as done by then."""
    exercise, session = opened.exercise, opened.session
    payload = filled_from(
        SessionReady,
        exercise,
        job_id=job.id if job is not None else None,
        session_id=session.id,
        exercise_id=exercise.id,
        workspace=str(opened.root),
        lesson=session.lesson,
        units=units_of(opened.view()),
    )
    if job is not None:
        job.succeed(session.id)
    services.frontend.exercise_opened(opened.root / exercise.units[0].file)
    tell(services.frontend, payload)
    services.frontend.exercise_changed(opened)
    return payload


async def show_when_ready(services: Services, opened: OpenExercise, waited_s: float) -> None:
    """Report missing tools, then open lesson and stub; after a long wait ask first, without holding
    up the job."""
    await tell_what_is_missing(services, opened, LOOK_S)
    services.tasks.spawn(_show_or_ask(services, opened, waited_s), "show an exercise")


async def _show_or_ask(services: Services, opened: OpenExercise, waited_s: float) -> None:
    services.tasks.spawn(tell_what_is_missing(services, opened), "looking for tools")
    if services.frontend.abilities.shows_results:
        return
    if waited_s > OPENS_ITSELF_S:
        answer = await services.frontend.choose(f"Ready: {opened.exercise.title}", [OPEN, LATER])
        if answer != OPEN:
            return
    await show_exercise(services, opened)


def job_failed(services: Services, job: Job, error: TutorError) -> None:
    """Report that a job failed, with stage and reason."""
    job.error = error_info(error)
    tell(
        services.frontend,
        SessionFailed(job.id, error.stage, error.kind, error.message, error.details),
    )
    if not services.frontend.abilities.shows_results and error.kind != "CANCELLED":
        services.frontend.message(error.message, warning=True)
