"""Long work that goes on after its command was answered, one task each."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tutor_lsp.tutor.running.failures import as_tutor_error
from tutor_lsp.tutor.services.frontend import ProgressHandle

LONG_S, TELLING_PERCENT = 10.0, 10
"""From how many seconds and percent on the time left is told: before that it is a guess."""
FINISHED_KEPT = 5
"""Finished jobs that `tutor.status` still shows."""


@dataclass
class Job:
    """One piece of work as `tutor.status` shows it; `percent` is 0–100 and never goes back.

    A `committed` one is past the point where it could be cancelled.
    """

    id: str
    title: str
    node: str | None
    language: str
    state: str = "running"
    stage: str | None = None
    percent: int = 0
    message: str = ""
    error: dict[str, Any] | None = None
    session: str | None = None
    committed: bool = False
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    def succeed(self, session: str) -> None:
        """Its exercise is there: from now on it is shown as done, whatever its task does yet.

        Called before that is told, since an editor that is told so reads the jobs, and not again.
        """
        self.session, self.percent, self.state = session, 100, "done"

    def view(self) -> dict[str, Any]:
        """The JSON form (`status.jobs[]`)."""
        return {
            "jobId": self.id,
            "title": self.title,
            "node": self.node,
            "language": self.language,
            "state": self.state,
            "stage": self.stage,
            "percent": self.percent,
            "message": self.message,
            "error": self.error,
            "sessionId": self.session,
        }


class JobProgress:
    """Progress of a job: remembered for `tutor.status` and passed on to the front end."""

    def __init__(self, job: Job, shown: ProgressHandle) -> None:
        self._job = job
        self._shown = shown
        self._began = time.monotonic()

    def report(self, percent: int, message: str) -> None:
        """See core.ports.Progress. Long work also says about how long it will take."""
        self._job.percent = max(self._job.percent, min(percent, 100))
        message += self._time_left()
        self._job.message = message
        self._shown.report(self._job.percent, message)

    def _time_left(self) -> str:
        elapsed, done = time.monotonic() - self._began, self._job.percent
        if elapsed < LONG_S or done < TELLING_PERCENT:
            return ""
        left = elapsed * (100 - done) / done
        return (
            f" · {round(left / 60)} min left" if left >= 90 else f" · {round(left / 5) * 5} s left"
        )


class Jobs:
    """All jobs of this server. Use from the loop's thread only."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}

    def start(self, job: Job, work: Callable[[Job], Awaitable[None]]) -> Job:
        """Run `work` as a task. It tells of its own failures; cancelling it ends the job."""

        async def run() -> None:
            try:
                await work(job)
                job.state = "done"
            except asyncio.CancelledError:
                job.state = "cancelled"
            except Exception as raised:  # noqa: BLE001 - a defect must not leave it running for ever
                error = as_tutor_error(raised, f"“{job.title}”")
                job.state = "cancelled" if error.kind == "CANCELLED" else "failed"
                job.error = {"message": error.message, **error.data()}

        finished = [known for known in self._jobs.values() if known.state != "running"]
        for known in finished[: max(0, len(finished) - FINISHED_KEPT + 1)]:
            del self._jobs[known.id]
        self._jobs[job.id] = job
        job.task = asyncio.create_task(run(), name=f"job {job.id}")
        return job

    def all(self) -> list[Job]:
        """Running jobs and the last finished ones, oldest first."""
        return list(self._jobs.values())

    def get(self, job_id: str) -> Job | None:
        """The job, or None."""
        return self._jobs.get(job_id)

    def cancel(self, job_id: str | None = None) -> bool:
        """Cancel one job or, without id, all running ones. True if anything was cancelled."""
        hit = False
        for job in self._jobs.values():
            if job.state != "running" or job.committed or job.task is None:
                continue
            if job_id in (None, job.id):
                job.task.cancel()
                hit = True
        return hit

    async def ended(self) -> None:
        """Wait until those that are running now have ended."""
        running = [job.task for job in self._jobs.values() if job.state == "running" and job.task]
        if running:
            await asyncio.wait(running)

    async def drain(self) -> None:
        """Cancel everything and wait until it is gone."""
        self.cancel()
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks, return_exceptions=True)
