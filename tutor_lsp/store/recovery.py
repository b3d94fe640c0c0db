"""Salvaging what can still be read of a damaged file into a new one."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from tutor_lsp.store import files
from tutor_lsp.store.migrations import TABLES
from tutor_lsp.store.records import dump, load_json
from tutor_lsp.store.troubles import Damaged

_PAGE_BYTES = 4096
_JSON_COLUMNS = frozenset({"body", "exercise", "vault", "data", "payload"})


def restore(connection: sqlite3.Connection, path: Path, at: str) -> dict[str, int]:
    """Copy every readable row of the file named in `path`'s note; returns rows per table.

    One transaction, with an event `store-restored`; existing rows stay. The damaged file is only
    read, as a copy. The note must exist and is removed at the end.
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
            # SQLite deletes the log of an empty file, but that log may contain every page.
            os.truncate(copy, _PAGE_BYTES)
        connection.execute("BEGIN IMMEDIATE")
        with connection:  # commits, or rolls back
            for table in TABLES:
                rows[table] = _take_over(connection, copy, table)
            connection.execute(
                "INSERT INTO events (at, kind, session, data) VALUES (?, ?, NULL, ?)",
                (at, "store-restored", dump({"file": damaged.name, "rows": rows})),
            )
    note.unlink()
    return rows


def _take_over(connection: sqlite3.Connection, copy: Path, table: str) -> int:
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    copied = 0
    for names, row in _readable_rows(copy, table, columns):
        marks = ", ".join("?" * len(names))
        cursor = connection.execute(
            f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({marks})",  # noqa: S608
            row,
        )
        copied += cursor.rowcount
    return copied


def _readable_rows(
    copy: Path, table: str, columns: list[str]
) -> Iterator[tuple[list[str], list[object]]]:
    """Rows of a table from the start to the damage, then from the end back to it."""
    if not copy.is_file():
        return
    with closing(sqlite3.connect(copy)) as damaged:
        damaged.text_factory = bytes
        try:
            there = [name for _, name, *_ in damaged.execute(f"PRAGMA table_info({table})")]
        except sqlite3.Error:
            return
        names = [name for name in columns if name.encode() in there]
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


def _until_damage(
    damaged: sqlite3.Connection, table: str, names: list[str], order: str
) -> Iterator[tuple[Any, ...]]:
    query = f"SELECT rowid, {', '.join(names)} FROM {table} NOT INDEXED"  # noqa: S608
    try:
        yield from damaged.execute(f"{query} ORDER BY rowid {order}")
    except sqlite3.DatabaseError:
        return


def _sound(names: list[str], values: list[object]) -> list[object] | None:
    """The row with decoded texts, or None if a text or its JSON is unreadable."""
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
