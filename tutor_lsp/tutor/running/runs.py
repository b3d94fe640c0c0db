"""The runs of the exercises that are open in this process."""

from collections.abc import Callable
from pathlib import Path

from tutor_lsp.tutor.exercise.copies import Copies
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.running import execution
from tutor_lsp.tutor.running.readiness import Readiness
from tutor_lsp.tutor.running.run_queue import ExerciseRuns
from tutor_lsp.tutor.services.services import Services

ATTEMPTS = Path(".cache", "attempts")
"""Folder of the copies that attempts run in, below the home."""
Make = Callable[[OpenExercises, Copies, Path, Callable[[], ExerciseRuns], Readiness], ExerciseRuns]
"""Makes the runs of a folder; they can be requested later."""


class Runs:
    """One queue of runs for each open exercise, until they are `ended`. Use from the loop's thread
    only."""

    def __init__(self, exercises: OpenExercises) -> None:
        self.ended = False
        self.copies = Copies(exercises.services.home / ATTEMPTS)
        self.ready = Readiness(exercises.services)
        self.exercises = exercises
        self._queues: dict[Path, ExerciseRuns] = {}

    @property
    def services(self) -> Services:
        """What the open exercises build on."""
        return self.exercises.services

    def of(self, opened: OpenExercise) -> ExerciseRuns:
        """The runs of an exercise in this process."""
        found = self._queues.get(opened.root)
        if found is None:
            found = self._queues[opened.root] = self._made(opened.root)
        opened.pending = found.pending
        return found

    def _made(self, root: Path) -> ExerciseRuns:
        make = load_execution()
        return make(self.exercises, self.copies, root, lambda: self._queues[root], self.ready)

    def cancel(self) -> bool:
        """Give up all runs; True if anything was running."""
        cancelled = [queue.cancel() for queue in self._queues.values()]
        return any(cancelled)

    async def drain(self) -> None:
        """Wait until no process of a run is left; no run starts by itself after that."""
        self.ended = True
        for queue in self._queues.values():
            await queue.drain()
        await self.ready.close()


def cancel_work(runs: Runs, number: str | None = None) -> bool:
    """Cancel one job or command by its id, or with None everything, runs included; True if anything
    was cancelled."""
    services = runs.services
    jobs, commands = services.jobs.cancel(number), services.tasks.cancel(number)
    hit = jobs or commands
    if number is None:
        hit = runs.cancel() or hit
    return hit


def load_execution() -> Make:
    """How the runs of a folder are made. Blocks at the first call: it brings reviews and all that
    they need, which showing an exercise does not.
    """
    return execution.executed_runs
