"""What a save of an exercise's file triggers."""

import asyncio
import time
from pathlib import Path

from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.trust_gate import WAITING
from tutor_lsp.tutor.running.check_soon import CLOCK_STEP_S, check_soon, show
from tutor_lsp.tutor.running.run_queue import ExerciseRuns
from tutor_lsp.tutor.running.runs import Runs, load_execution
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.services.tasks import load_beside


def saved(
    services: Services,
    queue: ExerciseRuns,
    opened: OpenExercise,
    path: Path,
    asked: float | None = None,
) -> None:
    """A file was saved: check soon, unless its text does not parse. `asked` is when it was, by
    `time.monotonic`, now if not given."""
    asked = time.monotonic() if asked is None else asked
    opened.edited(path)
    file = opened.relative(path)
    runs_tests = services.settings.run_on_save and file not in (None, LESSON)
    if queue.checked_since(asked + CLOCK_STEP_S) and not opened.behind():
        # A command overtook the save and has run this text.
        show(services, opened)
        return
    if runs_tests and opened.session.trusted:
        opened.expect_results(asked)
        check_soon(services, queue, opened, services.settings.debounce_ms / 1000, asked)
        return
    if runs_tests:
        services.say_once(WAITING, about=("untrusted", opened.session.id))
    show(services, opened)


async def catch_up(services: Services, runs: Runs, opened: OpenExercise) -> None:
    """Check once what was saved and not run before this process knew of it, if saving runs the
    tests here; a command may have opened it before its first document. Showing it goes first.
    """
    if opened.caught_up:
        return
    opened.caught_up = True
    if not (services.settings.run_on_save and opened.session.trusted and opened.behind()):
        return
    await asyncio.sleep(services.settings.debounce_ms / 1000)
    await load_beside(load_execution)
    queue = runs.of(opened)
    if not (runs.ended or queue.pending()) and opened.behind():
        check_soon(services, queue, opened, 0)
