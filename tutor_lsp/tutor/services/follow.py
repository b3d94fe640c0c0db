"""What others do to an exercise that is open here is shown here too: another editor or terminal
that stores results, a program that writes a file."""

import asyncio
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

LOOK_S = 0.2
"""How often is looked, in seconds: some microseconds for the record and each file."""


async def follow(app: "App") -> None:
    """Show results, hints and reviews that others store and texts that others write, about `LOOK_S`
    later. Never ends."""
    while True:
        await asyncio.sleep(LOOK_S)
        for opened in app.open_exercises():
            if opened.saved_elsewhere():
                app.frontend.exercise_changed(opened)
        if app.store.changed_elsewhere():
            try:
                await show_changes(app)
            except TutorError:
                continue  # a record that cannot be read is told by the next command


async def show_changes(app: "App") -> None:
    """Show every open exercise anew that others changed. Raises TutorError `STORE`."""
    for opened in app.open_exercises():
        if await app.refresh(opened):
            app.frontend.exercise_changed(opened)
