"""Work-done progress that a feature may always call, shown where the client can."""

import asyncio
import uuid
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from tutor_lsp.lsp.server import TutorServer


class NoProgress:
    """For clients that show none."""

    def report(self, percent: int, message: str) -> None:
        """Show nothing."""

    def done(self, message: str) -> None:
        """Show nothing."""


class WorkDoneProgress:
    """One progress token. Every report carries the percentage: some clients drop the text else."""

    def __init__(self, server: "TutorServer", token: str) -> None:
        self._server = server
        self._token = token
        self._last = (-1, "")

    def report(self, percent: int, message: str) -> None:
        """See core.ports.Progress."""
        if (percent, message) == self._last:
            return
        self._last = (percent, message)
        self._server.work_done_progress.report(
            self._token, lsp.WorkDoneProgressReport(message=message, percentage=percent)
        )

    def done(self, message: str) -> None:
        """End the progress and forget its token."""
        self._server.work_done_progress.end(self._token, lsp.WorkDoneProgressEnd(message=message))
        self._server.work_done_progress.tokens.pop(self._token, None)


async def begin(server: "TutorServer", job_id: str, title: str) -> NoProgress | WorkDoneProgress:
    """Begin progress; cancelling it in the client cancels the job."""
    if not server.flags.work_done_progress:
        if not server.flags.shows_results:
            told = "tutor.status tells how far it is, tutor.cancel stops it"
            server.frontend.message(f"{title} … ({told})")
        return NoProgress()
    token = f"tutor-{uuid.uuid4()}"
    try:
        async with asyncio.timeout(2):
            creating = asyncio.ensure_future(server.work_done_progress.create_async(token))
            await asyncio.shield(creating)
    except Exception as error:  # noqa: BLE001 - a client that refuses gets no progress, that is all
        server.log.info("no progress for %s: %s", title, error)
        return NoProgress()
    server.work_done_progress.tokens[token].add_done_callback(
        lambda future: server.app.cancel(job_id) if future.cancelled() else None
    )
    server.work_done_progress.begin(
        token, lsp.WorkDoneProgressBegin(title=title, cancellable=True, percentage=0)
    )
    return WorkDoneProgress(server, token)
