"""What another editor or terminal stores in an exercise that is open here is shown here too."""

import asyncio
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

LOOK_S = 1.0
"""How often is looked, in seconds: some microseconds each time, unless something was written."""


async def follow(app: "App") -> None:
    """Show results, hints and reviews that others store, about `LOOK_S` later. Never ends."""
    while True:
        await asyncio.sleep(LOOK_S)
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
