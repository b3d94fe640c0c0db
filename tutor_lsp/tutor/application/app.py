"""The application: what commands receive and front ends hold. Made in `compose.py`."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.settings import Settings
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.learner.record.record import tell_loss
from tutor_lsp.tutor.running.runs import Runs, cancel_work
from tutor_lsp.tutor.services.services import Services

ReadSettings = Callable[[Mapping[str, Any]], tuple[Settings, list[str]]]
"""The settings in force with those of a client, and what was wrong with them."""


@dataclass(frozen=True, slots=True)
class App:
    """Services, open exercises and their runs. Use from the loop's thread only."""

    services: Services
    exercises: OpenExercises
    runs: Runs
    read_settings: ReadSettings

    @classmethod
    def of(cls, services: Services, read_settings: ReadSettings) -> "App":
        """The application on these services, with nothing open yet."""
        exercises = OpenExercises(services)
        services.tell_loss = partial(tell_loss, exercises)
        return cls(services, exercises, Runs(exercises), read_settings)

    def start(self) -> None:
        """Report what was wrong with the settings; called once, on the loop."""
        for problem in self.services.problems:
            self.services.frontend.message(problem, warning=True)

    def client_settings(self, given: Mapping[str, Any]) -> None:
        """Apply settings; wrong ones are reported and left out. The home stays until restart."""
        settings, problems = self.read_settings(given)
        others = self.services.use(settings)
        self.services.warn(problems)
        self.exercises.use_new_tools(others=others)

    def cancel(self, number: str | None = None) -> bool:
        """Cancel a job or command by id, or with None everything; True if anything was."""
        return cancel_work(self.runs, number)

    async def close(self) -> None:
        """End all work, wait until no process is left, close the store."""
        await self.end_work()
        with contextlib.suppress(TutorError):
            await asyncio.to_thread(self.services.store.close)

    async def end_work(self) -> None:
        """End all work, and wait until no process is left; the store is still open."""
        self.cancel()
        services = self.services
        await services.jobs.drain()
        await services.tasks.drain()
        await services.tools.drain()
        await self.runs.drain()
