"""Shows what others do to an exercise that is open here: another editor or terminal that stores
results, a program that writes a file."""

import asyncio

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.exercise.register import OpenExercises

LOOK_S = 0.2
"""How often to look, in seconds; it costs some microseconds for the record and each file."""


async def follow(exercises: OpenExercises) -> None:
    """Show results, hints and reviews that others store and texts that others write, about `LOOK_S`
    later. Never ends."""
    services = exercises.services
    while True:
        await asyncio.sleep(LOOK_S)
        for opened in exercises.all():
            if opened.saved_elsewhere():
                services.frontend.exercise_changed(opened)
        if services.store.changed_elsewhere():
            try:
                await show_changes(exercises)
            except TutorError:
                continue  # the next command reports a record that cannot be read


async def show_changes(exercises: OpenExercises) -> None:
    """Refresh every open exercise that others changed. Raises TutorError `STORE`."""
    for opened in exercises.all():
        if await exercises.refresh(opened):
            exercises.services.frontend.exercise_changed(opened)
