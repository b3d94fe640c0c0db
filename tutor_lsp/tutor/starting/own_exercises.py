"""Exercises of one's own: beginning one, and having it proven."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.wire import to_wire
from tutor_lsp.languages.registry import languages

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App


async def check_exercise(app: "App", path: Path, language: str | None = None) -> dict[str, Any]:
    """The proof of the exercise in a folder or JSONL of stage payloads: `{ok, proof, findings,
    leftOut}`, the last what of a folder was neither read nor run.
    Raises TutorError `BAD_ARGUMENT`, `BAD_SCRIPT`, `TOOLCHAIN_MISSING`."""
    checking = await app.load("tutor_lsp.authoring.own.check_exercise")
    result = await checking.check_exercise(
        path, language, toolchains=app.toolchains, files=app.settings.file_limits
    )
    wire: dict[str, Any] = to_wire(result)
    return wire


async def new_exercise(app: "App", folder: Path, language: str | None = None) -> dict[str, Any]:
    """Write an exercise to begin with into `folder` (absolute): `{path, language, files}`, files
    relative to it. Without a language it is the one that the folder's name begins with.

    Where neither it nor the settings say, it is the first one whose tools come along.

    Raises TutorError `BAD_ARGUMENT`, `HOME`.
    """
    beginning = await app.load("tutor_lsp.authoring.own.new_exercise")
    # `rust-vectors-shopping` is about Rust, whatever the settings say.
    named = folder.name.partition("-")[0]
    of_topic = named if named in languages() else None
    chosen = language or of_topic or app.settings.language or _default()
    depths = {node.id: node.depth for node in app.curriculum.nodes if node.language == chosen}
    files = await asyncio.to_thread(beginning.new_exercise, folder, chosen, depths)
    return {"path": str(folder), "language": chosen, "files": list(files)}


def _default() -> str:
    return next(each.id for each in languages().values() if each.comes_along)
