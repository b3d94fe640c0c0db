"""How a set-up ends: `tutor/sessionReady` and opening what it names, or `tutor/sessionFailed`."""

from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.wire import to_wire
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.units import units_wire
from tutor_lsp.tutor.services.jobs import Job

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

OPENS_ITSELF_S = 5.0
"""A wait up to which lesson and stub open by themselves, in seconds."""
OPEN, LATER = "Open", "Later"


def ready_payload(opened: OpenExercise, job_id: str | None) -> dict[str, Any]:
    """What an editor needs to show an exercise."""
    exercise, session = opened.exercise, opened.session
    return {
        "jobId": job_id,
        "sessionId": session.id,
        "exerciseId": exercise.id,
        "node": exercise.node,
        "title": exercise.title,
        "language": exercise.language,
        "depth": exercise.depth,
        "workspace": str(opened.root),
        "lesson": session.lesson,
        "files": list(exercise.files),
        "units": units_wire(opened.view()),
        "proof": to_wire(exercise.proof),
    }


async def show_exercise(app: "App", opened: OpenExercise) -> None:
    """Open lesson and first stub where the client does not do it itself, or say where they are."""
    if app.frontend.abilities.shows_results:
        return
    view = opened.view()
    lesson, focus = opened.root / LESSON, view.focus
    stub = opened.root / focus.unit.file if focus is not None else lesson
    if not app.frontend.abilities.opens:
        app.frontend.message(f"Ready: {opened.exercise.title}. Read {lesson}, then open {stub}")
        return
    await app.frontend.open(lesson, 1, take_focus=False)
    if focus is not None:
        await app.frontend.open(stub, focus.name_span.line)


async def tell_what_is_missing(
    app: "App", opened: OpenExercise, wait_s: float | None = None
) -> None:
    """Say, once, that the tests of an exercise cannot run here, if that is found in time."""
    missing = await app.tools.told(opened.session.language, wait_s)
    if missing is not None:
        app.say_once(missing)


async def show_when_ready(app: "App", opened: OpenExercise, waited_s: float) -> None:
    """Open lesson and stub, or after a long wait ask: the job does not wait for the learner."""
    app.tasks.spawn(tell_what_is_missing(app, opened), "looking for tools")
    if app.frontend.abilities.shows_results:
        return
    if waited_s > OPENS_ITSELF_S:
        answer = await app.frontend.choose(f"Ready: {opened.exercise.title}", [OPEN, LATER])
        if answer != OPEN:
            return
    await show_exercise(app, opened)


def job_failed(app: "App", job: Job, error: TutorError) -> None:
    """Tell that a job failed, with stage and reason."""
    job.error = {"message": error.message, **error.data()}
    app.frontend.notify(
        "tutor/sessionFailed",
        {
            "jobId": job.id,
            "stage": error.stage,
            "reason": error.kind,
            "message": error.message,
            "details": error.details,
        },
    )
    if not app.frontend.abilities.shows_results and error.kind != "CANCELLED":
        app.frontend.message(error.message, warning=True)
