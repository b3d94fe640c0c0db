"""The connection of one transaction, which begins at its first read or write."""

import sqlite3
from collections.abc import Callable


class Changed(Exception):  # noqa: N818 - names what happened to the record
    """Another program wrote between the first read and the first write: start over."""


class Held:
    """Reads see one snapshot of the record and never wait; the first write waits for its turn.

    `before_write` is called outside a transaction before the first write, and raises if writing is
    not possible.
    """

    def __init__(self, connection: sqlite3.Connection, before_write: Callable[[], None]) -> None:
        self._connection = connection
        self._before_write = before_write
        self._seen: int | None = None
        self._writes = False
        self._ended = False

    def to_read(self) -> sqlite3.Connection:
        """The connection, in a transaction that sees one snapshot."""
        self._refuse_late()
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN")
            self._seen = _version(self._connection)
        return self._connection

    def to_write(self) -> sqlite3.Connection:
        """The connection, in a transaction that may write. Raises Changed."""
        self._refuse_late()
        if self._writes:
            return self._connection
        if self._connection.in_transaction:
            self._connection.execute("COMMIT")
        self._before_write()
        self._connection.execute("BEGIN IMMEDIATE")
        # Waiting with a snapshot open would fail at once if another program had written.
        if self._seen is not None and _version(self._connection) != self._seen:
            raise Changed
        self._writes = True
        return self._connection

    def end(self, *, keep: bool) -> None:
        """Commit, or roll back; all further reads and writes are refused."""
        self._ended = True
        try:
            if keep and self._connection.in_transaction:
                self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def _refuse_late(self) -> None:
        if self._ended:
            raise RuntimeError("this transaction has ended")


def _version(connection: sqlite3.Connection) -> int:
    """A number that changes with every commit of another connection."""
    (version,) = connection.execute("PRAGMA data_version").fetchone()
    return int(version)
