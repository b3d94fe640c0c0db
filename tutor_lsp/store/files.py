"""The file itself: private to its owner, opened by one program at a time, set aside as a whole."""

import fcntl
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from tutor_lsp.store import troubles

SIDE_FILES = ("-wal", "-shm")
"""SQLite's files beside the database; they belong together and are moved together."""
DAMAGED = "damaged"
"""Part of the names of damaged files that were set aside."""
_RETRY_S = 0.02


def identity(path: Path) -> tuple[int, int] | None:
    """Which file is at a path now (device and inode), or None."""
    current = mark(path)
    return current and current[:2]


def mark(path: Path) -> tuple[int, int, bool] | None:
    """Which file is at a path now and whether it has any content, or None."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino, status.st_size > 0


def refuse_emptied(path: Path) -> None:
    """Raise Damaged if the file in use has become empty."""
    current = mark(path)
    if current is not None and not current[2]:
        raise troubles.Damaged("the file was emptied")


def state(path: Path) -> Literal["missing", "empty", "there"]:
    """The file's state before it is opened. Raises TutorError `STORE` if it isn't a file."""
    current = mark(path)
    if current is None:
        return "missing"
    if not path.is_file():
        # Opening a pipe would block forever.
        raise troubles.no_file(path)
    return "there" if current[2] else "empty"


def has_log(path: Path) -> bool:
    """Whether SQLite's log beside the file has any content."""
    log = mark(Path(f"{path}-wal"))
    return log is not None and log[2]


def could_be_made(folder: Path) -> bool:
    """Whether a folder is missing and `make_folder` would make it: another one is made beside it
    and removed again, because permissions alone promise too much (in /proc, to root)."""
    if folder.is_symlink() or folder.exists():
        return False
    parent = next((each for each in folder.parents if each.exists()), folder)
    try:
        Path(tempfile.mkdtemp(prefix=".tutor-lsp-", dir=parent)).rmdir()
    except OSError:
        return False
    return True


def make_folder(folder: Path) -> None:
    """Create the folder and missing parents, private to their owner."""
    missing = [folder, *folder.parents]
    for each in reversed(missing):
        if not each.exists():
            each.mkdir(mode=0o700, exist_ok=True)


def make_file(path: Path) -> None:
    """Create the file, empty and private to its owner.

    An existing file stays; if it is ours and others may read it, it is made private.
    """
    if not path.exists():
        # SQLite would replay a log left by a deleted file into the new one.
        move_side_files(path, free_name(path, DAMAGED))
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
        return
    status = path.stat()
    if status.st_uid == os.geteuid() and stat.S_IMODE(status.st_mode) & 0o077:
        path.chmod(0o600)


@contextmanager
def opening(path: Path, deadline: float) -> Iterator[None]:
    """Only one program at a time creates, migrates, sets aside or restores the file.

    Waits until `deadline` (of time.monotonic), then raises TutorError `STORE`.
    """
    gate = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        if not locked(gate, deadline):
            raise troubles.locked(path)
        yield
    finally:
        os.close(gate)


def locked(gate: int, deadline: float) -> bool:
    """Whether an open file could be locked by `deadline` (of time.monotonic)."""
    while True:
        try:
            fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_RETRY_S)
        else:
            return True


def free_name(path: Path, what: str) -> Path:
    """An unused name beside the file: `tutor.db.<what>-<time>`."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    number = 1
    while True:
        name = f"{path.name}.{what}-{stamp}{'' if number == 1 else f'-{number}'}"
        candidates = [path.with_name(name + end) for end in ("", *SIDE_FILES)]
        if not any(other.exists() for other in candidates):
            return path.with_name(name)
        number += 1


def set_aside(path: Path) -> Path:
    """Rename the file with its side files; returns the new name. Deletes nothing.

    A note makes the next opening restore what is readable. Call it within `opening`.
    """
    aside = free_name(path, DAMAGED)
    # The note first: a damaged file without one would never be restored.
    note(path).write_text(aside.name, encoding="utf-8")
    move_side_files(path, aside)
    path.rename(aside)
    return aside


def last_set_aside(path: Path) -> Path:
    """The most recent damaged file set aside, or `path` if there is none."""
    aside = [
        other
        for other in path.parent.iterdir()
        if other.name.startswith(f"{path.name}.{DAMAGED}-") and not other.name.endswith(SIDE_FILES)
    ]
    return max(aside, default=path)


def move_side_files(path: Path, to: Path) -> None:
    """Rename SQLite's side files from one path to another."""
    for end in SIDE_FILES:
        side = Path(f"{path}{end}")
        if side.exists():
            side.rename(f"{to}{end}")


def note(path: Path) -> Path:
    """The small file that names the damaged file to restore from, if there is one."""
    return path.with_name(f"{path.name}.restore")
