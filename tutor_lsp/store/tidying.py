"""Trims the event log to what the record needs."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tutor_lsp.core.learner.tidying import DISPENSABLE, SHORTENED, needed, shortened_attempts
from tutor_lsp.store.migrations import guard_events
from tutor_lsp.store.records import dump, load_json

_BATCH = 5000


@dataclass(frozen=True, slots=True)
class Trimmed:
    """How many events were removed and shortened."""

    removed: int
    shortened: int


def trim(connection: sqlite3.Connection) -> Trimmed:
    """Remove events that nothing reads, and shorten others to what is read; within the caller's
    transaction. Raises Damaged.
    """
    guard_events(connection, on=False)
    marks = ", ".join("?" * len(DISPENSABLE))
    removed = connection.execute(
        # What passed was rated: how long it took is no longer asked for.
        f"DELETE FROM events WHERE kind IN ({marks}) AND session IN "  # noqa: S608 - our own words
        "(SELECT id FROM sessions WHERE passed = 1)",
        sorted(DISPENSABLE),
    ).rowcount
    shortened = sum(_shorten(connection, kind) for kind in SHORTENED if kind != "attempt")
    owners = "SELECT DISTINCT session FROM events WHERE kind = 'attempt'"
    for (owner,) in connection.execute(owners).fetchall():
        shortened += _shorten_attempts(connection, owner)
    guard_events(connection, on=True)
    return Trimmed(removed, shortened)


def _shorten(connection: sqlite3.Connection, kind: str) -> int:
    count = 0
    for rows in _batches(connection, kind):
        count += _put(connection, rows, [needed(kind, load_json(data)) for _, data in rows])
    return count


def _batches(connection: sqlite3.Connection, kind: str) -> Iterator[list[tuple[int, str]]]:
    last = 0
    query = "SELECT id, data FROM events WHERE kind = ? AND id > ? ORDER BY id LIMIT ?"
    while rows := connection.execute(query, (kind, last, _BATCH)).fetchall():
        yield rows
        last = rows[-1][0]


def _shorten_attempts(connection: sqlite3.Connection, owner: str | None) -> int:
    rows = connection.execute(
        "SELECT id, data FROM events WHERE kind = 'attempt' AND session IS ? ORDER BY id DESC",
        (owner,),
    ).fetchall()
    return _put(connection, rows, shortened_attempts(load_json(data) for _, data in rows))


def _put(
    connection: sqlite3.Connection, rows: Sequence[tuple[int, str]], short: Sequence[Any]
) -> int:
    """Replace what became shorter; the number of these."""
    texts = [
        (dump(data), number, before) for (number, before), data in zip(rows, short, strict=True)
    ]
    changed = [(text, number) for text, number, before in texts if len(text) < len(before)]
    connection.executemany("UPDATE events SET data = ? WHERE id = ?", changed)
    return len(changed)
