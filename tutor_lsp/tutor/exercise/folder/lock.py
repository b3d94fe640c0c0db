"""One run at a time on an exercise, whatever the number of servers and terminals."""

import asyncio
import errno
import fcntl
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.translation import t
from tutor_lsp.core.text.writing import remedy

POLL_S = 0.02
"""How often a held lock is tried again, in seconds."""
PATIENCE_S = 2.0
"""How long before the learner is told that they are waiting, in seconds."""


def _opened(path: Path) -> int:
    """A handle to lock; where nothing can be written, of the file as it is, or of its folder."""
    flags = os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, flags | os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES):
            raise
    try:
        return os.open(path, flags | os.O_RDONLY)
    except FileNotFoundError:
        return os.open(path.parent, flags | os.O_RDONLY | os.O_DIRECTORY)


@asynccontextmanager
async def exercise_lock(root: Path, waits: Callable[[], None]) -> AsyncIterator[None]:
    """Hold `<root>/.tutor/lock`, also where it cannot be written; waits without blocking the loop,
    and can be cancelled.

    `waits` is called once if the lock is not acquired within `PATIENCE_S`.
    The kernel releases it when the holder dies. Raises TutorError `NO_WORKSPACE` if the folder is
    gone.
    """
    path = root / ".tutor" / "lock"
    try:
        handle = _opened(path)
    except OSError as error:
        advice = t("Start the exercise again, or resume another one.")
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            advice = remedy(error, "Its tests need to write to that folder: allow that.")
        raise TutorError(
            "NO_WORKSPACE",
            f"The exercise folder {root} cannot be used ({error.strerror}). {advice}",
        ) from error
    try:
        tries = 0
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                tries += 1
                if tries == round(PATIENCE_S / POLL_S):
                    waits()
                await asyncio.sleep(POLL_S)
        yield
    finally:
        os.close(handle)
