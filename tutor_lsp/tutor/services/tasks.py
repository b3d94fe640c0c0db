"""Tasks beside the jobs: commands that can be cancelled, and work that nobody awaits."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from tutor_lsp.core.errors import TutorError

T = TypeVar("T")
log = logging.getLogger("tutor_lsp")


async def to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, whatever is cancelled meanwhile: it must not be left half done."""
    task = asyncio.ensure_future(work)
    while not task.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.shield(task)
    return task.result()


class Tasks:
    """The tasks of one process. Use from the loop's thread only."""

    def __init__(self, new_id: Callable[[], str]) -> None:
        self._new_id = new_id
        self._commands: dict[str, asyncio.Future[Any]] = {}
        self._background: set[asyncio.Task[None]] = set()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a command so that `cancel` can end it, besides whoever awaits it.

        Raises TutorError `CANCELLED` where `cancel` did.
        """
        task = asyncio.ensure_future(work)
        number = self._new_id()
        self._commands[number] = task
        try:
            return await task
        except asyncio.CancelledError:
            here = asyncio.current_task()
            if here is not None and here.cancelling():
                task.cancel()
                await asyncio.wait([task])
                raise
            raise TutorError("CANCELLED", "It was cancelled.") from None
        finally:
            del self._commands[number]

    def current(self) -> str:
        """The id of the running command, "" outside of one."""
        here = asyncio.current_task()
        return next((n for n, task in self._commands.items() if task is here), "")

    def cancel(self, number: str | None = None) -> bool:
        """Cancel one command, or all; True if anything was cancelled."""
        hit = False
        for known, task in self._commands.items():
            if number in (None, known) and not task.done():
                task.cancel()
                hit = True
        return hit

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run something that nobody awaits; a failure is logged."""
        task = asyncio.create_task(work, name=name)
        self._background.add(task)

        def ended(done: asyncio.Task[None]) -> None:
            self._background.discard(done)
            if not done.cancelled() and (error := done.exception()) is not None:
                log.error("%s failed", name, exc_info=error)

        task.add_done_callback(ended)

    async def drain(self) -> None:
        """Cancel everything and wait until it is gone."""
        self.cancel()
        for task in self._background:
            task.cancel()
        waiting = [*self._commands.values(), *self._background]
        if waiting:
            await asyncio.wait(waiting)
