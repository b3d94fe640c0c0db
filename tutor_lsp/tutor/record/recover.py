"""Exercise folders of this home that the record has lost: taken up again, not copied."""

import asyncio
import os
from collections.abc import Collection
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import Session
from tutor_lsp.tutor.exercise.adopt import adopt_session
from tutor_lsp.tutor.services.deferred_app import MARKER

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

SETTLED_S = 60.0
"""A folder younger than this may be one that another server is about to record, in seconds."""

MOST_LOOKED_AT = 500
"""Files of a folder whose times are looked at."""


async def take_up_lost(app: "App", language: str, *, settled: bool = True) -> tuple[Session, ...]:
    """Sessions for the exercise folders of a language that no session knows; last used first.

    Texts stay as they are, and nothing of them is run before their learner agrees unless they are
    noted as made here (`made_here.py`). Folders that cannot be read stay out, and so do young ones
    unless they need not be `settled`.
    """

    def work(tx: Transaction) -> tuple[list[Session], list[dict[str, object]]]:
        return tx.sessions(), list(tx.events(kind="store-restored"))

    sessions, restored = await app.db(work)
    known = [session.workspace for session in sessions]
    now = datetime.fromisoformat(app.now()).timestamp()
    damage = max((_time(str(event["at"])) for event in restored), default=0.0)
    limit = max(damage, now - SETTLED_S if settled else now)
    folders = await asyncio.to_thread(_unknown, app.home / language, known, limit)
    found = []
    for root in folders:
        try:
            session = await adopt_session(app, root)
            found.append((await app.open_session(session)).session)
        except TutorError as error:
            if error.kind != "BROKEN_EXERCISE":
                raise
    return tuple(found)


def said(found: Collection[Session], title: str) -> str:
    """What to tell about exercises that were taken up again."""
    others = len(found) - 1
    more = f" {others} more are listed again (tutor.sessions)." if others else ""
    return (
        f"The record of your exercises was lost, but “{title}” is still in its folder: it is open "
        f"again with your text. Its attempts and hints begin anew.{more}"
    )


def _unknown(parent: Path, known: Collection[str], limit: float) -> list[Path]:
    """Folders with a marker older than `limit` that are not known, last used first."""
    there = {os.path.realpath(workspace) for workspace in known}
    found = []
    for root in parent.iterdir() if parent.is_dir() else ():
        if os.path.realpath(root) in there:
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


def _time(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()
