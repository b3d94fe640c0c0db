"""A record that cannot be written: on a read-only or full disk, or without permission."""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from pathlib import Path

from tutor_lsp.store import files, troubles
from tutor_lsp.store.migrations import is_newer, migrate, missing

_MEMORY_DISK = Path("/dev/shm")  # noqa: S108 - we create our own folder in it


def read_only(path: Path, wait_s: float, at: str) -> sqlite3.Connection:
    """A read-only connection; to an empty record if there is none.

    Tries in this order: sharing the file with others; the file alone, if it has no log; a copy of
    file and log in a temporary folder, removed at once. Raises TutorError `newer`, sqlite3.Error.
    """
    if _size(path) == 0:
        connection = _memory()
    else:
        try:
            connection = _tried(f"{path.as_uri()}?mode=ro", wait_s)
        except (sqlite3.OperationalError, OSError):
            has_log = _size(Path(f"{path}-wal")) > 0
            connection = _copied(path) if has_log else _tried(f"{path.as_uri()}?immutable=1", 0.0)
    if is_newer(connection):
        connection.close()
        raise troubles.newer(path)
    return _in_this_form(connection, at) if missing(connection) else connection


def nothing(at: str) -> sqlite3.Connection:
    """A connection to an empty record in memory."""
    return _in_this_form(_memory(), at)


def mark(path: Path) -> tuple[object, ...]:
    """A value that changes whenever the file or its log is written."""
    parts: list[object] = [files.identity(path)]
    for end in ("", "-wal"):
        with contextlib.suppress(OSError):
            there = Path(f"{path}{end}").stat()
            parts += [end, there.st_mtime_ns, there.st_size]
    return tuple(parts)


def _in_this_form(connection: sqlite3.Connection, at: str) -> sqlite3.Connection:
    """An older version's record, copied to memory and migrated to this version."""
    copy = _memory()
    with contextlib.closing(connection):
        connection.backup(copy)
    migrate(copy, at)
    return copy


def _copied(path: Path) -> sqlite3.Connection:
    with tempfile.TemporaryDirectory(prefix="tutor-lsp-", dir=_room()) as folder:
        copy = Path(folder) / path.name
        for end in ("", "-wal"):
            shutil.copyfile(f"{path}{end}", f"{copy}{end}")
        whole = _memory()
        with contextlib.closing(sqlite3.connect(copy)) as source:
            source.backup(whole)
        return whole


def _memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


def _tried(address: str, wait_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address, timeout=wait_s, uri=True, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _room() -> Path | None:
    """Where to put a copy: in memory if the system has such a folder."""
    return _MEMORY_DISK if os.access(_MEMORY_DISK, os.W_OK | os.X_OK) else None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
