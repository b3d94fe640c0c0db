"""Exercise folders of this home that the record has lost: recovered, not copied."""

import asyncio
import os
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

from tutor_lsp.authoring.workspace import EXERCISES, IMPORTED
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import Session
from tutor_lsp.core.text.translation import t
from tutor_lsp.files.uris import identity
from tutor_lsp.tutor.exercise.adopt import adopt_session, read_marker
from tutor_lsp.tutor.exercise.folder.marker import MARKER
from tutor_lsp.tutor.exercise.register import OpenExercises

SETTLED_S = 60.0
"""A folder younger than this may be one that another server is about to record, in seconds."""

MOST_LOOKED_AT = 500
"""Files of a folder whose times are checked."""


async def take_up_lost(
    exercises: OpenExercises, language: str, *, settled: bool = True
) -> tuple[Session, ...]:
    """Sessions for the exercise folders of a language that no session knows; last used first.

    Texts stay as they are, and nothing of them is run before their learner agrees unless they are
    noted as made here (`made_here.py`). Folders that cannot be read stay out, and so do young ones
    unless they need not be `settled`.
    """

    services = exercises.services

    folders_known, restored = await services.db(
        lambda tx: (tx.folders(), tx.events(kind="store-restored"))
    )
    known = {folder for _, folder in folders_known}
    now = datetime.fromisoformat(services.now()).timestamp()
    times = [datetime.fromisoformat(str(event["at"])).timestamp() for event in restored]
    damage = max(times, default=0.0)
    limit = max(damage, now - SETTLED_S if settled else now)
    folders = await asyncio.to_thread(_unknown, services.home, language, known, limit)
    limits = services.settings.file_limits
    found = []
    for root in folders:
        exercise = await asyncio.to_thread(read_marker, root / MARKER, limits)
        if isinstance(exercise, str) or exercise.language != language:
            continue
        try:
            session = await adopt_session(services, root)
            found.append((await exercises.open_session(session)).session)
        except TutorError as error:
            if error.kind != "BROKEN_EXERCISE":
                raise
    return tuple(found)


def recovered_message(found: Collection[Session], title: str) -> str:
    """The message about recovered exercises."""
    others = len(found) - 1
    more = t(f" {others} more are listed again (tutor.sessions).") if others else ""
    return (
        f"The record of your exercises was lost, but “{title}” is still in its folder: it is open "
        f"again with your text. Its attempts and hints start over.{more}"
    )


def _unknown(home: Path, language: str, known: Collection[str], limit: float) -> list[Path]:
    """Folders with a marker older than `limit` that are not known, last used first."""
    strange: list[Path] = []
    # Earlier versions made exercises in a folder for each language.
    parents = [home / name for name in (EXERCISES, IMPORTED, language)]
    for parent in parents:
        with suppress(NotADirectoryError, FileNotFoundError):
            names = os.listdir(parent)  # noqa: PTH208 - there may be thousands
            strange += [parent / name for name in names if f"{parent}/{name}" not in known]
    # Only now, because most homes have none, and there may be thousands of sessions.
    there = {identity(folder) for folder in known} if strange else set()
    found = []
    for root in strange:
        if identity(root) in there:
            continue
        try:
            made = (root / MARKER).stat().st_mtime
            texts = islice(root.glob("src/**/*"), MOST_LOOKED_AT)
            used = max(path.lstat().st_mtime for path in (root, *texts))
        except OSError:
            continue
        if made <= limit:
            found.append((used, root))
    return [root for _, root in sorted(found, reverse=True)]
