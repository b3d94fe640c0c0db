"""Why there is no code to give a hint on."""

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.registry import languages
from tutor_lsp.tutor.exercise.last_texts import last_texts
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.stub_place import stands
from tutor_lsp.tutor.ide.view import View
from tutor_lsp.tutor.services.services import Services


async def why_not_found(services: Services, opened: OpenExercise, view: View, unit: Unit) -> str:
    """Whether the stub is gone, or stands where its file cannot be read; and what to do."""
    if unit.file not in view.texts:
        kept = unit.file in await last_texts(services, opened)
        return t(
            f"{unit.file} is gone, so there is no code to give a hint on. tutor.reset puts it back"
        ) + (t(", and its undo what you had written in it.") if kept else t(" as it was given."))
    text = view.texts[unit.file]
    error = view.build_error
    if error is None or error.file != unit.file:
        error = opened.toolchain.syntax_error(unit.file, text)
    if error is not None and stands(languages()[opened.exercise.language].lines, text, unit.stub):
        return t(
            f"{unit.file} cannot be read from line {error.line} on ({error.message}), so "
            f"`{unit.stub}` is not found in it. The cause may stand further up: undo your last "
            "change in the editor, or use tutor.reset without a unit to put the whole file back; "
            "your text is kept."
        )
    return t(
        f"`{unit.stub}` is not in {unit.file} any more, so there is no code to give a hint "
        f'on. tutor.reset with {{"unit": "{unit.id}"}} puts it back; your text is kept.'
    )
