"""Work-done progress that a feature may always call, shown where the client can."""

import asyncio
import uuid
from collections.abc import Callable

from lsprotocol import types as lsp
from pygls.progress import Progress

from tutor_lsp.core.text.translation import t
from tutor_lsp.lsp.client import Client
from tutor_lsp.tutor.services.frontend import ProgressHandle


class WorkDoneProgress(ProgressHandle):
    """One progress token. Every report carries the percentage: some clients drop the text else."""

    def __init__(self, shown: Progress, token: str) -> None:
        self._shown = shown
        self._token = token
        self._last = (-1, "")

    def report(self, percent: int, message: str) -> None:
        """See core.ports.Progress."""
        message = t(message)
        if (percent, message) == self._last:
            return
        self._last = (percent, message)
        self._shown.report(
            self._token, lsp.WorkDoneProgressReport(message=message, percentage=percent)
        )

    def done(self, message: str) -> None:
        """End the progress and forget its token."""
        self._shown.end(self._token, lsp.WorkDoneProgressEnd(message=t(message)))
        self._shown.tokens.pop(self._token, None)


async def begin(client: Client, title: str, cancel: Callable[[], object]) -> ProgressHandle:
    """Begin progress; `cancel` is called when it is cancelled in the client."""
    shown = client.server.work_done_progress
    if not client.flags.work_done_progress:
        if not client.flags.shows_results:
            client.message(f"{title} … (tutor.status shows how far it is, tutor.cancel stops it)")
        return ProgressHandle()
    token = f"tutor-{uuid.uuid4()}"
    try:
        async with asyncio.timeout(2):
            creating = asyncio.ensure_future(shown.create_async(token))
            await asyncio.shield(creating)
    except Exception as error:  # noqa: BLE001 - a client that refuses gets no progress, that is all
        client.log.info("no progress for %s: %s", title, error)
        return ProgressHandle()
    shown.tokens[token].add_done_callback(lambda future: cancel() if future.cancelled() else None)
    shown.begin(token, lsp.WorkDoneProgressBegin(title=title, cancellable=True, percentage=0))
    return WorkDoneProgress(shown, token)
