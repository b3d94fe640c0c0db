"""The stage journal: where an interrupted set-up resumes."""

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Lock

from tutor_lsp.core.ports import JournalEntry, JournalKey
from tutor_lsp.core.stage import Role
from tutor_lsp.store.records import column, dump, load_json

_OF_KEY = "subject = ? AND language = ? AND depth = ? AND backend = ?"


class SqliteJournal:
    """core.ports.Journal.

    Two programs may set up the same thing at once. Each keeps to its own set-up: if the other has
    already written the next stage, it goes on in a copy of what both share.
    """

    def __init__(
        self,
        begin: Callable[[], AbstractContextManager[sqlite3.Connection]],
        clock: Callable[[], str],
    ) -> None:
        self._begin = begin
        self._clock = clock
        self._own: dict[JournalKey, int] = {}
        self._guard = Lock()

    def load(self, key: JournalKey) -> list[JournalEntry]:
        with self._guard, self._begin() as connection:
            setup = self._open_setup(connection, key)
            if setup is None:
                self._own.pop(key, None)
                return []
            self._own[key] = setup
            rows = connection.execute(
                "SELECT role, iteration, payload FROM setup_entries WHERE setup = ? ORDER BY place",
                (setup,),
            ).fetchall()
        return [JournalEntry(Role(role), at, load_json(payload)) for role, at, payload in rows]

    def append(self, key: JournalKey, entry: JournalEntry) -> None:
        payload = dump(entry.payload)
        with self._guard, self._begin() as connection:
            setup = self._own.get(key) or self._open_setup(connection, key)
            if setup is None:
                setup = self._new_setup(connection, key)
            else:
                place, known = self._find(connection, setup, entry)
                if known == payload:
                    self._own[key] = setup
                    return
                if known is not None or not self._is_open(connection, setup):
                    setup = self._copy(connection, key, setup, place)
            connection.execute(
                """
                INSERT INTO setup_entries (setup, place, role, iteration, at, payload)
                SELECT ?1, count(*), ?2, ?3, ?4, ?5 FROM setup_entries WHERE setup = ?1
                """,
                (setup, entry.role.value, entry.iteration, self._clock(), payload),
            )
            self._own[key] = setup

    def close(self, key: JournalKey, outcome: str) -> None:
        with self._guard, self._begin() as connection:
            connection.execute(
                f"UPDATE setups SET closed_at = ?, outcome = ? "  # noqa: S608 - our own words
                f"WHERE {_OF_KEY} AND closed_at IS NULL",
                (self._clock(), outcome, *_columns(key)),
            )
            self._own.pop(key, None)

    def _open_setup(self, connection: sqlite3.Connection, key: JournalKey) -> int | None:
        newest = f"SELECT max(id) FROM setups WHERE {_OF_KEY} AND closed_at IS NULL"  # noqa: S608
        setup: int | None = connection.execute(newest, _columns(key)).fetchone()[0]
        return setup

    def _is_open(self, connection: sqlite3.Connection, setup: int) -> bool:
        row = connection.execute("SELECT closed_at FROM setups WHERE id = ?", (setup,)).fetchone()
        return row is not None and row[0] is None

    def _find(
        self, connection: sqlite3.Connection, setup: int, entry: JournalEntry
    ) -> tuple[int, str | None]:
        """Place and payload of this stage and iteration, or the next place and None."""
        of_stage = "setup = ? AND role = ? AND iteration = ?"
        row = connection.execute(
            f"SELECT place, payload FROM setup_entries WHERE {of_stage}",  # noqa: S608
            (setup, entry.role.value, entry.iteration),
        ).fetchone()
        if row is not None:
            return row[0], row[1]
        count = "SELECT count(*) FROM setup_entries WHERE setup = ?"
        return connection.execute(count, (setup,)).fetchone()[0], None

    def _new_setup(self, connection: sqlite3.Connection, key: JournalKey) -> int:
        cursor = connection.execute(
            "INSERT INTO setups (subject, language, depth, backend, opened_at) "
            "VALUES (?, ?, ?, ?, ?)",
            (*_columns(key), self._clock()),
        )
        if cursor.lastrowid is None:
            raise RuntimeError("SQLite gave no id for a new row")
        return cursor.lastrowid

    def _copy(self, connection: sqlite3.Connection, key: JournalKey, setup: int, upto: int) -> int:
        """A new set-up with the first `upto` entries of another."""
        copy = self._new_setup(connection, key)
        connection.execute(
            """
            INSERT INTO setup_entries (setup, place, role, iteration, at, payload)
            SELECT ?, place, role, iteration, at, payload FROM setup_entries
            WHERE setup = ? AND place < ?
            """,
            (copy, setup, upto),
        )
        return copy


def _columns(key: JournalKey) -> tuple[str, str, str, str]:
    return column(key.subject), column(key.language), column(key.depth), column(key.backend)
