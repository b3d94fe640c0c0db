"""A check of what is saved: once saving pauses, or before an answer about it is given."""

import asyncio
import time

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.state import PATIENCE_S
from tutor_lsp.tutor.running.run_queue import ExerciseRuns
from tutor_lsp.tutor.services.services import Services

CLOCK_STEP_S = 0.01
"""How far the time of a file may lie before its writing, in seconds: that of a kernel's tick."""


def check_soon(
    services: Services,
    queue: ExerciseRuns,
    opened: OpenExercise,
    delay_s: float,
    asked: float | None = None,
) -> None:
    """Check after `delay_s` without a save, unless what is saved does not parse. Where a save
    `asked` for it, results of the text before are shown as old when its own are late, and a check
    that a command has begun since then answers it."""

    def due() -> bool:
        if opened.parses():
            return True
        show(services, opened)
        return False

    def late() -> None:
        if queue.pending():
            services.frontend.exercise_changed(opened)

    def unheard(error: TutorError) -> None:
        reason = error.reason or error.message
        services.say_once(error.message, about=(opened.session.id, error.kind, reason))

    if asked is None or not queue.joins(asked + CLOCK_STEP_S, unheard):
        queue.save(delay_s, due, unheard)
    if asked is not None:
        loop = asyncio.get_running_loop()
        loop.call_later(max(asked + PATIENCE_S - time.monotonic(), 0.0), late)


def show(services: Services, opened: OpenExercise) -> None:
    """Show what is known of the saved text, for which no check is on its way now."""
    if not opened.pending():
        opened.expect_none()
    services.frontend.exercise_changed(opened)


def is_due(opened: OpenExercise) -> bool:
    """Whether what is saved was not run, and may be: it is trusted and parses."""
    return opened.behind() and opened.session.trusted and opened.parses()


async def run_what_was_saved(queue: ExerciseRuns, opened: OpenExercise) -> None:
    """Check once if that `is_due` and no attempt is running, which may take a minute if the code
    hangs.

    Nothing is raised where that cannot be done: then `opened.behind()` still holds, and whoever
    answers has to say so. Raises TutorError `CANCELLED`.
    """
    if not is_due(opened) or queue.attempting:
        return
    try:
        await queue.check(asked=False)
    except TutorError as error:
        if error.kind == "CANCELLED":
            raise
