"""One after the other, where whoever goes on longer than it must gives way."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import TypeVar

T = TypeVar("T")


class Turns:
    """Lets one in at a time, in the order in which they come."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._waiting = 0
        self._wanted = asyncio.Event()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until it is one's turn, and have it."""
        self._waiting += 1
        if self._lock.locked():
            self._wanted.set()
        try:
            await self._lock.acquire()
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._wanted.clear()
        try:
            yield
        finally:
            self._lock.release()

    async def unless_wanted(self, work: Awaitable[T]) -> T | None:
        """The result of `work`; None if somebody else wants their turn first: it is cancelled.

        It stays in the caller's task, which is the one that a learner can cancel.
        """
        given_way = asyncio.timeout(None)

        async def give_way() -> None:
            await self._wanted.wait()
            given_way.reschedule(0)

        watching = asyncio.ensure_future(give_way())
        try:
            async with given_way:
                return await work
        except TimeoutError:
            if not given_way.expired():
                raise
            return None
        finally:
            watching.cancel()
