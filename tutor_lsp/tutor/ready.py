"""The payload of `tutor/sessionReady` (DESIGN 6), and opening what it names."""

from typing import TYPE_CHECKING, Any

from tutor_lsp.core.wire import to_wire
from tutor_lsp.tutor.opened import OpenExercise
from tutor_lsp.tutor.units import units_wire

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App


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
    lesson, focus = opened.root / "LESSON.md", view.focus
    stub = opened.root / focus.unit.file if focus is not None else lesson
    if not app.frontend.abilities.opens:
        app.frontend.message(f"Ready: {opened.exercise.title}. Read {lesson}, then open {stub}")
        return
    await app.frontend.open(lesson, 1, take_focus=False)
    if focus is not None:
        await app.frontend.open(stub, focus.name_span.line)
