"""Temporary folders: removed after use, or by a later process if theirs was killed."""

import asyncio
import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import IO, Any

PREFIX = "tutor-scratch-"
"""Prefix of every such folder's name, so nothing else is ever swept."""

_YOUNG_S = 60.0
"""How old a folder must be, in seconds, to count as abandoned: a new one is not locked at once."""

_PAUSES_S = (0.01, 0.05, 0.2, 0.5, 1.0)
"""Pauses in seconds between attempts to remove a folder that is written to meanwhile."""


class NoTemporaryFolder(OSError):  # noqa: N818 - says what is the case, not a defect
    """No folder for temporary files is writable; `filename` names those tried."""


def temporary_folder() -> str:
    """Where temporary files go. Raises NoTemporaryFolder."""
    try:
        return tempfile.gettempdir()
    except FileNotFoundError as error:
        tried = str(error.strerror).partition("[")[2].rstrip("]").replace("'", "")
        why = "No temporary folder can be written to"
        raise NoTemporaryFolder(errno.ENOSPC, why, tried) from None


def nameless_file() -> IO[bytes]:
    """A new file without a name, gone with its last descriptor. It is in memory if the system
    supports that: some disks begin to write when a truncated file is closed. Raises OSError.
    """
    memory = getattr(os, "memfd_create", None)
    if memory is None:
        return tempfile.TemporaryFile(buffering=0)
    return open(memory("tutor", os.MFD_CLOEXEC), "r+b", buffering=0)  # noqa: PTH123 - a descriptor


@contextlib.asynccontextmanager
async def scratch_folder(kind: str, parent: Path | None = None) -> AsyncIterator[Path]:
    """A new folder for the block, removed at its end in any case.

    `kind` becomes part of its name. It is created in `parent`, by default the system's temporary
    folder. Raises OSError if it cannot be made.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{kind}-", dir=parent or temporary_folder()))
    with contextlib.ExitStack() as locks:
        with contextlib.suppress(OSError):  # a file system without locks
            locks.callback(os.close, _open(folder))
        try:
            yield folder
        finally:
            await to_its_end(asyncio.to_thread(_remove, folder))


async def to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Wait for `work` however often the wait is cancelled; a cancel is raised afterwards, else what
    `work` raised."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    task.result()


def _remove(folder: Path) -> None:
    """Remove a folder into which a thread of a cancelled task may still write."""
    for pause in _PAUSES_S:
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(pause)
    shutil.rmtree(folder, ignore_errors=True)


def _open(folder: Path | str) -> int:
    """A descriptor that locks the folder for as long as it is open. Raises OSError if another
    process has locked it."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        raise
    return fd


def sweep(parent: Path | None = None) -> int:
    """Remove what killed processes left in `parent` (as above); returns how many folders.

    Takes milliseconds unless there is a lot to remove: call it in a thread. Never raises.
    """
    swept = 0
    with contextlib.suppress(OSError), os.scandir(parent or tempfile.gettempdir()) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                if entry.name.startswith(PREFIX) and _is_left(entry):
                    lock = _open(entry.path)
                    try:
                        shutil.rmtree(entry.path, ignore_errors=True)
                    finally:
                        os.close(lock)
                    swept += 1
    return swept


def _is_left(entry: os.DirEntry[str]) -> bool:
    """Whether a folder is ours and old enough to be abandoned."""
    status = entry.stat(follow_symlinks=False)
    return status.st_uid == os.geteuid() and time.time() - status.st_mtime > _YOUNG_S
