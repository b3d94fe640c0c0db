"""Where no exercise is open: which was the last one, and the way to it."""

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import Session

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise


async def without_marker(app: "App", path: Path) -> "OpenExercise | None":
    """The exercise whose folder a path lies in although it is no longer marked as one, opened and
    marked again; None where no session knows the folder.

    Raises TutorError `NO_WORKSPACE` if the folder itself is gone.
    """
    sessions = await app.db(lambda tx: tx.sessions())
    session = await asyncio.to_thread(_session_above, path, sessions)
    return await app.open_session(session) if session is not None else None


def _session_above(path: Path, sessions: Iterable[Session]) -> Session | None:
    real = Path(os.path.realpath(path))
    for session in sessions:
        root = Path(session.workspace)
        if path.is_relative_to(root) or real.is_relative_to(os.path.realpath(root)):
            return session
    return None


async def none_open(app: "App") -> TutorError:
    """`NO_SESSION`, naming the exercise that was used last."""
    sessions = await app.db(lambda tx: tx.sessions())
    if not sessions:
        return TutorError("NO_SESSION", "No exercise is open. Start one first (tutor.start).")
    last = max(sessions, key=lambda session: session.updated_at)
    if await asyncio.to_thread(Path(last.workspace).is_dir):
        way = f"Go on with it: tutor.resume {last.id[:8]}. Another: tutor.start."
    else:
        way = (
            f"Its folder is gone: {last.workspace}. Make it anew: tutor.start with "
            f'{{"node": "{last.node}"}}. The others: tutor.sessions.'
        )
    return TutorError(
        "NO_SESSION",
        f"No exercise is open. The last one was “{last.title}”. {way}",
        details={"session": last.id, "workspace": last.workspace},
    )
