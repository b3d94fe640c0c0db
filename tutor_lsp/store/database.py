"""The record as one SQLite file that several servers and the CLI use at the same time."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.store import files, troubles
from tutor_lsp.store.journal import SqliteJournal
from tutor_lsp.store.migrations import is_newer, migrate
from tutor_lsp.store.transaction import SqliteTransaction

BUSY_S = 5.0
CHECKED_BYTES = 16 * 1024 * 1024
"""Files up to this size are checked whole when they are opened."""


def utc_now() -> str:
    """The time as ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def open_store(
    path: Path, *, busy_s: float = BUSY_S, clock: Callable[[], str] = utc_now
) -> "SqliteStore":
    """The record at `path`, made with the folders above it if it is not there.

    Folders are made with permissions 0700 and files with 0600. No call waits longer than about
    `busy_s` seconds for other programs. Raises TutorError `STORE`, with `reason`: `locked`;
    `damaged` (the file was set aside as `tutor.db.damaged-<time>`, and the next opening makes a
    new one with all that can be read); `newer` (nothing was touched); `forbidden`; `full`.
    """
    store = SqliteStore(path, busy_s, clock)
    store.open()
    return store


class SqliteStore:
    """core.ports.Store. Threads share one connection and take turns."""

    def __init__(self, path: Path, busy_s: float, clock: Callable[[], str]) -> None:
        self._path = path.absolute()
        self._busy_s = busy_s
        self._clock = clock
        self._turn = threading.Lock()
        self._owner: int | None = None
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._closed = False
        self._version: int | None = None
        self._journal = SqliteJournal(self._begin, clock)

    def open(self) -> None:
        """Open the file now, so that its troubles come up now."""
        with self._exclusive() as deadline, self._told():
            self._current(deadline)

    @contextmanager
    def transaction(self) -> Iterator[SqliteTransaction]:
        with self._begin() as connection:
            transaction = SqliteTransaction(connection, self._path, self._clock)
            try:
                yield transaction
            finally:
                transaction.end()

    def journal(self) -> SqliteJournal:
        return self._journal

    def changed_elsewhere(self) -> bool:
        if not self._turn.acquire(blocking=False):
            return False
        try:
            if self._connection is None:
                return False
            # Other connections' commits alone change this number; it costs some microseconds.
            found = self._connection.execute("PRAGMA data_version").fetchone()
            version = int(found[0])
        except sqlite3.Error:
            return False
        finally:
            self._turn.release()
        before, self._version = self._version, version
        return before != version

    def close(self) -> None:
        with self._exclusive():
            self._closed = True
            self._drop_connection()

    @contextmanager
    def _begin(self) -> Iterator[sqlite3.Connection]:
        """One immediate transaction: committed at the end, rolled back on any exception."""
        with self._exclusive() as deadline, self._told():
            connection = self._current(deadline)
            left_ms = max(int((deadline - time.monotonic()) * 1000), 0)
            connection.execute(f"PRAGMA busy_timeout = {left_ms}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _exclusive(self) -> Iterator[float]:
        """This thread's turn; yields the time.monotonic at which waiting must end."""
        deadline = time.monotonic() + self._busy_s
        if self._owner == threading.get_ident():
            raise RuntimeError("a transaction is open in this thread: they cannot be nested")
        if not self._turn.acquire(timeout=self._busy_s):
            raise troubles.locked(self._path)
        self._owner = threading.get_ident()
        try:
            yield deadline
        finally:
            self._owner = None
            self._turn.release()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of SQLite and the file system as TutorError; a damaged file is set aside."""
        try:
            yield
        except (sqlite3.Error, troubles.Damaged) as error:
            if troubles.is_damage(error):
                raise self._set_aside() from error
            if isinstance(error, sqlite3.Error):
                raise troubles.from_sqlite(error, self._path) from error
            raise

    def _current(self, deadline: float) -> sqlite3.Connection:
        """The connection to the file that is at the path now.

        A file that was moved away or deleted under us would take writes that nobody finds again.
        """
        if self._closed:
            raise troubles.closed(self._path)
        try:
            if self._connection is not None and files.identity(self._path) == self._identity:
                return self._connection
            self._drop_connection()
            files.make_folder(self._path.parent)
            with files.opening(self._path, deadline):
                files.make_file(self._path)
                self._identity = files.identity(self._path)
                return self._connect(deadline)
        except OSError as error:
            raise troubles.from_os(error, self._path) from error

    def _connect(self, deadline: float) -> sqlite3.Connection:
        wait_s = max(deadline - time.monotonic(), 0.0)
        # Read-only, because even closing a writable connection may write.
        address = f"{self._path.as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, timeout=wait_s, uri=True)) as reader:
            if is_newer(reader):
                raise troubles.newer(self._path)
        connection = sqlite3.connect(
            self._path, timeout=wait_s, isolation_level=None, check_same_thread=False
        )
        self._connection = connection
        try:
            self._prepare(connection)
        except BaseException as error:
            # A damaged file is first set aside: closing would write into it.
            if not troubles.is_damage(error):
                self._drop_connection()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        if self._path.stat().st_size <= CHECKED_BYTES:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise troubles.Damaged(found)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA recursive_triggers = ON")
        migrate(connection, self._clock())
        if files.note(self._path).exists():
            from tutor_lsp.store.recovery import restore

            restore(connection, self._path, self._clock())

    def _set_aside(self) -> TutorError:
        """Set the damaged file aside, unless another program has done so; what to tell."""
        damaged, self._identity = self._identity, None
        try:
            with files.opening(self._path, time.monotonic() + self._busy_s):
                if damaged is not None and files.identity(self._path) == damaged:
                    files.set_aside(self._path)
                return troubles.set_aside(self._path, files.last_set_aside(self._path))
        except OSError as error:
            return troubles.from_os(error, self._path)
        except TutorError as error:
            return error
        finally:
            self._drop_connection()

    def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        self._version = None
        if connection is not None:
            connection.close()
