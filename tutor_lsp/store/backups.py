"""Copies of the record below `backups/`: one a day, which the day's work joins as it is done, and
one before the tables change."""

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.core.learner.loss import Holdings
from tutor_lsp.store import files, troubles
from tutor_lsp.store.holdings import NOTHING, dismissed, has_any, has_broken_rows, holdings
from tutor_lsp.store.migrations import is_newer, migrate

FOLDER = "backups"
KEPT = 7
"""Days that are kept; besides, what holds something that the record lacks always is."""
LEFT_FREE_BYTES = 16 * 1024 * 1024
"""What a backup leaves free on the disk, beside its own size once more."""
WORTH = ("sessions", "nodes")
"""A record without anything in these tables is not worth the backup of a day."""
LAST_WAIT_S = 2.0
"""Longest that a program waits at its end for another one's backup, in seconds."""
_DAY = "tutor-????-??-??.db"
_MIGRATION = "tutor-before-migration-*.db"


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that can be read. `name` is the day, or `before-migration-…`."""

    path: Path
    name: str
    holds: Holdings


class Backups:
    """Makes at most one backup a day for one record; `problem` says why the last one failed."""

    def __init__(self, record: Path) -> None:
        self._record = record
        self._day: str | None = None
        self.problem: str | None = None

    def before_write(self, connection: sqlite3.Connection, today: str) -> None:
        """Back up if nobody has today; call it outside a transaction, before a write.

        A record without sessions and topics is not worth one, and a backup that fails is no reason
        not to write. Raises Damaged if the copy shows that the record is.
        """
        if self._day == today:
            return
        if self._make(connection, f"tutor-{today}.db", WORTH):
            self._day = today

    def refresh(self, today: str) -> None:
        """Put what was done since into today's backup, for as long as that lacks nothing that the
        backup has. Others may read and write the record meanwhile.

        It takes the old one's place as a whole. What cannot be done is said by `problem`.
        """
        try:
            with closing(sqlite3.connect(f"{self._record.as_uri()}?mode=ro", uri=True)) as reader:
                deadline = time.monotonic() + LAST_WAIT_S
                self._make(reader, f"tutor-{today}.db", WORTH, deadline, again=True)
        except (sqlite3.Error, troubles.Damaged) as error:
            self.problem = f"The backup of today could not be refreshed: {error}."

    def before_migration(self, connection: sqlite3.Connection, at: str, deadline: float) -> None:
        """Back up before the tables change; the one before goes unless the record lacks some of it.

        Waits until `deadline` (of time.monotonic) for another program's backup. Raises NoBackup if
        there is something to keep and it could not be kept, Damaged.
        """
        stamp = "".join(letter for letter in at if letter.isalnum())
        name = f"tutor-before-migration-{stamp}.db"
        done = self._make(connection, name, ("sessions", "nodes", "events"), deadline)
        if done and not (_folder(self._record) / name).is_file():
            raise troubles.NoBackup(self.problem or "another program makes one now")

    def _make(
        self,
        connection: sqlite3.Connection,
        name: str,
        worth: Collection[str],
        deadline: float = 0.0,
        *,
        again: bool = False,
    ) -> bool:
        """Back up if one of the tables of `worth` has anything, and `again` over a backup that is
        there if nothing of it is lost by that; whether this is done for now, be it that it could
        not be made.
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
                    for left in target.parent.glob(".*.part"):  # of one that was killed
                        left.unlink(missing_ok=True)
                    copy_whole(connection, target, instead_of=_read(target) if there else None)
                    if not there:
                        _drop_old(self._record, connection)
        except (OSError, sqlite3.Error) as error:
            said = error.strerror if isinstance(error, OSError) and error.strerror else error
            self.problem = f"The backup {target} could not be made: {said}."
        else:
            self.problem = None
        return True


def found(record: Path) -> list[Backup]:
    """The backups of a record that can be read, the newest day first, then others."""
    folder = _folder(record)
    days, others = sorted(folder.glob(_DAY), reverse=True), sorted(folder.glob(_MIGRATION))
    read = [_read(path) for path in [*days, *others]]
    return [backup for backup in read if backup is not None]


def fullest(record: Path, known: Holdings = NOTHING) -> Backup | None:
    """The newest of those backups that hold the most besides `known`, if any holds anything."""
    worth = [backup for backup in found(record) if backup.holds.without(known)]
    return max(worth, key=lambda backup: backup.holds.without(known).counts, default=None)


@contextmanager
def opened(backup: Backup, record: Path, at: str) -> Iterator[sqlite3.Connection]:
    """The backup in memory, in the form of this version; the file stays as it is.

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
    connection: sqlite3.Connection, target: Path, *, instead_of: Backup | None = None
) -> None:
    """Copy a record as it stands, whoever else reads and writes it, into one file of its own.

    Nothing is at `target` before everything is; the backup that it would be there `instead_of`
    stays if it has anything that the copy lacks. Raises OSError, sqlite3.Error, Damaged.
    """
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
        with closing(sqlite3.connect(part)) as copy:
            connection.backup(copy)
            # A file that is to be read alone keeps no log beside it.
            copy.execute("PRAGMA journal_mode = DELETE")
            (sound,) = copy.execute("PRAGMA quick_check(1)").fetchone()
            if sound != "ok":
                raise troubles.Damaged(sound)
            if instead_of is not None and not _takes_nothing(copy, instead_of):
                return
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.rename(target)
    finally:
        for end in ("", "-journal"):
            part.with_name(part.name + end).unlink(missing_ok=True)


def _takes_nothing(copy: sqlite3.Connection, old: Backup) -> bool:
    """Whether a copy has all that a backup has, in rows that can be read."""
    return not has_broken_rows(copy) and not old.holds.without(holdings(copy))


def _folder(record: Path) -> Path:
    return record.parent / FOLDER


@contextmanager
def _alone(folder: Path, deadline: float) -> Iterator[bool]:
    """Whether no other program makes a backup now, or none does at `deadline`."""
    files.make_folder(folder)
    gate = os.open(folder / ".lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        yield files.locked(gate, deadline)
    finally:
        os.close(gate)


def _refuse_where_full(record: Path, connection: sqlite3.Connection) -> None:
    """A backup must not be what fills the disk."""
    (pages,), (size,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size")
    )
    needed = 2 * pages * size + LEFT_FREE_BYTES
    if shutil.disk_usage(record.parent).free < needed:
        raise OSError(f"less than {needed // 2**20} MB are free on the disk")


def _drop_old(record: Path, connection: sqlite3.Connection) -> None:
    """Keep the last days, the last migration, and whatever else holds what the record lacks, what
    its learner does not go on without, and no other one that is kept holds. One that cannot be
    read now stays.
    """
    folder = _folder(record)
    days, others = (sorted(folder.glob(kind), reverse=True) for kind in (_DAY, _MIGRATION))
    recent = {*days[:KEPT], *others[:1]}
    if recent.issuperset([*days, *others]):
        return
    known = holdings(connection).and_those_of(dismissed(connection))
    lacking = {backup.path: backup.holds.without(known) for backup in found(record)}
    kept = [lacking.pop(path) for path in recent & lacking.keys()]
    # What holds more comes first, so that what holds a part of it need not stay.
    for old, lacks in sorted(lacking.items(), key=lambda item: item[1].size, reverse=True):
        if any(not lacks.without(other) for other in (NOTHING, *kept)):
            old.unlink(missing_ok=True)
        else:
            kept.append(lacks)


def _read(path: Path) -> Backup | None:
    """A backup, None where the file is no sound record."""
    with contextlib.suppress(sqlite3.Error), closing(_read_only(path)) as connection:
        return Backup(path, path.stem.removeprefix("tutor-"), holdings(connection))
    return None


def _read_only(path: Path) -> sqlite3.Connection:
    # Immutable: nothing beside the file is looked for, so that the folder may be read-only.
    return sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True, check_same_thread=False)
