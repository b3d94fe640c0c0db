"""The record as one SQLite file that several servers and the CLI use at the same time."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.loss import Loss
from tutor_lsp.store import backups, files, lost, reading, troubles
from tutor_lsp.store.held import Changed, Held
from tutor_lsp.store.journal import SqliteJournal
from tutor_lsp.store.migrations import is_newer, migrate, missing, tables_are_missing
from tutor_lsp.store.transaction import SqliteTransaction

T = TypeVar("T")

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
    `busy_s` seconds for other programs. Where nothing can be written, or a backup that must precede
    a change of the tables cannot be made, it is opened for reading, and `refusal` says why. Raises
    TutorError `STORE`, with `reason`: `locked`; `damaged` (the file was set aside as
    `tutor.db.damaged-<time>`, and the next opening makes a new one with all that can be read);
    `newer` (nothing was touched); `forbidden` or `full` if it cannot even be read.
    """
    store = SqliteStore(path, busy_s, clock)
    store.open()
    return store


class SqliteStore:
    """core.ports.Store. Threads share one connection and take turns.

    The first write of a day is preceded by a backup (`backups`); one that wrote refreshes it when
    it is closed.
    """

    def __init__(self, path: Path, busy_s: float, clock: Callable[[], str]) -> None:
        self._path = path.absolute()
        self._busy_s = busy_s
        self._clock = clock
        self._turn = threading.Lock()
        self._owner: int | None = None
        self._connection: sqlite3.Connection | None = None
        self._mark: tuple[object, ...] | None = None
        self._closed = False
        self._version: int | None = None
        self._loss: Loss | None = None
        self._untold: Loss | None = None
        self._refusal: TutorError | None = None
        self._journal = SqliteJournal(self._begin, clock)
        self._backups = backups.Backups(self._path)
        self._wrote = False

    def open(self) -> None:
        """Open the file now, so that its troubles come up now."""
        with self._exclusive() as deadline, self._told():
            self._current(deadline)

    @property
    def refusal(self) -> TutorError | None:
        return self._refusal

    @property
    def backup_problem(self) -> str | None:
        return self._backups.problem

    @property
    def loss(self) -> Loss | None:
        return self._loss

    def take_loss(self) -> Loss | None:
        found, self._untold = self._untold, None
        return found

    def put_loss_back(self, loss: Loss | None) -> None:
        self._untold = self._untold or loss

    @contextmanager
    def transaction(self) -> Iterator[SqliteTransaction]:
        with self._held(writes=True) as held, self._over(held) as transaction:
            yield transaction

    def work(self, work: Callable[[SqliteTransaction], T]) -> T:
        try:
            return self._worked(work)
        except TutorError as error:
            if error.reason != troubles.DAMAGED:
                raise
            # It was set aside: what can be read of it goes on.
            return self._worked(work)

    def _worked(self, work: Callable[[SqliteTransaction], T]) -> T:
        try:
            with self._held(writes=False) as held, self._over(held) as transaction:
                return work(transaction)
        except Changed:
            with self.transaction() as transaction:
                return work(transaction)

    def keep_copy(self, name: str) -> Path:
        """Copy the record as it is now into a file beside it, for its owner only; its path.

        Raises TutorError `STORE`.
        """
        target = files.free_name(self._path, name)
        with self._exclusive() as deadline, self._told():
            try:
                backups.copy_whole(self._current(deadline), target)
            except OSError as error:
                raise troubles.from_os(error, self._path) from error
        return target

    def journal(self) -> SqliteJournal:
        return self._journal

    @contextmanager
    def _over(self, held: Held) -> Iterator[SqliteTransaction]:
        transaction = SqliteTransaction(held, self._path, self._clock)
        try:
            yield transaction
        finally:
            transaction.end()

    @contextmanager
    def _begin(self) -> Iterator[sqlite3.Connection]:
        """One immediate transaction: committed at the end, rolled back on any exception."""
        with self._held(writes=True) as held:
            yield held.to_write()

    @contextmanager
    def _held(self, *, writes: bool) -> Iterator[Held]:
        with self._exclusive() as deadline, self._told():
            connection = self._current(deadline, writes=writes)

            def before_write() -> None:
                if self._refusal is not None:
                    # The second time it was tried to open the file for writing.
                    raise self._refusal if writes else Changed
                self._backups.before_write(connection, self._clock()[:10])
                self._wrote = True
                connection.execute(f"PRAGMA busy_timeout = {_left_ms(deadline)}")

            connection.execute(f"PRAGMA busy_timeout = {_left_ms(deadline)}")
            held = Held(connection, before_write)
            kept = False
            try:
                if writes and self._refusal is None:
                    held.to_write()
                yield held
                kept = True
            finally:
                held.end(keep=kept)

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

    def refresh_backup(self) -> None:
        """Put what this program wrote since into today's backup; others go on meanwhile."""
        if self._wrote and self._refusal is None:
            self._wrote = False
            self._backups.refresh(self._clock()[:10])

    def close(self) -> None:
        self.refresh_backup()
        with self._exclusive():
            self._closed = True
            self._drop_connection()

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
            if troubles.is_out_of_reach(error):
                # The next call finds out what can still be done.
                self._drop_connection()
            if isinstance(error, sqlite3.Error):
                raise troubles.from_sqlite(error, self._path) from error
            raise

    def _current(self, deadline: float, *, writes: bool = False) -> sqlite3.Connection:
        """The connection to the file that is at the path now.

        A file that was moved away or deleted under us would take writes that nobody finds again.
        One that can only be read is tried again before a write, and when it changed.
        """
        if self._closed:
            raise troubles.closed(self._path)
        try:
            if self._connection is not None and self._mark == self._mark_now():
                if self._refusal is None or not writes:
                    return self._connection
            elif self._connection is not None and self._refusal is None:
                files.refuse_emptied(self._path)
            self._drop_connection()
            return self._opened(deadline)
        except OSError as error:
            raise troubles.from_os(error, self._path) from error

    def _mark_now(self) -> tuple[object, ...] | None:
        if self._refusal is not None:
            return reading.mark(self._path)
        return files.mark(self._path)

    def _opened(self, deadline: float) -> sqlite3.Connection:
        """The file opened for writing, else for reading alone."""
        refusal, self._refusal = self._refusal, None
        try:
            files.make_folder(self._path.parent)
            with files.opening(self._path, deadline):
                return self._connect(deadline)
        except (OSError, sqlite3.Error) as error:
            if not troubles.may_be_read(error):
                raise
            self._drop_connection()
            self._refusal = refusal or troubles.from_any(error, self._path)
            return self._connect_to_read(deadline, error)

    def _connect(self, deadline: float) -> sqlite3.Connection:
        was = files.state(self._path)
        if was == "empty" and files.has_log(self._path):
            # SQLite would delete the log, which may hold all that was in the file.
            files.set_aside(self._path)
        files.make_file(self._path)
        self._mark = files.mark(self._path)
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
            salvaged = self._prepare(connection, deadline)
            self._notice(connection, was, salvaged=salvaged)
        except BaseException as error:
            # A damaged file is first set aside: closing would write into it.
            if not troubles.is_damage(error):
                self._drop_connection()
            raise
        self._mark = files.mark(self._path)
        return connection

    def _notice(self, connection: sqlite3.Connection, was: lost.Was, *, salvaged: bool) -> None:
        self._loss = self._untold = lost.notice(connection, self._path, was, salvaged=salvaged)

    def _prepare(self, connection: sqlite3.Connection, deadline: float) -> bool:
        """Check the file and bring it into this version's form; whether a damaged one was read."""
        if self._path.stat().st_size <= CHECKED_BYTES:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise troubles.Damaged(found)
        if missing(connection):
            self._backups.before_migration(connection, self._clock(), deadline)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA recursive_triggers = ON")
        if missing(connection):
            migrate(connection, self._clock())
        if tables_are_missing(connection):
            raise troubles.Damaged("a table is missing")
        salvaged = files.note(self._path).exists()
        if salvaged:
            from tutor_lsp.store.recovery import restore

            restore(connection, self._path, self._clock())
        return salvaged

    def _connect_to_read(self, deadline: float, why: Exception) -> sqlite3.Connection:
        wait_s = max(deadline - time.monotonic(), 0.0)
        self._mark = reading.mark(self._path)
        try:
            was = files.state(self._path)
            connection = reading.read_only(self._path, wait_s, self._clock())
            self._connection = connection
            self._notice(connection, was, salvaged=False)
        except (OSError, sqlite3.OperationalError) as error:
            raise why from error
        return connection

    def _set_aside(self) -> TutorError:
        """Set the damaged file aside, unless another program has done so; what to tell."""
        damaged, self._mark = self._mark, None
        if self._refusal is not None:
            self._drop_connection()
            return troubles.damaged_here(self._path, self._refusal)
        try:
            with files.opening(self._path, time.monotonic() + self._busy_s):
                now = files.identity(self._path)
                if damaged is not None and now is not None and damaged[:2] == now:
                    files.set_aside(self._path)
                aside = files.last_set_aside(self._path)
                return troubles.set_aside(self._path, aside, backups.fullest(self._path))
        except OSError as error:
            return troubles.damaged_here(self._path, error)
        except TutorError as error:
            return error
        finally:
            self._drop_connection()

    def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        self._version = None
        if connection is not None:
            connection.close()


def _left_ms(deadline: float) -> int:
    return max(int((deadline - time.monotonic()) * 1000), 0)
