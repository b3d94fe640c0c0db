"""One run at a time on an exercise, whatever the number of servers and terminals."""

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.writing import remedy

POLL_S = 0.02
"""How often a held lock is tried again, in seconds."""
PATIENCE_S = 2.0
"""After how long somebody is told that they wait, in seconds."""


@asynccontextmanager
async def exercise_lock(root: Path, waits: Callable[[], None]) -> AsyncIterator[None]:
    """Hold `<root>/.tutor/lock`; waits without blocking the loop, and can be cancelled.

    `waits` is called once if the lock is not had within `PATIENCE_S`.
    The kernel lets go when the holder dies. Raises TutorError `NO_WORKSPACE` if the folder is
    gone.
    """
    path = root / ".tutor" / "lock"
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        advice = "Start the exercise again, or resume another one."
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            advice = remedy(error, "Its tests run where that folder can be written: allow that.")
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
