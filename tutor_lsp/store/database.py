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
from tutor_lsp.core.text.clock import local_day
from tutor_lsp.store import backups, files, lost, reading, troubles
from tutor_lsp.store.held import Changed, Held
from tutor_lsp.store.journal import SqliteJournal
from tutor_lsp.store.migrations import is_newer, migrate, missing, tables_are_missing
from tutor_lsp.store.recovery import restore
from tutor_lsp.store.transaction import Transaction

T = TypeVar("T")

BUSY_S = 5.0
CHECKED_BYTES = 16 * 1024 * 1024
"""Files up to this size, in bytes, are checked completely on opening."""


def utc_now() -> str:
    """The time as ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def open_store(
    path: Path,
    *,
    busy_s: float = BUSY_S,
    clock: Callable[[], str] = utc_now,
    reachable: bool = True,
) -> "Store":
    """The record at `path`, created if it does not exist; where its folder is missing, too, both
    are created by the first write.

    Folders are created with permissions 0700 and files with 0600. No call waits longer than about
    `busy_s` seconds for other programs. If the file cannot be written, or the backup due before
    a change of the tables fails, it is opened read-only, and `refusal` says why. Raises TutorError
    `STORE`, with `reason`: `locked`; `damaged` (the file was set aside as
    `tutor.db.damaged-<time>`, and the next opening makes a new one with all that can be read);
    `newer` (nothing was touched); `forbidden` or `full` if it cannot even be read. Unless it has to
    be `reachable`, it is then an empty one that cannot be written.
    """
    store = Store(path, busy_s, clock, reachable=reachable)
    store.open()
    return store


class Store:
    """The learner's record. Threads share one connection and take turns. Calls block for at most
    the busy limit: keep them off the loop. Every method raises TutorError `STORE` with what to do
    when the file is locked or damaged.

    The first write of a day is preceded by a backup (`backups`); after writes, closing the store
    refreshes it.
    """

    def __init__(
        self, path: Path, busy_s: float, clock: Callable[[], str], *, reachable: bool
    ) -> None:
        self._path = path.absolute()
        self._reachable = reachable
        self._busy_s = busy_s
        self._clock = clock
        self._turn = threading.Lock()
        self._owner: int | None = None
        self._connection: sqlite3.Connection | None = None
        self._mark: tuple[object, ...] | None = None
        self._closed = False
        self._absent = False
        self._version: int | None = None
        self.loss: Loss | None = None
        """What was found missing when the record was opened, whether or not it is settled."""
        self._untold: Loss | None = None
        self.refusal: TutorError | None = None
        """Why nothing can be written, as of the last opening of the record; None if it can."""
        self._journal = SqliteJournal(self._begin, clock)
        self._backups = backups.Backups(self._path)
        self._wrote = False

    def open(self) -> None:
        """Open the file now, so that problems show now."""
        with self._exclusive() as deadline, self._told():
            self._current(deadline)

    @property
    def backup_problem(self) -> str | None:
        """Why the last backup failed, None if it did not or none was due."""
        return self._backups.problem

    def take_loss(self) -> Loss | None:
        """`loss`, once after each opening, for reporting it."""
        loss, self._untold = self._untold, None
        return loss

    def put_loss_back(self, loss: Loss | None) -> None:
        """Put back a loss that was taken but not settled, unless a newer one was found."""
        self._untold = self._untold or loss

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """One immediate transaction: committed at the end, rolled back on any exception."""
        with self._held(writes=True) as held:
            yield Transaction(held, self._path, self._clock)

    def work(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in one transaction that waits for other writers only before its first write.

        If another program wrote after `work` had read something, or the file turns out to be
        damaged and is set aside, `work` is run again from the start: it must have no other effects.
        """
        try:
            return self._worked(work)
        except TutorError as error:
            if error.reason != troubles.DAMAGED:
                raise
            # It was set aside: go on with what can be read of it.
            return self._worked(work)

    def _worked(self, work: Callable[[Transaction], T]) -> T:
        try:
            with self._held(writes=False) as held:
                return work(Transaction(held, self._path, self._clock))
        except Changed:
            with self.transaction() as transaction:
                return work(transaction)

    def keep_copy(self, name: str) -> Path:
        """Copy the current record to a private file beside it; returns the path.

        Raises TutorError `STORE`.
        """
        target = files.free_name(self._path, name)
        with self._exclusive() as deadline, self._told():
            try:
                backups.copy_whole(self._current(deadline), target)
            except OSError as error:
                raise troubles.from_os(error, self._path) from error
        return target

    def shrink(self) -> None:
        """Give the space of what was removed back to the disk. Raises TutorError `STORE`."""
        with self._exclusive() as deadline, self._told():
            connection = self._current(deadline, writes=True)
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def journal(self) -> SqliteJournal:
        """The stage journal in the same file."""
        return self._journal

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
                if self.refusal is not None:
                    # Opening the file for writing was retried first.
                    raise self.refusal if writes else Changed
                if self._absent:
                    raise Changed
                self._backups.before_write(connection, local_day(self._clock()))
                self._wrote = True
                connection.execute(f"PRAGMA busy_timeout = {_left_ms(deadline)}")

            connection.execute(f"PRAGMA busy_timeout = {_left_ms(deadline)}")
            held = Held(connection, before_write)
            kept = False
            try:
                if writes and self.refusal is None:
                    held.to_write()
                yield held
                kept = True
            finally:
                held.end(keep=kept)

    def changed_elsewhere(self) -> bool:
        """Whether another program may have written since the last call; the first answer is
        yes. Never waits and never raises; what cannot be determined now is reported next time."""
        if not self._turn.acquire(blocking=False):
            return False
        try:
            if self._connection is None:
                return False
            # Only other connections' commits change this number; reading it takes microseconds.
            row = self._connection.execute("PRAGMA data_version").fetchone()
            version = int(row[0])
        except sqlite3.Error:
            return False
        finally:
            self._turn.release()
        before, self._version = self._version, version
        return before != version

    def refresh_backup(self) -> None:
        """Bring today's backup up to date with this program's writes, without blocking others."""
        if self._wrote and self.refusal is None:
            self._wrote = False
            self._backups.refresh(local_day(self._clock()))

    def close(self) -> None:
        """Close all connections; further calls raise."""
        self._backups.wait()
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
        """Raises SQLite and file system errors as TutorError; sets a damaged file aside."""
        try:
            yield
        except (sqlite3.Error, troubles.Damaged) as error:
            if troubles.is_damage(error):
                raise self._set_aside() from error
            if troubles.is_out_of_reach(error):
                # The next call finds out what still works.
                self._drop_connection()
            if isinstance(error, sqlite3.Error):
                raise troubles.from_sqlite(error, self._path) from error
            raise

    def _current(self, deadline: float, *, writes: bool = False) -> sqlite3.Connection:
        """The connection to the file that is at the path now.

        After the file was moved or deleted, writes to the old one would be lost. A file opened
        read-only is reopened before a write, and when it has changed. A folder is made by a write
        only: until then the record is empty.
        """
        if self._closed:
            raise troubles.closed(self._path)
        try:
            if self._connection is not None and self._mark == self._mark_now():
                if not writes or (self.refusal is None and not self._absent):
                    return self._connection
            elif self._connection is not None and not (self._absent or self.refusal):
                files.refuse_emptied(self._path)
            self._drop_connection()
            self._absent = not writes and files.could_be_made(self._path.parent)
            if self._absent:
                self._mark, self._connection = None, reading.nothing(self._clock())
                return self._connection
            return self._opened(deadline)
        except OSError as error:
            raise troubles.from_os(error, self._path) from error

    def _mark_now(self) -> tuple[object, ...] | None:
        if self.refusal is None:
            return files.mark(self._path)
        try:
            return reading.mark(self._path)
        except OSError:
            if self._reachable:
                raise
            return None

    def _opened(self, deadline: float) -> sqlite3.Connection:
        """The file opened for writing, or else read-only."""
        refusal, self.refusal = self.refusal, None
        try:
            files.make_folder(self._path.parent)
            with files.opening(self._path, deadline):
                return self._connect(deadline)
        except (OSError, sqlite3.Error) as error:
            if not troubles.may_be_read(error):
                raise
            self._drop_connection()
            self.refusal = refusal or troubles.from_any(error, self._path)
            return self._connect_to_read(deadline, error)

    def _connect(self, deadline: float) -> sqlite3.Connection:
        was = files.state(self._path)
        if was == "empty" and files.has_log(self._path):
            # SQLite would delete the log, which may have the file's whole content.
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
            # A damaged file must be set aside first: closing would write to it.
            if not troubles.is_damage(error):
                self._drop_connection()
            raise
        self._mark = files.mark(self._path)
        return connection

    def _notice(self, connection: sqlite3.Connection, was: lost.Was, *, salvaged: bool) -> None:
        self.loss = self._untold = lost.notice(connection, self._path, was, salvaged=salvaged)

    def _prepare(self, connection: sqlite3.Connection, deadline: float) -> bool:
        """Check and migrate the file; returns whether a damaged one was salvaged."""
        if self._path.stat().st_size <= CHECKED_BYTES:
            (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if result != "ok":
                raise troubles.Damaged(result)
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
            restore(connection, self._path, self._clock())
        return salvaged

    def _connect_to_read(self, deadline: float, why: Exception) -> sqlite3.Connection:
        wait_s = max(deadline - time.monotonic(), 0.0)
        try:
            self._mark = reading.mark(self._path)
            was = files.state(self._path)
            connection = reading.read_only(self._path, wait_s, self._clock())
            self._connection = connection
            self._notice(connection, was, salvaged=False)
        except (OSError, sqlite3.OperationalError) as error:
            if self._reachable:
                raise why from error
            self._mark, connection = None, reading.nothing(self._clock())
            self._connection = connection
        return connection

    def _set_aside(self) -> TutorError:
        """Set the damaged file aside, unless another program has; returns the error to raise."""
        damaged, self._mark = self._mark, None
        if self.refusal is not None:
            self._drop_connection()
            return troubles.damaged_here(self._path, self.refusal)
        try:
            with files.opening(self._path, time.monotonic() + self._busy_s):
                now = files.identity(self._path)
                if damaged is not None and now is not None and damaged[:2] == now:
                    files.set_aside(self._path)
                aside = files.last_set_aside(self._path)
                best = backups.fullest(self._path)
                name, holds = (best.name, best.holds.words) if best is not None else (None, "")
                return troubles.set_aside(self._path, aside, name, holds)
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
