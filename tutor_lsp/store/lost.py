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
    there = was == "there"
    if there and not salvaged and (not backups.lacks_a_kind(connection) or _said(connection)):
        return None
    known = backups.holdings(connection)
    backup = backups.fullest(path, known)
    what = "damaged" if salvaged else "cleared" if was == "there" else was
    if backup is not None:
        lacking = backup.holds.without(known)
        return Loss(what, backup.name, lacking, lacking == backup.holds)
    return None if known or what == "cleared" else Loss(what)


def _said(connection: sqlite3.Connection) -> bool:
    query = "SELECT EXISTS (SELECT 1 FROM events WHERE kind = ?)"
    (said,) = connection.execute(query, (EVENT,)).fetchone()
    return bool(said)
