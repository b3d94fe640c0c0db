"""Known mistakes that are asked for while the lesson is written."""

import asyncio
import contextlib
from collections.abc import Callable

from tutor_lsp.authoring.mistakes.asking import Asking, Found
from tutor_lsp.authoring.model import Candidate


class Beside:
    """Asks for the mistakes of one exercise as soon as its tests hold; `asking` is how."""

    def __init__(self, asking: Callable[[Candidate], Asking]) -> None:
        self._asking = asking
        self._begun: Candidate | None = None
        self._task: asyncio.Task[Found] | None = None

    async def begin(self, candidate: Candidate) -> None:
        """Ask for those of an exercise whose reference passes."""
        await self.end()
        self._begun = candidate
        self._task = asyncio.create_task(self._asking(candidate).found())

    async def found(self, candidate: Candidate) -> Found:
        """Those of the exercise as it is in the end. If tests or reference are others than when it
        was begun, they are run again."""
        if self._task is not None and self._begun is not None and _same(self._begun, candidate):
            return await self._task
        await self.end()
        return await self._asking(candidate).found()

    async def end(self) -> None:
        """Stop what is under way."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


def _same(before: Candidate, now: Candidate) -> bool:
    return (
        before.solution == now.solution
        and before.under("tests") == now.under("tests")
        and [(u.id, u.tests) for u in before.units] == [(u.id, u.tests) for u in now.units]
    )
