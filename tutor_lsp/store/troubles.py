"""What can go wrong with the file, as errors that tell the learner what to do."""

import errno
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.translation import t
from tutor_lsp.core.text.writing import FULL

DAMAGED = "damaged"
"""The `reason` of errors about damage."""

RESTORE = "`tutor-lsp restore --record`"
"""The command that restores a record."""

_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_FORBIDDEN = frozenset(
    {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
)
_NO_ROOM = frozenset({sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMOPEN})
"""SQLite's message if there is no disk space for its shared memory file."""


class Damaged(ValueError):  # noqa: N818 - names the file's state
    """The file's content is not what was written: a check failed, or a row isn't valid JSON."""


class NoBackup(OSError):  # noqa: N818 - names what is missing
    """No backup could be made before a change of the tables."""


def is_damage(error: BaseException) -> bool:
    """Whether an error means that the file's content is not what was written."""
    if isinstance(error, Damaged):
        return True
    return isinstance(error, sqlite3.Error) and _code(error) in _DAMAGED


@dataclass(frozen=True, slots=True)
class _Trouble:
    """Makes errors of one kind, for a record's path and the other values that `text` names."""

    reason: str
    text: str

    def __call__(self, path: Path, **values: object) -> TutorError:
        text = self.text.format(path=path, folder=path.parent, restore=RESTORE, **values)
        return TutorError("STORE", text, reason=self.reason, details={"path": str(path)})


locked = _Trouble(
    "locked",
    "Your record is in use: another program has locked {path}. "
    "Wait a moment and try again, or close that program.",
)
newer = _Trouble(
    "newer",
    "Your record {path} was written by a newer version of tutor-lsp. "
    "Nothing was changed: update tutor-lsp, or use another `tutor.home`.",
)
no_file = _Trouble(
    "forbidden",
    "Your record {path} cannot be written: it isn't a file. Rename what is there, or "
    "choose another folder with `tutor.home`.",
)
closed = _Trouble("closed", "The record {path} is closed. Start the tutor again.")
unknown_form = _Trouble(
    "unknown-form",
    "The record of {what} in {path} is in a format that this version cannot read. "
    "Nothing was changed: update tutor-lsp, or use another `tutor.home`.",
)
_set_aside = _Trouble(
    DAMAGED,
    "Your record {path} is damaged. It was renamed to {aside}; nothing was deleted. "
    "Try again: a new record will be made with all that can still be read from it.{more}",
)
_damaged_here = _Trouble(
    DAMAGED,
    "Your record {path} is damaged, and nothing can be written beside it ({why}). "
    "{way}; then {restore} restores what can be saved.",
)
_no_folder = _Trouble(
    "forbidden",
    "Your record {path} cannot be written: {folder} isn't a folder. Choose a folder "
    "with `tutor.home`.",
)
_no_backup = _Trouble(
    "no-backup",
    "Your record {path} was written by an older version, and can be upgraded to this "
    "version's format only after a backup. {why} Nothing was changed: make a backup "
    "possible and start again.",
)
_failed = _Trouble(
    "failed",
    "Your record {path} could not be read or written ({why}). "
    "Check the disk and try again; everything saved before is kept.",
)
_full = _Trouble(
    "full",
    "There is no space left for your record {path}. "
    "Free some space and try again; everything saved before is kept.",
)
_unreadable = _Trouble(
    "forbidden",
    "Your record {path} cannot be read (permission denied). "
    "Allow reading and writing it, or choose another folder with `tutor.home`.",
)
_unwritable = _Trouble(
    "forbidden",
    "Your record {path} cannot be written ({why}). "
    "Allow writing to that folder, or choose another with `tutor.home`.",
)


def set_aside(path: Path, aside: Path, backup: str | None, holds: str) -> TutorError:
    """The file was damaged and now has another name; `backup` is the fullest one and
    `holds` its content in words."""
    more = ""
    if backup is not None:
        more = t(
            f" If anything is missing then, {RESTORE} brings back the backup of {backup} ({holds})."
        )
    return _set_aside(path, aside=aside.name, more=more)


def damaged_here(path: Path, why: Exception) -> TutorError:
    """The file is damaged and stays in place, because nothing can be written beside it."""
    reason, way = str(why), t("Allow writing to that folder")
    if isinstance(why, OSError):
        reason = why.strerror or reason
        way = t("Free some space") if why.errno in FULL else way
    return _damaged_here(path, why=reason, way=way)


def from_os(error: OSError, path: Path) -> TutorError:
    """A file or folder cannot be created or written."""
    if error.errno == errno.ENOTDIR:
        return _no_folder(path)
    return _full(path) if error.errno in FULL else _forbidden(path, error.strerror or str(error))


def may_be_read(error: BaseException) -> bool:
    """Whether an error only means that nothing can be written: reading may still work."""
    if isinstance(error, OSError) or is_out_of_reach(error):
        return True
    return isinstance(error, sqlite3.Error) and _code(error) == sqlite3.SQLITE_FULL


def is_out_of_reach(error: BaseException) -> bool:
    """Whether an error concerns the file as a whole and not one operation."""
    codes = _FORBIDDEN | {sqlite3.SQLITE_IOERR}
    return isinstance(error, sqlite3.Error) and _code(error) in codes


def from_any(error: OSError | sqlite3.Error, path: Path) -> TutorError:
    """The reason the file cannot be written."""
    if isinstance(error, NoBackup):
        return _no_backup(path, why=error)
    return from_os(error, path) if isinstance(error, OSError) else from_sqlite(error, path)


def from_sqlite(error: sqlite3.Error, path: Path) -> TutorError:
    """Any SQLite error except damage, which is handled first."""
    code = _code(error)
    if code in _LOCKED:
        return locked(path)
    if code == sqlite3.SQLITE_FULL or getattr(error, "sqlite_errorcode", 0) in _NO_ROOM:
        return _full(path)
    if code in _FORBIDDEN:
        return _forbidden(path, str(error))
    return _failed(path, why=error)


def _forbidden(path: Path, why: str) -> TutorError:
    return _unwritable(path, why=why) if _may_be_opened(path) else _unreadable(path)


def _may_be_opened(path: Path) -> bool:
    """Whether permissions allow reading the file, whether or not it exists."""
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK))
    except OSError as error:
        return not isinstance(error, PermissionError)
    return True


def _code(error: sqlite3.Error) -> int:
    """The primary result code (the low byte of extended codes), -1 if there is none."""
    code: int = getattr(error, "sqlite_errorcode", -1)
    return code & 0xFF if code >= 0 else code
