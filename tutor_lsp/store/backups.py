"""Copies of the record in `backups/`: one a day, updated with that day's work, and one before the
tables change."""

import contextlib
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.core.learner.loss import Holdings
from tutor_lsp.store import files, troubles
from tutor_lsp.store.holdings import (
    NOTHING,
    dismissed,
    has_all_of,
    has_any,
    has_broken_rows,
    holdings,
)
from tutor_lsp.store.migrations import is_newer, migrate

FOLDER = "backups"
KEPT = 7
"""Days to keep; a backup that contains something the record lacks is kept in any case."""
LEFT_FREE_BYTES = 16 * 1024 * 1024
"""Free space that a backup must leave on the disk, on top of twice its own size, in bytes."""
WORTH = ("sessions", "nodes")
"""A record without rows in these tables gets no daily backup."""
LAST_WAIT_S = 2.0
"""Longest that a program waits at exit for another one's backup, in seconds."""
LARGE_BYTES = 32 * 1024 * 1024
"""Records over this size, in bytes, are copied beside the work."""
REFRESHED_S = 3600.0
"""How old, in seconds, the day's backup of a large record gets before it is replaced."""
_DAY = "tutor-????-??-??.db"
_MIGRATION = "tutor-before-migration-*.db"


@dataclass(frozen=True, slots=True)
class Backup:
    """A readable backup. `name` is the day, or `before-migration-…`."""

    path: Path
    name: str
    holds: Holdings


class Backups:
    """Makes at most one backup a day for one record; `problem` says why the last one failed."""

    def __init__(self, record: Path) -> None:
        self._record = record
        self._day: str | None = None
        self._copying: threading.Thread | None = None
        self._damage: troubles.Damaged | None = None
        self.problem: str | None = None

    def before_write(self, connection: sqlite3.Connection, today: str) -> None:
        """Back up if nobody has yet today; call it outside a transaction, before a write.

        A record without sessions and topics is not backed up, and a failed backup does not prevent
        the write. A large record is copied as it is now while it is written to; `wait` waits for
        that. Raises Damaged if copying shows that the record is damaged, of a large one with the
        next write.
        """
        damage, self._damage = self._damage, None
        if damage is not None:
            raise damage
        if self._day == today:
            return
        if is_large(connection) and not (_folder(self._record) / f"tutor-{today}.db").exists():
            self._day = today
            self._copy_beside(today)
        elif self._make(connection, f"tutor-{today}.db", WORTH):
            self._day = today

    def _copy_beside(self, today: str) -> None:
        """Back up from a snapshot of the record as it is now, in a thread."""
        reader = _reader(self._record)
        try:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except BaseException:
            reader.close()
            raise

        def copy() -> None:
            with closing(reader):
                try:
                    self._make(reader, f"tutor-{today}.db", WORTH)
                except troubles.Damaged as damage:
                    self._damage = damage

        self.wait()
        self._copying = threading.Thread(target=copy, name="backup")
        self._copying.start()

    def wait(self) -> None:
        """Until no copy of a large record is under way."""
        copying, self._copying = self._copying, None
        if copying is not None:
            copying.join()

    def refresh(self, today: str) -> None:
        """Replace today's backup by a current one, unless that would lose something, or unless the
        record is large and its backup younger than `REFRESHED_S`. Other programs may read and
        write the record during this.

        The replacement is atomic. On failure `problem` says why.
        """
        try:
            with closing(_reader(self._record)) as reader:
                if is_large(reader) and not _is_old(_folder(self._record) / f"tutor-{today}.db"):
                    return
                deadline = time.monotonic() + LAST_WAIT_S
                self._make(reader, f"tutor-{today}.db", WORTH, deadline, again=True)
        except (sqlite3.Error, troubles.Damaged) as error:
            self.problem = f"Today's backup could not be refreshed: {error}."

    def before_migration(self, connection: sqlite3.Connection, at: str, deadline: float) -> None:
        """Back up before the tables change; the previous such backup goes unless the record lacks
        some of it.

        Waits until `deadline` (of time.monotonic) for another program's backup. Raises Damaged,
        and NoBackup if there is something to back up but it failed.
        """
        stamp = "".join(letter for letter in at if letter.isalnum())
        name = f"tutor-before-migration-{stamp}.db"
        done = self._make(connection, name, ("sessions", "nodes", "events"), deadline)
        if done and not (_folder(self._record) / name).is_file():
            raise troubles.NoBackup(self.problem or "another program is making one")

    def _make(
        self,
        connection: sqlite3.Connection,
        name: str,
        worth: Collection[str],
        deadline: float = 0.0,
        *,
        again: bool = False,
    ) -> bool:
        """Back up if one of the tables in `worth` has rows; with `again`, replace an existing
        backup if that loses nothing. Returns whether this is settled for now, which includes a
        failed backup.
        """
        target = _folder(self._record) / name
        if target.exists() and not again:
            return True
        try:
            if not any(has_any(connection, table) for table in worth):
                return False
            _refuse_where_full(self._record, connection)
            with _alone(target.parent, deadline) as alone:
                there = target.exists()
                if alone and (again or not there):
                    for left in target.parent.glob(".*.part"):  # of a killed program
                        left.unlink(missing_ok=True)
                    copy_whole(connection, target, instead_of=target if there else None)
                    if not there:
                        _drop_old(self._record, connection)
        except (OSError, sqlite3.Error) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            self.problem = f"The backup {target} could not be made: {reason}."
        else:
            self.problem = None
        return True


def is_large(connection: sqlite3.Connection) -> bool:
    """Whether copying a record takes long enough that nobody should wait for it."""
    (pages,), (size,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size")
    )
    return bool(pages * size > LARGE_BYTES)


def _is_old(backup: Path) -> bool:
    try:
        return time.time() - backup.stat().st_mtime > REFRESHED_S
    except OSError:
        return False  # that of the day is being made


def _reader(record: Path) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{record.as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
    )


def hindrance(record: Path) -> str | None:
    """Why no backup of this record can be written, None if nothing is known against it. Changes
    nothing; blocks.
    """
    folder = _folder(record)
    if not os.path.lexists(folder):
        return None
    if not folder.is_dir():
        return f"Backups cannot be written to {folder}: it isn't a folder."
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"Backups cannot be written to {folder}."
    return None


def found(record: Path) -> list[Backup]:
    """A record's readable backups, the newest day first, then others."""
    folder = _folder(record)
    days, others = sorted(folder.glob(_DAY), reverse=True), sorted(folder.glob(_MIGRATION))
    read = [_read(path) for path in [*days, *others]]
    return [backup for backup in read if backup is not None]


def fullest(record: Path, known: Holdings = NOTHING) -> Backup | None:
    """The newest of the backups with the most content besides `known`, if any has such content."""
    worth = [backup for backup in found(record) if backup.holds.without(known)]
    return max(worth, key=lambda backup: backup.holds.without(known).counts, default=None)


@contextmanager
def load_backup(backup: Backup, record: Path, at: str) -> Iterator[sqlite3.Connection]:
    """The backup loaded into memory, migrated to this version; the file does not change.

    Raises TutorError `STORE` if a newer version wrote it.
    """
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as copy:
        with closing(_read_only(backup.path)) as source:
            if is_newer(source):
                raise troubles.newer(record)
            source.backup(copy)
        copy.isolation_level = None
        migrate(copy, at)
        yield copy


def copy_whole(
    connection: sqlite3.Connection, target: Path, *, instead_of: Path | None = None
) -> None:
    """Copy a record as it stands, while others may read and write it, to a single file.

    `target` appears only when complete; an existing backup, passed as `instead_of`, stays there if
    it contains anything that the copy lacks. Raises OSError, sqlite3.Error, Damaged.
    """
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
        with closing(sqlite3.connect(part)) as copy:
            connection.backup(copy)
            # A self-contained file needs no log beside it.
            copy.execute("PRAGMA journal_mode = DELETE")
            (sound,) = copy.execute("PRAGMA quick_check(1)").fetchone()
            if sound != "ok":
                raise troubles.Damaged(sound)
            broken = instead_of is not None and has_broken_rows(copy)
        if instead_of is not None and (broken or not _takes_nothing(part, instead_of)):
            return
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.rename(target)
    finally:
        for end in ("", "-journal"):
            part.with_name(part.name + end).unlink(missing_ok=True)


def _takes_nothing(copy: Path, old: Path) -> bool:
    """Whether a copy has everything that a backup has; one that cannot be read has nothing."""
    try:
        return has_all_of(copy, old)
    except sqlite3.Error:
        return _read(old) is None


def _folder(record: Path) -> Path:
    return record.parent / FOLDER


@contextmanager
def _alone(folder: Path, deadline: float) -> Iterator[bool]:
    """Whether no other program is making a backup, waiting until `deadline`."""
    files.make_folder(folder)
    gate = os.open(folder / ".lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        yield files.locked(gate, deadline)
    finally:
        os.close(gate)


def _refuse_where_full(record: Path, connection: sqlite3.Connection) -> None:
    """Raise OSError rather than let a backup fill the disk."""
    (pages,), (size,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size")
    )
    needed = 2 * pages * size + LEFT_FREE_BYTES
    if shutil.disk_usage(record.parent).free < needed:
        raise OSError(f"less than {needed // 2**20} MB of disk space are free")


def _drop_old(record: Path, connection: sqlite3.Connection) -> None:
    """Keep the last days and the last migration's backup, and any other with content that is in
    neither the record nor another kept backup, unless its learner dismissed that. A backup that
    cannot be read now stays.
    """
    folder = _folder(record)
    days, others = (sorted(folder.glob(kind), reverse=True) for kind in (_DAY, _MIGRATION))
    recent = {*days[:KEPT], *others[:1]}
    for old in [*days[KEPT:], *others[1:]]:
        with contextlib.suppress(sqlite3.Error):
            if has_all_of(record, old):
                old.unlink(missing_ok=True)
    if not any(old.exists() for old in [*days[KEPT:], *others[1:]]):
        return
    known = holdings(connection).and_those_of(dismissed(connection))
    lacking = {backup.path: backup.holds.without(known) for backup in found(record)}
    kept = [lacking.pop(path) for path in recent & lacking.keys()]
    # Largest first: a backup contained in a larger one need not stay.
    for old, lacks in sorted(lacking.items(), key=lambda item: item[1].size, reverse=True):
        if any(not lacks.without(other) for other in (NOTHING, *kept)):
            old.unlink(missing_ok=True)
        else:
            kept.append(lacks)


def _read(path: Path) -> Backup | None:
    """A backup, None if the file is not a valid record."""
    with contextlib.suppress(sqlite3.Error), closing(_read_only(path)) as connection:
        return Backup(path, path.stem.removeprefix("tutor-"), holdings(connection))
    return None


def _read_only(path: Path) -> sqlite3.Connection:
    # Immutable: SQLite looks for no side files, so the folder may be read-only.
    return sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True, check_same_thread=False)
