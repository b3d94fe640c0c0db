"""What a save of an exercise's file leads to."""

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.tutor.exercise.open_exercise import PATIENCE_S
from tutor_lsp.tutor.exercise.trust import WAITING

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise


def saved(app: "App", opened: "OpenExercise", path: Path, asked: float | None = None) -> None:
    """A file was saved: check soon, unless its text does not parse. `asked` is when it was, by
    `time.monotonic`, now if not given."""
    asked = time.monotonic() if asked is None else asked
    opened.edited(path)
    file = opened.relative(path)
    if file is None or not app.settings.run_on_save or file == LESSON:
        _show(app, opened)
        return
    if not opened.session.trusted:
        app.say_once(WAITING, about=("untrusted", opened.session.id))
        _show(app, opened)
        return

    opened.expect_results(asked)
    check_soon(app, opened, app.settings.debounce_ms / 1000, asked)


def catch_up(app: "App", opened: "OpenExercise") -> None:
    """Check once what was saved and not run before this process knew of it, if saving runs the
    tests here; a command may have opened it before its first document."""
    if opened.caught_up:
        return
    opened.caught_up = True
    if app.settings.run_on_save and opened.session.trusted and opened.behind():
        check_soon(app, opened, app.settings.debounce_ms / 1000)


def check_soon(
    app: "App", opened: "OpenExercise", delay_s: float, asked: float | None = None
) -> None:
    """Check after `delay_s` without a save, unless what is saved does not parse. Where a save
    `asked` for it, results of the text before are shown as old when its own are late."""

    def due() -> bool:
        if opened.parses():
            return True
        _show(app, opened)
        return False

    def late() -> None:
        if runs.pending():
            app.frontend.exercise_changed(opened)

    def unheard(error: TutorError) -> None:
        reason = error.reason or error.message
        app.say_once(error.message, about=(opened.session.id, error.kind, reason))

    runs = app.runs(opened)
    runs.save(delay_s, due, unheard)
    if asked is not None:
        loop = asyncio.get_running_loop()
        loop.call_later(max(asked + PATIENCE_S - time.monotonic(), 0.0), late)


def _show(app: "App", opened: "OpenExercise") -> None:
    """Show what is known of the saved text, for which no check is on its way now."""
    if not opened.pending():
        opened.expect_none()
    app.frontend.exercise_changed(opened)
