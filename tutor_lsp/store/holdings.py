"""Reading from a record, in whatever form, what it holds of its learner."""

import contextlib
import sqlite3
from typing import Any

from tutor_lsp.core.learner.loss import (
    BROUGHT_BACK,
    DISMISSED,
    OF_THE_RECORD,
    Holdings,
    Topic,
    gone_without,
    topics_of,
)
from tutor_lsp.store import troubles
from tutor_lsp.store.records import load_json

NOTHING = Holdings()
_BODIES = (
    ("sessions", "body"),
    ("exercises", "exercise"),
    ("exercises", "vault"),
    ("nodes", "body"),
    ("events", "data"),
)


def holdings(connection: sqlite3.Connection) -> Holdings:
    """What a record holds of its learner; nothing of tables that are not there yet."""
    sessions = frozenset(str(name) for (name,) in _rows(connection, "id", "sessions"))
    topics = [
        _topics(*row) for row in _rows(connection, "language, node, updated_at, body", "nodes")
    ]
    events = frozenset(
        (str(at), str(kind), str(session or ""))
        for at, kind, session in _rows(connection, "at, kind, session", "events")
        if kind not in OF_THE_RECORD
    )
    return Holdings(sessions, frozenset().union(*topics), events)


def dismissed(connection: sqlite3.Connection) -> Holdings:
    """What was lost and its learner goes on without."""
    only = f"WHERE kind IN ('{DISMISSED}', '{BROUGHT_BACK}') ORDER BY id DESC LIMIT 1"
    for (data,) in _rows(connection, "data", "events", only):
        with contextlib.suppress(troubles.Damaged):
            return gone_without(load_json(data))
    return NOTHING


def lacks_a_kind(connection: sqlite3.Connection) -> bool:
    """Whether a record has no session, no topic, or no event at all. Quick."""
    return not all(has_any(connection, table) for table in ("sessions", "nodes", "events"))


def has_any(connection: sqlite3.Connection, table: str) -> bool:
    """Whether a table has a row that is the learner's."""
    kinds = ", ".join(f"'{kind}'" for kind in OF_THE_RECORD)
    only = f"WHERE kind NOT IN ({kinds})" if table == "events" else ""
    return bool(_rows(connection, "1", table, f"{only} LIMIT 1"))


def has_broken_rows(connection: sqlite3.Connection) -> bool:
    """Whether a row of the learner's is no JSON any more."""
    return any(
        _rows(connection, "1", table, f"WHERE NOT json_valid({column}) LIMIT 1")
        for table, column in _BODIES
    )


def _rows(connection: sqlite3.Connection, columns: str, table: str, more: str = "") -> list[Any]:
    """Rows of a table; none where it is not there yet."""
    there = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?)"
    if not connection.execute(there, (table,)).fetchone()[0]:
        return []
    return connection.execute(f"SELECT {columns} FROM {table} {more}").fetchall()  # noqa: S608


def _topics(language: str, node: str, changed: str, body: str) -> frozenset[Topic]:
    known: Any = {}
    with contextlib.suppress(troubles.Damaged):
        known = load_json(body)
    history, depths = (_listed(known, name) for name in ("history", "passedDepths"))
    times = (str(line.get("at")) for line in history if isinstance(line, dict))
    return topics_of(str(language), str(node), changed, map(str, depths), times)


def _listed(known: Any, name: str) -> list[Any]:
    """A list of a record that another version may have written; empty where it is none."""
    found = known.get(name) if isinstance(known, dict) else None
    return found if isinstance(found, list) else []
