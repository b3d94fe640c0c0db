"""The connection of one transaction, which begins when it is first used, to read or to write."""

import sqlite3
from collections.abc import Callable


class Changed(Exception):  # noqa: N818 - it says what happened to the record
    """Another program wrote between what was read and the first write: begin again."""


class Held:
    """Reads see one state of the record and wait for nobody; the first write waits for its turn.

    `before_write` is called outside a transaction before the first write, and raises if nothing
    can be written.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        before_write: Callable[[], None],
        *,
        writes: bool = False,
    ) -> None:
        self._connection = connection
        self._before_write = before_write
        self._seen: int | None = None
        self._writes = False
        if writes:
            self.to_write()

    def to_read(self) -> sqlite3.Connection:
        """The connection, in a transaction that sees one state."""
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN")
            self._seen = _version(self._connection)
        return self._connection

    def to_write(self) -> sqlite3.Connection:
        """The connection, in a transaction that may write. Raises Changed."""
        if self._writes:
            return self._connection
        if self._connection.in_transaction:
            self._connection.execute("COMMIT")
        self._before_write()
        self._connection.execute("BEGIN IMMEDIATE")
        # Waiting while a state is held would fail at once if somebody wrote meanwhile.
        if self._seen is not None and _version(self._connection) != self._seen:
            raise Changed
        self._writes = True
        return self._connection

    def end(self, *, keep: bool) -> None:
        """Commit, or roll back."""
        if keep and self._connection.in_transaction:
            try:
                self._connection.execute("COMMIT")
            finally:
                self.end(keep=False)
        elif self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


def _version(connection: sqlite3.Connection) -> int:
    """A number that changes with every commit of another connection."""
    (version,) = connection.execute("PRAGMA data_version").fetchone()
    return int(version)
