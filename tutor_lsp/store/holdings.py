"""Reading from a record of any version what it has of its learner's."""

import contextlib
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tutor_lsp.core.learner.loss import (
    BROUGHT_BACK,
    DISMISSED,
    NOT_MISSED,
    OF_THE_RECORD,
    Holdings,
    Topic,
    gone_without,
    topics_of,
)
from tutor_lsp.store import troubles
from tutor_lsp.store.records import load_json

NOTHING = Holdings()
_SESSIONS_LACKING = """
SELECT 1 FROM other.sessions AS old
WHERE NOT EXISTS (SELECT 1 FROM main.sessions AS new WHERE new.id = old.id) LIMIT 1
"""
_EVENTS_LACKING = """
SELECT 1 FROM other.events AS old LEFT JOIN main.events AS new ON new.id = old.id
WHERE old.kind NOT IN ({kinds}) AND (
    new.id IS NULL OR new.at <> old.at OR new.kind <> old.kind OR new.session IS NOT old.session
) LIMIT 1
"""
_BODIES = (
    ("sessions", "body"),
    ("exercises", "exercise"),
    ("exercises", "vault"),
    ("nodes", "body"),
    ("events", "data"),
)


def holdings(connection: sqlite3.Connection) -> Holdings:
    """The learner's data in a record; nothing for tables that do not exist yet."""
    sessions = frozenset(str(name) for (name,) in _rows(connection, "id", "sessions"))
    events = frozenset(
        (str(at), str(kind), str(session or ""))
        for at, kind, session in _rows(connection, "at, kind, session", "events")
        if kind not in NOT_MISSED
    )
    return Holdings(sessions, topics_in(connection), events)


def has_all_of(path: Path, other: Path) -> bool:
    """Whether the record at `path` has all that its learner has in another one, row by row, which
    is quick; where ids differ, by all that is in both. Raises sqlite3.Error.
    """
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as record:
        record.execute("ATTACH ? AS other", (f"{other.as_uri()}?immutable=1",))
        with closing(sqlite3.connect(f"{other.as_uri()}?immutable=1", uri=True)) as old:
            topics, ours = topics_in(old), topics_in(record)
            if not topics <= ours:
                return False
            kinds = ", ".join(f"'{kind}'" for kind in NOT_MISSED)
            lacking = (_SESSIONS_LACKING, _EVENTS_LACKING.format(kinds=kinds))
            try:
                if not any(record.execute(query).fetchone() for query in lacking):
                    return True
            except sqlite3.OperationalError:
                pass  # a table is not there in both
            return not holdings(old).without(holdings(record))


def topics_in(connection: sqlite3.Connection) -> frozenset[Topic]:
    """What a record knows about topics."""
    rows = _rows(connection, "language, node, updated_at, body", "nodes")
    return frozenset().union(*(_topics(*row) for row in rows))


def dismissed(connection: sqlite3.Connection) -> Holdings:
    """Lost data that its learner has dismissed."""
    only = f"WHERE kind IN ('{DISMISSED}', '{BROUGHT_BACK}') ORDER BY id DESC LIMIT 1"
    for (data,) in _rows(connection, "data", "events", only):
        with contextlib.suppress(troubles.Damaged):
            return gone_without(load_json(data))
    return NOTHING


def lacks_a_kind(connection: sqlite3.Connection) -> bool:
    """Whether a record has no session, no topic, or no event at all. Quick."""
    return not all(has_any(connection, table) for table in ("sessions", "nodes", "events"))


def has_any(connection: sqlite3.Connection, table: str) -> bool:
    """Whether a table has a row of the learner's."""
    kinds = ", ".join(f"'{kind}'" for kind in OF_THE_RECORD)
    only = f"WHERE kind NOT IN ({kinds})" if table == "events" else ""
    return bool(_rows(connection, "1", table, f"{only} LIMIT 1"))


def has_broken_rows(connection: sqlite3.Connection) -> bool:
    """Whether a row of the learner's isn't valid JSON any more."""
    return any(
        _rows(connection, "1", table, f"WHERE NOT json_valid({column}) LIMIT 1")
        for table, column in _BODIES
    )


def _rows(connection: sqlite3.Connection, columns: str, table: str, more: str = "") -> list[Any]:
    """A table's rows; none if it does not exist yet."""
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
    """A list in a record that another version may have written; empty if it isn't one."""
    value = known.get(name) if isinstance(known, dict) else None
    return value if isinstance(value, list) else []
