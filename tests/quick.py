"""What tests need not wait for: disks, and to read again what was read.

No test takes a machine's power away, and a disk takes milliseconds for each write; every tutor of
a test reads the library, whose texts stay the same. Programs of their own, as editors and shells
start them, do wait, and read.
"""

import os
import pickle
import sqlite3
import tomllib
from functools import cache, lru_cache

connect = sqlite3.connect
"""What opens a database that waits for its disk."""
NO_WAITING = "PRAGMA synchronous = OFF"
_loads = tomllib.loads
_pickled = cache(lambda text: pickle.dumps(_loads(text)))


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
    # Much faster than to copy what was loaded.
    return _loads(text, **named) if named else pickle.loads(_pickled(text))  # noqa: S301 - our own


def _read_once_each():
    """Let a process of its own parse each answer of a model once, though every test plays it."""
    from tutor_lsp.authoring import readable

    really, known = readable.unreadable, {}

    async def unreadable(language, texts):
        key = language, *texts
        if key not in known:
            known[key] = await really(language, texts)
        return known[key]

    readable.unreadable = unreadable


def _read_library_once():
    """Let what comes with the tutor, and texts of Markdown, be read once: neither changes."""
    from tutor_lsp.library import loader, markdown, shelf

    really, once = shelf.read_entry, cache(shelf.read_entry)

    def read_entry(path, language):
        return (once if path.is_relative_to(loader.BUNDLED) else really)(path, language)

    shelf.read_entry = read_entry
    markdown._outline = lru_cache(1000)(markdown._outline)


def install():
    """For this process, and those that it forks."""
    _read_once_each()
    _read_library_once()
    sqlite3.connect = _quick
    os.fsync = lambda _: None
    tomllib.loads = _toml
