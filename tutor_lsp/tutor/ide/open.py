"""`tutor.open`: go to lesson, stub, test or coach."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.tutor.exercise.unit_at_cursor import unit_meant
from tutor_lsp.tutor.hinting.coach_file import NAME as COACH
from tutor_lsp.tutor.ide.view import UnitView, View

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import OpenArguments


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace file and a 1-based line."""

    file: str
    line: int


async def open_place(app: "App", arguments: "OpenArguments") -> Place:
    """The place of a unit's lesson section, stub or test, shown where possible: the test named,
    else the first that fails."""
    opened = await app.locate(arguments)
    view = opened.view()
    item = unit_meant(app, opened, view, arguments)
    place = _place(view, item, arguments.target, arguments.test)
    if not (opened.root / place.file).exists():
        raise TutorError(
            "NO_FILE",
            f"{place.file} is not there"
            + (
                ": no hint or review was given yet."
                if place.file == COACH
                else ". Put it back with tutor.restore, or a stub file with tutor.reset."
            ),
        )
    path = opened.root / place.file
    if not await app.frontend.open(path, place.line) and not app.frontend.abilities.shows_results:
        app.frontend.message(f"{path}:{place.line}")
    return place


def _place(view: View, item: UnitView, target: str, test: str | None) -> Place:
    match target:
        case "lesson":
            heading = item.unit.lesson_heading
            return Place(LESSON, view.heading_lines.get(heading, item.unit.lesson_line))
        case "coach":
            return Place(COACH, 1)
        case "test":
            wanted = [test] if test is not None else [result.name for result in item.failing]
            names = [*wanted, *item.unit.tests]
            found = next((view.test_lines[n] for n in names if n in view.test_lines), None)
            if found is None:
                files = [f for f in view.exercise.files if f.startswith("tests/")]
                return Place(files[0] if files else LESSON, 1)
            return Place(*found)
        case _:
            return Place(item.unit.file, item.name_span.line)
