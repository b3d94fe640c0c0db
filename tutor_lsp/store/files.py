"""The file itself: made for its owner only, opened by one program at a time, set aside whole."""

import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from tutor_lsp.store import troubles

SIDE_FILES = ("-wal", "-shm")
"""What SQLite keeps beside the file; they belong together and are moved together."""
DAMAGED = "damaged"
"""In the names of damaged files that were set aside."""
_RETRY_S = 0.02


def identity(path: Path) -> tuple[int, int] | None:
    """Which file a path means now, or None if there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def mark(path: Path) -> tuple[int, int, bool] | None:
    """Which file a path means now and whether anything is in it, or None if there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino, found.st_size > 0


def refuse_emptied(path: Path) -> None:
    """Raise Damaged if the file that is in use has no byte any more."""
    found = mark(path)
    if found is not None and not found[2]:
        raise troubles.Damaged("the file was emptied")


def state(path: Path) -> Literal["missing", "empty", "there"]:
    """What the file is before it is opened. Raises TutorError `STORE` if it is no file."""
    found = mark(path)
    if found is None:
        return "missing"
    if not path.is_file():
        # Opening a pipe would wait for ever.
        raise troubles.no_file(path)
    return "there" if found[2] else "empty"


def has_log(path: Path) -> bool:
    """Whether SQLite's log beside the file holds anything."""
    found = mark(Path(f"{path}-wal"))
    return found is not None and found[2]


def make_folder(folder: Path) -> None:
    """Make the folder and those above it that are missing, all for their owner only."""
    missing = [folder, *folder.parents]
    for each in reversed(missing):
        if not each.exists():
            each.mkdir(mode=0o700, exist_ok=True)


def make_file(path: Path) -> None:
    """Make the file, empty, for its owner only.

    What is there stays; a file of ours that others may read is closed to them.
    """
    if not path.exists():
        # A log left behind by a file that is gone would be played into the new one.
        move_side_files(path, free_name(path, DAMAGED))
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
        return
    found = path.stat()
    if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) & 0o077:
        path.chmod(0o600)


@contextmanager
def opening(path: Path, deadline: float) -> Iterator[None]:
    """Only one program at a time makes, migrates, sets aside or restores the file.

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
    """Whether the lock of an open file was had, tried until `deadline` (of time.monotonic)."""
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
    """A name beside the file that is not taken yet: `tutor.db.<what>-<time>`."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    number = 1
    while True:
        name = f"{path.name}.{what}-{stamp}{'' if number == 1 else f'-{number}'}"
        taken = [path.with_name(name + end) for end in ("", *SIDE_FILES)]
        if not any(other.exists() for other in taken):
            return path.with_name(name)
        number += 1


def set_aside(path: Path) -> Path:
    """Give the file and what belongs to it another name; that name. Deletes nothing.

    A note makes the next opening restore what can be read. Call it within `opening`.
    """
    aside = free_name(path, DAMAGED)
    # The note first: a damaged file without one would never be restored.
    note(path).write_text(aside.name, encoding="utf-8")
    move_side_files(path, aside)
    path.rename(aside)
    return aside


def last_set_aside(path: Path) -> Path:
    """The damaged file that was set aside last, or `path` if there is none."""
    found = [
        other
        for other in path.parent.iterdir()
        if other.name.startswith(f"{path.name}.{DAMAGED}-") and not other.name.endswith(SIDE_FILES)
    ]
    return max(found, default=path)


def move_side_files(path: Path, to: Path) -> None:
    """Give SQLite's side files of one path the names that belong to another."""
    for end in SIDE_FILES:
        side = Path(f"{path}{end}")
        if side.exists():
            side.rename(f"{to}{end}")


def note(path: Path) -> Path:
    """The small file that names the damaged file to restore from, while there is one."""
    return path.with_name(f"{path.name}.restore")
