"""A program that uses the store: one line of output for each step that is committed.

`count N` adds 1 to a node's mastery N times; `events` writes events for ever; `hold` opens a
transaction and keeps it until its input ends; `lock` keeps the whole file for itself.
"""

import sqlite3
import sys
from dataclasses import replace
from pathlib import Path

from tutor_lsp.core.session import Event
from tutor_lsp.store.database import open_store


def main(path, what, *rest):
    if what == "lock":
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        print("held", flush=True)
        sys.stdin.read()
        connection.close()
        return
    store = open_store(Path(path), busy_s=30)
    if what == "count":
        for _ in range(int(rest[0])):
            with store.transaction() as tx:
                record = tx.node("rust", "let")
                tx.put_node(replace(record, mastery=record.mastery + 1))
    elif what == "events":
        for number in range(1_000_000):
            with store.transaction() as tx:
                tx.log(Event("tick", {"number": number, "text": "x" * 2000}))
            print(number, flush=True)
    elif what == "hold":
        with store.transaction():
            print("held", flush=True)
            sys.stdin.read()
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
