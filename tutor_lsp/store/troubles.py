"""What can go wrong with the file, as errors that tell the learner what to do."""

import errno
import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.writing import FULL

if TYPE_CHECKING:
    from tutor_lsp.store.backups import Backup

DAMAGED = "damaged"
"""The reason of errors about damage."""

RESTORE = "`tutor-lsp restore --record`"
"""The command that brings a record back."""

_LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_FORBIDDEN = frozenset(
    {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
)
_NO_ROOM = frozenset({sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMOPEN})
"""What SQLite says where the memory that programs share finds no room on the disk."""


class Damaged(ValueError):  # noqa: N818 - it says what the file is
    """The file's content is not what was written: a check failed, or a row is no JSON."""


class NoBackup(OSError):  # noqa: N818 - it says what there is not
    """No backup could be made before the tables were to be changed."""


def is_damage(error: BaseException) -> bool:
    """Whether an error means that the file's content is not what was written."""
    if isinstance(error, Damaged):
        return True
    return isinstance(error, sqlite3.Error) and _code(error) in _DAMAGED


def locked(path: Path) -> TutorError:
    """Another program has the file for longer than the busy limit."""
    return _trouble(
        "locked",
        path,
        f"Your record is in use: another program holds {path}. "
        "Wait a moment and try again, or close that program.",
    )


def set_aside(path: Path, aside: Path, backup: "Backup | None") -> TutorError:
    """The file was damaged and now has another name."""
    more = ""
    if backup is not None:
        more = (
            f" If anything is missing then: {RESTORE} brings back the backup of {backup.name} "
            f"({backup.holds.words})."
        )
    return _trouble(
        DAMAGED,
        path,
        f"Your record {path} is damaged. It was set aside as {aside.name}, nothing was deleted. "
        f"Try again: a new record is made with all that can still be read from it.{more}",
    )


def damaged_here(path: Path, why: Exception) -> TutorError:
    """The file is damaged and stays where it is, since nothing can be written beside it."""
    said, way = str(why), "Allow writing to that folder"
    if isinstance(why, OSError):
        said = why.strerror or said
        way = "Free some space" if why.errno in FULL else way
    return _trouble(
        DAMAGED,
        path,
        f"Your record {path} is damaged, and nothing can be written beside it ({said}). "
        f"{way}; then {RESTORE} brings back what can be brought back.",
    )


def newer(path: Path) -> TutorError:
    """The file was written by a later version; it was not touched."""
    return _trouble(
        "newer",
        path,
        f"Your record {path} was written by a newer version of tutor-lsp. "
        "Nothing was changed: update tutor-lsp, or use another `tutor.home`.",
    )


def no_file(path: Path) -> TutorError:
    """There is something at the path that is no file."""
    return _trouble(
        "forbidden",
        path,
        f"Your record {path} cannot be written: it is no file. Give what stands there another "
        "name, or choose another folder with `tutor.home`.",
    )


def closed(path: Path) -> TutorError:
    """The store was closed before this call."""
    return _trouble("closed", path, f"The record {path} was closed. Start the tutor again.")


def unknown_form(path: Path, what: str) -> TutorError:
    """A record that is sound JSON but not of a shape that this version knows."""
    return _trouble(
        "unknown-form",
        path,
        f"The record of {what} in {path} has a form that this version cannot read. "
        "Nothing was changed: update tutor-lsp, or use another `tutor.home`.",
    )


def from_os(error: OSError, path: Path) -> TutorError:
    """A file or folder that cannot be made or written."""
    if error.errno == errno.ENOTDIR:
        return _trouble(
            "forbidden",
            path,
            f"Your record {path} cannot be written: {path.parent} is no folder. Choose a folder "
            "with `tutor.home`.",
        )
    return _full(path) if error.errno in FULL else _forbidden(path, error.strerror or str(error))


def may_be_read(error: BaseException) -> bool:
    """Whether an error only means that nothing can be written: reading may still work."""
    if isinstance(error, OSError) or is_out_of_reach(error):
        return True
    return isinstance(error, sqlite3.Error) and _code(error) == sqlite3.SQLITE_FULL


def is_out_of_reach(error: BaseException) -> bool:
    """Whether an error is about the file as a whole and not about what was done with it."""
    codes = _FORBIDDEN | {sqlite3.SQLITE_IOERR}
    return isinstance(error, sqlite3.Error) and _code(error) in codes


def from_any(error: OSError | sqlite3.Error, path: Path) -> TutorError:
    """Why the file cannot be written."""
    if isinstance(error, NoBackup):
        return _trouble(
            "no-backup",
            path,
            f"Your record {path} was written by an older version, and is brought into the form of "
            f"this one only after a backup. {error} Nothing was changed: make that possible and "
            "start again.",
        )
    if isinstance(error, OSError):
        return from_os(error, path)
    return from_sqlite(error, path)


def from_sqlite(error: sqlite3.Error, path: Path) -> TutorError:
    """Any error of SQLite but damage, which is set aside first."""
    code = _code(error)
    if code in _LOCKED:
        return locked(path)
    if code == sqlite3.SQLITE_FULL or getattr(error, "sqlite_errorcode", 0) in _NO_ROOM:
        return _full(path)
    if code in _FORBIDDEN:
        return _forbidden(path, str(error))
    return _trouble(
        "failed",
        path,
        f"Your record {path} could not be read or written ({error}). "
        "Check the disk and try again; what was saved before is kept.",
    )


def _full(path: Path) -> TutorError:
    return _trouble(
        "full",
        path,
        f"There is no space left for your record {path}. "
        "Free some space and try again; what was saved before is kept.",
    )


def _forbidden(path: Path, why: str) -> TutorError:
    if not _may_be_opened(path):
        return _trouble(
            "forbidden",
            path,
            f"Your record {path} cannot be read (permission denied). "
            "Allow reading and writing it, or choose another folder with `tutor.home`.",
        )
    return _trouble(
        "forbidden",
        path,
        f"Your record {path} cannot be written ({why}). "
        "Allow writing to that folder, or choose another with `tutor.home`.",
    )


def _may_be_opened(path: Path) -> bool:
    """Whether nobody forbids to read the file, be it there or not."""
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK))
    except PermissionError:
        return False
    except OSError:
        return True
    return True


def _trouble(reason: str, path: Path, message: str) -> TutorError:
    return TutorError("STORE", message, reason=reason, details={"path": str(path)})


def _code(error: sqlite3.Error) -> int:
    """The primary result code; extended codes carry it in their low byte. -1 if there is none."""
    code: int = getattr(error, "sqlite_errorcode", -1)
    return code & 0xFF if code >= 0 else code
