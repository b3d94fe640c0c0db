"""Tasks other than jobs: commands that can be cancelled, and work that nobody awaits."""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from tutor_lsp.core.errors import TutorError

T = TypeVar("T")
IMPORTS_HOLD_S = 0.0001
"""How long the loop waits for a thread that imports, in seconds."""
_USUAL_S = sys.getswitchinterval()
log = logging.getLogger("tutor_lsp")


async def to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, which is completed even if the caller is cancelled."""
    task = asyncio.ensure_future(work)
    while not task.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.shield(task)
    return task.result()


async def load_beside(load: Callable[[], T]) -> T:
    """What `load` gives, which imports modules: in a thread, and so that the loop hardly waits.

    An import keeps the interpreter for as long as others let it, by default 5 ms each time.
    """
    sys.setswitchinterval(IMPORTS_HOLD_S)
    try:
        return await asyncio.to_thread(load)
    finally:
        sys.setswitchinterval(_USUAL_S)


class Background:
    """Work that nobody awaits; `failed` hears of what it raises."""

    def __init__(self, failed: Callable[[str, BaseException], None]) -> None:
        self._failed = failed
        self.tasks: set[asyncio.Task[None]] = set()
        self._lasting: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None], name: str, *, lasts: bool = False) -> None:
        """Run it beside all else. What `lasts` is of use to later processes, too."""
        task = asyncio.create_task(work, name=name)
        self.tasks.add(task)
        task.add_done_callback(self._ended)
        if lasts:
            self._lasting.add(task)

    async def settle(self, limit_s: float) -> None:
        """Wait for what is of use to later processes, at most so long; it goes on after that."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                while self._lasting:
                    await asyncio.wait(self._lasting)

    @property
    def has_lasting(self) -> bool:
        """Whether there is anything that `settle` would wait for."""
        return bool(self._lasting)

    def _ended(self, done: asyncio.Task[None]) -> None:
        self.tasks.discard(done)
        self._lasting.discard(done)
        if not done.cancelled() and (error := done.exception()) is not None:
            self._failed(done.get_name(), error)


def log_failure(name: str, error: BaseException) -> None:
    """Handles the outcome of work that nobody awaited."""
    log.error("%s failed", name, exc_info=error)


class Tasks(Background):
    """The tasks of one process. Use from the loop's thread only."""

    def __init__(self, new_id: Callable[[], str]) -> None:
        super().__init__(log_failure)
        self._new_id = new_id
        self._commands: dict[str, asyncio.Future[Any]] = {}

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

    async def drain(self) -> None:
        """Cancel everything and wait until it is gone."""
        self.cancel()
        for task in self.tasks:
            task.cancel()
        waiting = [*self._commands.values(), *self.tasks]
        if waiting:
            await asyncio.wait(waiting)
