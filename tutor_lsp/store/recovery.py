"""Taking over into a new file what can still be read of a damaged one."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tutor_lsp.store import files
from tutor_lsp.store.migrations import TABLES
from tutor_lsp.store.records import dump, load_json
from tutor_lsp.store.troubles import Damaged

_PAGE_BYTES = 4096
_JSON_COLUMNS = frozenset({"body", "exercise", "vault", "data", "payload"})


def restore(connection: sqlite3.Connection, path: Path, at: str) -> dict[str, int]:
    """Copy every readable row of the file that `path`'s note names; rows per table.

    One transaction, with an event `store-restored`; rows that are there already stay. The
    damaged file is only read, as a copy. The note, which must be there, goes at the end.
    """
    note = files.note(path)
    damaged = path.with_name(Path(note.read_text(encoding="utf-8").strip()).name)
    rows = dict.fromkeys(TABLES, 0)
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=path.parent) as folder:
        copy = Path(folder) / "damaged.db"
        for end in ("", *files.SIDE_FILES[:1]):
            if Path(f"{damaged}{end}").is_file():
                shutil.copyfile(f"{damaged}{end}", f"{copy}{end}")
        if copy.is_file() and copy.stat().st_size == 0:
            # SQLite deletes the log of an empty file, which may hold every page of it.
            os.truncate(copy, _PAGE_BYTES)
        connection.execute("BEGIN IMMEDIATE")
        try:
            for table in TABLES:
                rows[table] = _take_over(connection, copy, table)
            connection.execute(
                "INSERT INTO events (at, kind, session, data) VALUES (?, ?, NULL, ?)",
                (at, "store-restored", dump({"file": damaged.name, "rows": rows})),
            )
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    note.unlink()
    return rows


def _take_over(connection: sqlite3.Connection, copy: Path, table: str) -> int:
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    taken = 0
    for names, row in _readable_rows(copy, table, columns):
        marks = ", ".join("?" * len(names))
        cursor = connection.execute(
            f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({marks})",  # noqa: S608
            row,
        )
        taken += cursor.rowcount
    return taken


def _readable_rows(
    copy: Path, table: str, columns: list[str]
) -> Iterator[tuple[list[str], list[object]]]:
    """Rows of a table from its start up to damage, then from its end back to it."""
    if not copy.is_file():
        return
    damaged = sqlite3.connect(copy)
    try:
        damaged.text_factory = bytes
        try:
            there = [
                name.decode() for _, name, *_ in damaged.execute(f"PRAGMA table_info({table})")
            ]
        except (sqlite3.Error, UnicodeDecodeError):
            return
        names = [name for name in columns if name in there]
        if not names:
            return
        last: int | None = None
        for order in ("ASC", "DESC"):
            for rowid, *values in _until_damage(damaged, table, names, order):
                if order == "DESC" and rowid == last:
                    return
                last = rowid if order == "ASC" else last
                row = _sound(names, values)
                if row is not None:
                    yield names, row
    finally:
        damaged.close()


def _until_damage(
    damaged: sqlite3.Connection, table: str, names: list[str], order: str
) -> Iterator[tuple[Any, ...]]:
    query = f"SELECT rowid, {', '.join(names)} FROM {table} NOT INDEXED"  # noqa: S608
    try:
        yield from damaged.execute(f"{query} ORDER BY rowid {order}")
    except sqlite3.DatabaseError:
        return


def _sound(names: list[str], values: list[object]) -> list[object] | None:
    """The row with its texts decoded, or None if a text or its JSON cannot be read."""
    row: list[object] = []
    for name, value in zip(names, values, strict=True):
        try:
            text = value.decode("utf-8") if isinstance(value, bytes) else value
            if name in _JSON_COLUMNS:
                load_json(str(text))
        except (UnicodeDecodeError, Damaged):
            return None
        row.append(text)
    return row
