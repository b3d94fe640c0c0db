"""`tutor.open`: go to lesson, stub, test or coach."""

import asyncio

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.tutor.exercise.folder.coach_file import NAME as COACH
from tutor_lsp.tutor.exercise.folder.coach_file import line_of_review
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.exercise.unit_at_cursor import unit_meant
from tutor_lsp.tutor.ide.view import UnitView, View
from tutor_lsp.tutor.interface.arguments import OpenArguments
from tutor_lsp.tutor.interface.results import FilePlace


async def open_place(exercises: OpenExercises, arguments: OpenArguments) -> FilePlace:
    """The place of a unit's lesson section, stub or test, shown where possible: the test named,
    else the first that fails; for hints and reviews the review of the attempt that is named."""
    services = exercises.services
    opened = await exercises.locate(arguments)
    view = opened.view()
    item = unit_meant(services, opened, view, arguments)
    place = _place(view, item, arguments.target, arguments.test)
    if not (opened.root / place.file).exists():
        raise TutorError(
            "NO_FILE",
            f"{place.file} is not there: no hint or review was given yet."
            if place.file == COACH
            else f"{place.file} is not there. Put it back with tutor.restore, or a stub file with "
            "tutor.reset.",
        )
    if place.file == COACH and arguments.attempt is not None:
        line = await asyncio.to_thread(line_of_review, opened.root, arguments.attempt)
        place = FilePlace(COACH, line)
    path = opened.root / place.file
    if (
        not await services.frontend.open(path, place.line)
        and not services.frontend.abilities.shows_results
    ):
        services.frontend.message(f"{path}:{place.line}")
    return place


def _place(view: View, item: UnitView, target: str, test: str | None) -> FilePlace:
    match target:
        case "lesson":
            heading = item.unit.lesson_heading
            return FilePlace(LESSON, view.heading_lines.get(heading, item.unit.lesson_line))
        case "coach":
            return FilePlace(COACH, 1)
        case "test":
            wanted = [test] if test is not None else [result.name for result in item.failing]
            names = [*wanted, *item.unit.tests]
            found = next((view.test_lines[n] for n in names if n in view.test_lines), None)
            if found is None and item.unit.asks_for_tests:
                return FilePlace(item.unit.file, item.name_span.line)
            if found is None:
                files = [f for f in view.exercise.files if f.startswith("tests/")]
                return FilePlace(files[0] if files else LESSON, 1)
            return FilePlace(*found)
        case _:
            return FilePlace(item.unit.file, item.name_span.line)
