"""Answers are about the text as it is: what was saved and not run is run before one is given."""

from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise


async def run_what_was_saved(app: "App", opened: "OpenExercise") -> None:
    """Check once if what is saved was not run, is trusted and parses, and no attempt is running:
    that may take a minute where the code hangs.

    Nothing is raised where that cannot be done: then `opened.behind()` still holds, and whoever
    answers has to say so. Raises TutorError `CANCELLED`.
    """
    if not opened.behind() or not opened.session.trusted or not opened.parses():
        return
    if app.runs(opened).attempting:
        return
    try:
        await app.runs(opened).check()
    except TutorError as error:
        if error.kind == "CANCELLED":
            raise
