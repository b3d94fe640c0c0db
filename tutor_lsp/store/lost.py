"""Noticing that a record has lost something since it was last open."""

import sqlite3
from pathlib import Path
from typing import Literal, get_args

from tutor_lsp.core.learner.loss import BROUGHT_BACK, DISMISSED, EVENT, Loss, What
from tutor_lsp.store import backups
from tutor_lsp.store.holdings import dismissed, holdings, lacks_a_kind
from tutor_lsp.store.records import load_json

Was = Literal["missing", "empty", "there"]
"""A file's state before it was opened."""


def notice(
    connection: sqlite3.Connection,
    path: Path,
    was: Was,
    *,
    salvaged: bool,
) -> Loss | None:
    """What is missing from the record; `was` is the state of the file before it was opened.

    None if nothing is missing or its learner dismissed all of it. Once noticed, a loss is reported
    until it is dismissed or brought back, whatever is written in the meantime.
    """
    noted = _noted(connection)
    whole = was == "there" and not salvaged and not lacks_a_kind(connection)
    if whole and noted is None:
        return None
    known = holdings(connection)
    settled = known.and_those_of(dismissed(connection))
    backup = backups.fullest(path, settled)
    what: What = "damaged" if salvaged else noted or "cleared" if was == "there" else was
    old = noted is not None
    if backup is not None:
        lacking = backup.holds.without(settled)
        return Loss(what, backup.name, lacking, lacking == backup.holds, noted=old)
    if old or salvaged or (not known and what != "cleared"):
        return Loss(what, noted=old)
    return None


def _noted(connection: sqlite3.Connection) -> What | None:
    """The last noticed loss, unless it was brought back or dismissed since."""
    query = "SELECT kind, data FROM events WHERE kind IN (?, ?, ?) ORDER BY id DESC LIMIT 1"
    row = connection.execute(query, (EVENT, BROUGHT_BACK, DISMISSED)).fetchone()
    if row is None:
        return None
    data = load_json(row[1])
    what: What = data.get("what", "cleared") if isinstance(data, dict) else "cleared"
    return what if row[0] == EVENT and what in get_args(What) else None
