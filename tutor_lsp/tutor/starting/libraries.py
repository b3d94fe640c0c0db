"""Libraries of one's own: what of them cannot be used is said."""

import asyncio
from typing import TYPE_CHECKING

from tutor_lsp.library.loader import is_bundled

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App


def problems_of(app: "App") -> list[str]:
    """What of the libraries cannot be used, one sentence each. Reads them: blocks."""
    strange = [
        f"Exercise {entry.path} cannot be started: there is no topic {entry.node}. "
        "tutor.curriculum lists all; name its folder and its node after one of them."
        for entry in app.library.entries()
        if not is_bundled(entry) and app.curriculum.node(entry.node) is None
    ]
    return [*app.library.problems, *strange]


async def tell_problems(app: "App") -> None:
    """Say once what of the learner's own libraries cannot be used."""
    for problem in await asyncio.to_thread(problems_of, app):
        app.say_once(problem)
