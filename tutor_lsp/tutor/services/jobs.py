"""Long-running work that continues after its command was answered, one task each."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from tutor_lsp.core.pace import Durations, left_in_words, seconds_left, seconds_left_by_way
from tutor_lsp.core.text.translation import t
from tutor_lsp.tutor.interface.learner import ErrorInfo, JobInfo, JobState, error_info
from tutor_lsp.tutor.services.failures import as_tutor_error
from tutor_lsp.tutor.services.frontend import ProgressHandle
from tutor_lsp.wire import filled_from

TICK_S = 5.0
"""How often the time left is reported anew, in seconds."""
AT_ONCE_S = 1.0
"""What is done within this of the beginning was done before, in seconds."""
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
    state: JobState = "running"
    stage: str | None = None
    percent: int = 0
    message: str = ""
    error: ErrorInfo | None = None
    session: str | None = None
    committed: bool = False
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    def succeed(self, session: str) -> None:
        """Its exercise exists: from now on it is shown as done, even if its task still runs.

        Called before the client is notified, because an editor then reads the jobs, once.
        """
        self.session, self.percent, self.state = session, 100, "done"

    def view(self) -> JobInfo:
        """As `status.jobs[]` shows it."""
        return filled_from(JobInfo, self, job_id=self.id, session_id=self.session)


@dataclass(slots=True)
class Pace:
    """How long the stages of a piece of work take: `known` from earlier runs, `run` in this one.
    `stage_at` says which stage a percentage is in, `stages` are all of them in order. Without
    earlier runs the time left is told from how far this one came; what it came to at once, from
    one that was interrupted, tells nothing."""

    stages: Sequence[str] = ()
    stage_at: Callable[[int], str] = lambda _: ""
    known: Durations = field(default_factory=dict)
    run: dict[str, float] = field(default_factory=dict)
    clock: Callable[[], float] = time.monotonic
    _stage: str = ""
    _since: float = 0.0
    _began: float | None = None
    _from: int = 0
    _percent: int = 0
    _reached: float = 0.0

    def at(self, percent: int) -> None:
        """The work has come so far."""
        stage, now = self.stage_at(percent), self.clock()
        if self._began is None:
            self._began = now
        if now - self._began < AT_ONCE_S:
            self._from = percent
        if percent != self._percent:
            self._percent, self._reached = percent, now
        if stage != self._stage:
            self.ended()
            self._stage, self._since = stage, now

    def ended(self) -> None:
        """The stage that it is in has ended."""
        if self._stage:
            self.run[self._stage] = self.clock() - self._since
        self._stage = ""

    def left(self) -> str:
        """The time left, in words."""
        now = self.clock()
        if not self._stage:
            return ""
        if self.known or self._began is None:
            seconds = seconds_left(self.known, self.stages, self._stage, now - self._since)
        else:
            gone, left = self._percent - self._from, 100 - self._percent
            took, elapsed = self._reached - self._began, now - self._began
            seconds = seconds_left_by_way(gone, left, took, elapsed)
        return left_in_words(seconds)


class JobProgress:
    """Progress of a job: remembered for `tutor.status` and passed on to the front end, with about
    how long it still takes where earlier runs tell that."""

    def __init__(self, job: Job, shown: ProgressHandle, pace: Pace | None = None) -> None:
        self._job = job
        self._shown = shown
        self._pace = pace or Pace()
        self._said = ""

    def report(self, percent: int, message: str) -> None:
        """See core.ports.Progress."""
        self._job.percent = max(self._job.percent, min(percent, 100))
        self._said = t(message)
        self._pace.at(self._job.percent)
        self._tell()

    async def ticking(self) -> None:
        """Report the time left as it passes, until this is cancelled."""
        while True:
            await asyncio.sleep(TICK_S)
            if self._said:
                self._tell()

    def _tell(self) -> None:
        left = self._pace.left()
        self._job.message = f"{self._said} · {left}" if left else self._said
        self._shown.report(self._job.percent, self._job.message)


class Jobs:
    """All jobs of this server. Use from the loop's thread only."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}

    def start(self, job: Job, work: Callable[[Job], Awaitable[None]]) -> Job:
        """Run `work` as a task. It reports its own failures; cancelling it ends the job."""

        async def run() -> None:
            try:
                await work(job)
                job.state = "done"
            except asyncio.CancelledError:
                job.state = "cancelled"
            except Exception as raised:  # noqa: BLE001 - a defect must not leave it running for ever
                error = as_tutor_error(raised, f"“{job.title}”")
                job.state = "cancelled" if error.kind == "CANCELLED" else "failed"
                job.error = error_info(error)

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
