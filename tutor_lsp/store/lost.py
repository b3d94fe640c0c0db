"""Whether a record that was just opened is what it was."""

import sqlite3
from pathlib import Path
from typing import Literal

from tutor_lsp.core.loss import EVENT, Loss
from tutor_lsp.store import backups


def notice(
    connection: sqlite3.Connection,
    path: Path,
    was: Literal["missing", "empty", "there"],
    *,
    salvaged: bool,
) -> Loss | None:
    """What is missing from the record; `was` is what the file was before it was opened.

    None where nothing is, or where it was said already.
    """
    known = frozenset(str(name) for (name,) in connection.execute("SELECT id FROM sessions"))
    if was == "there" and not salvaged and (known or _said(connection)):
        return None
    backup = backups.fullest(path, known)
    what = "damaged" if salvaged else "cleared" if was == "there" else was
    if backup is not None:
        return Loss(what, backup.name, len(backup.sessions), len(backup.sessions - known))
    return None if known or what == "cleared" else Loss(what, None, 0, 0)


def _said(connection: sqlite3.Connection) -> bool:
    query = "SELECT EXISTS (SELECT 1 FROM events WHERE kind = ?)"
    (said,) = connection.execute(query, (EVENT,)).fetchone()
    return bool(said)
