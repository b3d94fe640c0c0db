"""A record that cannot be written: on a read-only or full disk, or with nobody's permission."""

import contextlib
import os
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.store import files, troubles
from tutor_lsp.store.migrations import is_newer, migrate, missing

if TYPE_CHECKING:
    from collections.abc import Callable

_MEMORY_DISK = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it


def read_only(path: Path, wait_s: float, at: str) -> sqlite3.Connection:
    """A connection that only reads; an empty record where there is none.

    In this order: as others use it; the file alone, where no log belongs to it; a copy of file and
    log in a temporary folder, which is gone at once. Raises TutorError `newer`, sqlite3.Error.
    """
    ways: list[Callable[[], sqlite3.Connection]] = [lambda: _shared(path, wait_s)]
    if _size(path) == 0:
        ways = [lambda: _empty(at)]
    elif _size(Path(f"{path}-wal")) == 0:
        ways.append(lambda: _alone(path))
    else:
        ways.append(lambda: _copied(path))
    for number, way in enumerate(ways, 1):
        try:
            connection = way()
        except (sqlite3.OperationalError, OSError):
            if number == len(ways):
                raise
            continue
        if is_newer(connection):
            connection.close()
            raise troubles.newer(path)
        return _in_this_form(connection, at) if missing(connection) else connection
    raise AssertionError("there is always a way to try")


def mark(path: Path) -> tuple[object, ...]:
    """Changes with whatever others write into the file or its log."""
    found: list[object] = [files.identity(path)]
    for end in ("", "-wal"):
        with contextlib.suppress(OSError):
            there = Path(f"{path}{end}").stat()
            found += [end, there.st_mtime_ns, there.st_size]
    return tuple(found)


def _in_this_form(connection: sqlite3.Connection, at: str) -> sqlite3.Connection:
    """A copy in memory of a record that an older version wrote, as this version writes it."""
    copy = _memory()
    with contextlib.closing(connection):
        connection.backup(copy)
    migrate(copy, at)
    return copy


def _shared(path: Path, wait_s: float) -> sqlite3.Connection:
    return _tried(f"{path.as_uri()}?mode=ro", wait_s)


def _alone(path: Path) -> sqlite3.Connection:
    return _tried(f"{path.as_uri()}?immutable=1", 0.0)


def _copied(path: Path) -> sqlite3.Connection:
    with tempfile.TemporaryDirectory(prefix="tutor-lsp-", dir=_room()) as folder:
        copy = Path(folder) / path.name
        for end in ("", "-wal"):
            shutil.copyfile(f"{path}{end}", f"{copy}{end}")
        whole = _memory()
        with contextlib.closing(sqlite3.connect(copy)) as source:
            source.backup(whole)
        return whole


def _empty(at: str) -> sqlite3.Connection:
    connection = _memory()
    migrate(connection, at)
    return connection


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
    """Where a copy may be put: in memory where the system has such a folder."""
    return _MEMORY_DISK if os.access(_MEMORY_DISK, os.W_OK | os.X_OK) else None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
