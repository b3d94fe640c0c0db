"""Keeps the next run of an exercise ready while somebody works on it."""

import asyncio
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tutor_lsp.core.ports import Toolchain
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.services.services import Services

IDLE_S = 300.0
"""How long an exercise may be left alone until nothing is kept ready for it, in seconds."""
SOON_S = 0.1
"""How long after a run the next one is made ready, in seconds: its results are shown first."""


@dataclass(slots=True)
class _Kept:
    toolchain: Toolchain
    used: float
    timer: asyncio.TimerHandle


class Readiness:
    """What costs time before a run is done ahead of it, by `Toolchain.keep_ready`; without it runs
    only take longer. Use from the loop's thread only."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._kept: dict[Path, _Kept] = {}
        self._closed = False

    def touch(self, opened: OpenExercise) -> None:
        """Somebody works on it: a run will follow. Takes microseconds."""
        kept = self._kept.get(opened.root)
        if kept is not None and kept.toolchain is opened.toolchain:
            kept.used = time.monotonic()
        elif opened.session.trusted and not self._closed:
            self.let_go(opened.root)
            timer = self._later(IDLE_S, opened.root)
            self._kept[opened.root] = _Kept(opened.toolchain, time.monotonic(), timer)
            self._prepare(opened.root)

    def again(self, opened: OpenExercise) -> None:
        """A run has used what was ready; prepares the next one if somebody works on it."""
        if opened.root in self._kept:
            asyncio.get_running_loop().call_later(SOON_S, self._prepare, opened.root)

    def _prepare(self, root: Path) -> None:
        kept = self._kept.get(root)
        if kept is not None:
            limits = self._services.settings.run_limits
            work = kept.toolchain.keep_ready(root, limits)
            self._services.tasks.spawn(work, "making the next run ready")

    def _later(self, seconds: float, root: Path) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, partial(self._look, root))

    def _look(self, root: Path) -> None:
        kept = self._kept[root]
        left = kept.used + IDLE_S - time.monotonic()
        if left > 0:
            kept.timer = self._later(left, root)
        else:
            self.let_go(root)

    def let_go(self, root: Path) -> None:
        """Nobody works on it any more."""
        kept = self._kept.pop(root, None)
        if kept is not None:
            kept.timer.cancel()
            self._services.tasks.spawn(kept.toolchain.let_go(root), "ending what was ready")

    async def close(self) -> None:
        """End all that is ready, for good."""
        self._closed = True
        kept, self._kept = self._kept, {}
        for root, each in kept.items():
            each.timer.cancel()
            await each.toolchain.let_go(root)
