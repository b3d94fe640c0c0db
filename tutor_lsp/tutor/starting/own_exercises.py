"""The learner's own exercises: beginning one, and proving it."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tutor_lsp.authoring.own.check_exercise import check_exercise as prove_exercise
from tutor_lsp.authoring.own.new_exercise import new_exercise as write_exercise
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.files import LONGEST_NAME
from tutor_lsp.core.text.plain_text import clip, in_one_line
from tutor_lsp.core.text.translation import t
from tutor_lsp.files.parsing import parse_toml
from tutor_lsp.files.reading import Unreadable, read_below
from tutor_lsp.languages.registry import languages
from tutor_lsp.process.contain import probe_containment
from tutor_lsp.tutor.exercise.folder.files import MOST_BYTES
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.wire import to_wire


async def check_exercise(
    services: Services, path: Path, language: str | None = None
) -> dict[str, Any]:
    """The proof of the exercise in a folder or JSONL of stage payloads: `{ok, proof, findings,
    leftOut, advice, note}`; `leftOut` lists what in a folder was neither read nor run, `advice`
    has, like `findings`, what could be better, `note` says if its topic is nowhere described, else
    it is null.
    Raises TutorError `BAD_ARGUMENT`, `BAD_SCRIPT`, `TOOLCHAIN_MISSING`."""
    result = await prove_exercise(
        path, language, toolchains=services.toolchains, files=services.settings.file_limits
    )
    node, described = await asyncio.to_thread(_topic_of, path)
    note = _note(services, node) if node is not None and not described else None
    return {**to_wire(result), "note": note}


def _topic_of(folder: Path) -> tuple[str | None, bool]:
    """The topic that an exercise folder names, None where it names none, and whether it describes
    it. Blocks."""
    try:
        table = parse_toml(read_below(folder, "exercise.toml", MOST_BYTES))
    except (Unreadable, OSError, ValueError):
        return None, False
    node = table.get("node")
    return node if isinstance(node, str) else None, "topic" in table


def _note(services: Services, node: str) -> str | None:
    if services.curriculum.node(node) is not None:
        return None
    return t(
        f"There is no topic {clip(in_one_line(node), LONGEST_NAME)} yet, so this exercise brings "
        "it along: give it a title in a table [topic] of exercise.toml. tutor.curriculum lists "
        "the topics that there are."
    )


async def not_contained() -> str | None:
    """Why tests are not contained on this machine, None if they are."""
    found = await probe_containment()
    return None if found.isolated else found.why


async def new_exercise(
    services: Services, folder: Path, language: str | None = None, kinds: Sequence[str] = ()
) -> dict[str, Any]:
    """Write an exercise to begin with into `folder` (absolute): `{path, language, files, note}`,
    files relative to it, `note` as of `check_exercise`. Without a language it is the one
    that the folder's name begins with, else that of the settings. It has one more unit for
    each of the `kinds`.

    Raises TutorError `BAD_ARGUMENT`, `HOME`.
    """
    # `rust-vectors-shopping` is about Rust, whatever the settings say.
    named = folder.name.partition("-")[0]
    of_topic = named if named in languages() else None
    chosen = language or of_topic or services.settings.language
    if chosen is None:
        raise TutorError(
            "BAD_ARGUMENT",
            f'The folder is named "{in_one_line(folder.name)}", and there is no language called '
            f'"{in_one_line(named)}". Begin it with one of: {", ".join(sorted(languages()))}; or '
            "give one with --language.",
        )
    depths = {node.id: node.depth for node in services.curriculum.nodes if node.language == chosen}
    files = await asyncio.to_thread(
        write_exercise, folder, chosen, depths, [UnitKind(k) for k in kinds]
    )
    node, _ = await asyncio.to_thread(_topic_of, folder)
    note = _note(services, node) if node is not None else None
    return {"path": str(folder), "language": chosen, "files": list(files), "note": note}
