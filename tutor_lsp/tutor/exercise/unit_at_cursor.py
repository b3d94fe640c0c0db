"""Which unit a command is about: the one that is named, else the one at the cursor."""

import re

from tutor_lsp.core.errors import TutorError
from tutor_lsp.files.uris import uri_to_path
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.ide.view import UnitView, View
from tutor_lsp.tutor.interface.arguments import UnitArguments
from tutor_lsp.tutor.services.services import Services

_ABOVE = re.compile(r"\s*(#(?![a-z])|@|//|/\*|\*|$)")
"""A line that may stand above a test and belong to it: attribute, decorator, comment, blank."""


def unit_pointed_at(
    services: Services, opened: OpenExercise, view: View, arguments: UnitArguments
) -> UnitView | None:
    """The unit named, or that whose stub or test the position lies in; None if there is none.

    Raises TutorError `NO_UNIT` for a name that does not exist.
    """
    if arguments.unit is not None:
        wanted = opened.unit(arguments.unit).id
        return next(item for item in view.units if item.unit.id == wanted)
    if arguments.position is None:
        return None
    current = services.frontend.current_document()
    path = current if arguments.uri is None else uri_to_path(arguments.uri)
    file = opened.relative(path) if path is not None else None
    if file is None:
        return None
    line = arguments.position.line + 1
    return view.unit_at(file, line) or _of_test(opened, view, file, line)


def unit_meant(
    services: Services, opened: OpenExercise, view: View, arguments: UnitArguments
) -> UnitView:
    """The unit pointed at, else the focus. Raises TutorError `REFUSED` if there is no unit."""
    found = unit_pointed_at(services, opened, view, arguments) or view.focus
    if found is None:
        raise TutorError("REFUSED", "This exercise has no unit.")
    return found


def _of_test(opened: OpenExercise, view: View, file: str, line: int) -> UnitView | None:
    """The unit of the test that covers a line, or that only marks and comments part from it."""
    text = view.texts.get(file)
    if text is None or not file.startswith("tests/"):
        return None
    lines = text.split("\n")
    for site in opened.test_sites(text):
        if line <= site.end_line:
            if all(_ABOVE.match(above) for above in lines[line - 1 : site.line - 1]):
                return next((item for item in view.units if site.name in item.unit.tests), None)
            return None
    return None
