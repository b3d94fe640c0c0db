"""What tests need not wait for: disks, and to read again what was read.

No test takes a machine's power away, and a disk takes milliseconds for each write; every tutor of
a test reads the library, whose texts stay the same. Programs of their own, as editors and shells
start them, do wait, and read.
"""

import copy
import os
import sqlite3
import tomllib
from functools import cache

connect = sqlite3.connect
"""What opens a database that waits for its disk."""
NO_WAITING = "PRAGMA synchronous = OFF"
_loads = tomllib.loads
_loads_once = cache(_loads)


class _Quick(sqlite3.Connection):
    def execute(self, statement, *values):
        if statement == "PRAGMA synchronous = FULL":
            return super().execute(NO_WAITING)
        if statement == "PRAGMA journal_mode = WAL":
            super().execute(NO_WAITING)
        return super().execute(statement, *values)

    def backup(self, target, **named):
        target.execute(NO_WAITING)
        super().backup(target, **named)


def _quick(*arguments, **named):
    return connect(*arguments, **{"factory": _Quick, **named})


def _toml(text, /, **named):
    return _loads(text, **named) if named else copy.deepcopy(_loads_once(text))


def install():
    """For this process, and those that it forks."""
    sqlite3.connect = _quick
    os.fsync = lambda _: None
    tomllib.loads = _toml
