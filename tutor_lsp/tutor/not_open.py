"""Where no exercise is open: which was the last one, and the way to it."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App


async def refuse_removed(app: "App", path: Path | None) -> None:
    """Raise TutorError `NO_WORKSPACE` if a path lies in the removed folder of a session."""
    if path is None:
        return
    for session in await app.db(lambda tx: tx.sessions()):
        root = Path(session.workspace)
        if path.is_relative_to(root) and not await asyncio.to_thread(root.is_dir):
            await app.open_session(session)


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
            f"Its folder is gone: {last.workspace}. Make it anew: tutor.start, node {last.node}. "
            "The others: tutor.sessions."
        )
    return TutorError(
        "NO_SESSION",
        f"No exercise is open. The last one was “{last.title}”. {way}",
        details={"session": last.id, "workspace": last.workspace},
    )
