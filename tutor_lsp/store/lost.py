"""Whether a record that was just opened is what it was."""

import sqlite3
from pathlib import Path
from typing import Any, Literal, get_args

from tutor_lsp.core.learner.loss import BROUGHT_BACK, DISMISSED, EVENT, Loss, What
from tutor_lsp.store import backups
from tutor_lsp.store.holdings import dismissed, holdings, lacks_a_kind
from tutor_lsp.store.records import load_json

Was = Literal["missing", "empty", "there"]
"""What a file was before it was opened."""


def notice(
    connection: sqlite3.Connection,
    path: Path,
    was: Was,
    *,
    salvaged: bool,
) -> Loss | None:
    """What is missing from the record; `was` is what the file was before it was opened.

    None where nothing is, or where its learner dismissed all that is. What was found once is found
    until then, whatever was written since.
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
    """How the record was found the last time, unless that was brought back or dismissed since."""
    kind, data = _last(connection, EVENT, BROUGHT_BACK, DISMISSED)
    what: What = data.get("what", "cleared")
    return what if kind == EVENT and what in get_args(What) else None


def _last(connection: sqlite3.Connection, *kinds: str) -> tuple[str | None, dict[str, Any]]:
    marks = ", ".join("?" * len(kinds))
    query = f"SELECT kind, data FROM events WHERE kind IN ({marks}) ORDER BY id DESC LIMIT 1"  # noqa: S608
    found = connection.execute(query, kinds).fetchone()
    if found is None:
        return None, {}
    data = load_json(found[1])
    return str(found[0]), data if isinstance(data, dict) else {}
