"""What a save of an exercise's file leads to."""

from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise import LESSON
from tutor_lsp.tutor.trust import WAITING

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.opened import OpenExercise


def saved(app: "App", opened: "OpenExercise", path: Path) -> None:
    """A file was saved: check soon, unless its text does not parse."""
    opened.edited(path)
    file = opened.relative(path)
    if file is None or not app.settings.run_on_save or file == LESSON:
        app.frontend.exercise_changed(opened)
        return
    if not opened.session.trusted:
        app.say_once(WAITING, about=("untrusted", opened.session.id))
        return

    check_soon(app, opened, app.settings.debounce_ms / 1000)


def check_soon(app: "App", opened: "OpenExercise", delay_s: float) -> None:
    """Check after `delay_s` without a save, unless what is saved does not parse."""

    def due() -> bool:
        opened.parse_error = opened.first_syntax_error()
        if opened.parse_error is not None:
            app.frontend.exercise_changed(opened)
            return False
        return True

    def unheard(error: TutorError) -> None:
        reason = error.reason or error.message
        app.say_once(error.message, about=(opened.session.id, error.kind, reason))

    app.runs(opened).save(delay_s, due, unheard)
