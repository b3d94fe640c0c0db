"""Exercise folders of this home that the record has lost: taken up again, not copied."""

import asyncio
import os
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import Session
from tutor_lsp.tutor.adopt import adopt_session
from tutor_lsp.tutor.lazy import MARKER

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

SETTLED_S = 60.0
"""A folder younger than this may be one that another server is about to record, in seconds."""


async def take_up_lost(app: "App", language: str) -> tuple[Session, ...]:
    """Sessions for the exercise folders of a language that no session knows; last used first.

    Texts stay as they are. Folders that were there when a damaged record was set aside are
    trusted, others run on save after one explicit check. Folders that cannot be read stay out.
    """

    def work(tx: Transaction) -> tuple[list[Session], list[dict[str, object]]]:
        return tx.sessions(), list(tx.events(kind="store-restored"))

    sessions, restored = await app.db(work)
    known = [session.workspace for session in sessions]
    now = datetime.fromisoformat(app.now()).timestamp()
    damage = max((_time(str(event["at"])) for event in restored), default=0.0)
    limit = max(damage, now - SETTLED_S)
    folders = await asyncio.to_thread(_unknown, app.home / language, known, limit)
    found = []
    for made, root in folders:
        try:
            session = await adopt_session(app, root)
        except TutorError as error:
            if error.kind != "BROKEN_EXERCISE":
                raise
            continue
        opened = await app.open_session(session)
        if made <= damage:
            await app.change_session(opened, lambda current: replace(current, trusted=True))
        found.append(opened.session)
    return tuple(found)


def said(found: Collection[Session], title: str) -> str:
    """What to tell about exercises that were taken up again."""
    others = len(found) - 1
    more = f" {others} more are listed again (tutor.sessions)." if others else ""
    return (
        f"The record of your exercises was lost, but “{title}” is still in its folder: it is open "
        f"again with your text. Its attempts and hints begin anew.{more}"
    )


def _unknown(parent: Path, known: Collection[str], limit: float) -> list[tuple[float, Path]]:
    """Folders with a marker older than `limit` that are not known: when made, and where."""
    there = {os.path.realpath(workspace) for workspace in known}
    found = []
    for root in parent.iterdir() if parent.is_dir() else ():
        if os.path.realpath(root) in there:
            continue
        try:
            made = (root / MARKER).stat().st_mtime
            used = max(path.stat().st_mtime for path in (root, *root.glob("src/**/*")))
        except OSError:
            continue
        if made <= limit:
            found.append((used, made, root))
    return [(made, root) for _, made, root in sorted(found, reverse=True)]


def _time(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()
