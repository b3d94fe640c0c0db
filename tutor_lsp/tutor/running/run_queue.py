"""Carries out the decisions of core.runs for one exercise: tests, publishing, review, answers."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tutor_lsp.core import runs
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import RunOutcome, TestReport
from tutor_lsp.core.exercise.snapshot import Snapshot
from tutor_lsp.core.text.translation import t
from tutor_lsp.tutor.services.failures import as_tutor_error, forget, tell

COUNTED = frozenset({RunOutcome.PASSED, RunOutcome.FAILED, RunOutcome.TIMEOUT})
"""The outcomes with which an attempt counts: its tests ran."""


@dataclass(frozen=True, slots=True)
class RunAnswer:
    """How a run ended: its report, and for an attempt the number under which it was counted. The
    text that it is about is `report.text_hash`.
    """

    run: int
    kind: runs.RunKind
    report: TestReport
    attempt: int | None = None


@dataclass(frozen=True, slots=True)
class RunResult:
    """A judged run with the texts that it ran on, when those were read (ISO 8601), and the hash of
    the learner's files among them.
    """

    report: TestReport
    texts: Mapping[str, str]
    text_hash: str
    at: str = ""


Take = Callable[[], Awaitable[Snapshot]]
"""Takes the snapshot of an attempt; raises TutorError."""
RunTests = Callable[[Snapshot | None], Awaitable[RunResult]]
"""Runs the tests of an attempt's snapshot, or of what is on the disk, and judges them; raises
TutorError."""
Publish = Callable[[runs.RunKind, RunResult], Awaitable[int | None]]
"""Stores and shows a report; gives the attempt's number where it was counted."""
ReviewAttempt = Callable[[int, Mapping[str, str]], Awaitable[None]]
"""Reviews the attempt of that number on those texts; keeps the attempt whatever happens."""
Refused = Callable[[TutorError], None]
"""Called with the reason when a run could not be made or its result kept; never for a cancel."""


class ExerciseRuns:
    """The runs of one exercise in this process. Use from the loop's thread only."""

    def __init__(
        self,
        tests: RunTests,
        publish: Publish,
        review: ReviewAttempt,
        refused: Refused,
        given_up: Callable[[], None] = lambda: None,
    ) -> None:
        """`given_up` is called when a cancel has left nothing running."""
        self._run_tests = tests
        self._publish = publish
        self._review = review
        self._refused = refused
        self._given_up = given_up
        self._state = runs.State()
        self._tasks: dict[int, asyncio.Task[RunResult]] = {}
        self._storing: dict[int, asyncio.Task[None]] = {}
        self._reviews: dict[int, asyncio.Task[None]] = {}
        self._ran: dict[int, tuple[runs.RunKind, RunResult]] = {}
        self._outcomes: dict[int, RunAnswer] = {}
        self._failed: dict[int, TutorError] = {}
        self._later: dict[int, list[runs.Effect]] = {}
        self._waiting: dict[int, asyncio.Future[RunAnswer]] = {}
        self._shots: dict[str, Snapshot] = {}
        self._taking: dict[int, asyncio.Future[RunAnswer]] = {}
        self._in_turn = asyncio.Lock()
        self._next_request = 1
        self._debounce: asyncio.TimerHandle | None = None
        self._due: Callable[[], None] = lambda: None
        self._saved = 0  # the turn of the last save
        self._unasked: set[int] = set()  # requests that nobody made
        self._checked = -math.inf  # when the last check began, by `time.monotonic`

    @property
    def busy(self) -> bool:
        """Whether tests or a review are running or about to run."""
        return bool(self._state.testing or self._state.reviewing or self._taking)

    @property
    def testing(self) -> bool:
        """Whether tests are running or about to run."""
        return self._state.testing is not None or self._debounce is not None

    @property
    def asked(self) -> bool:
        """Whether somebody asked for what is being tested, other than by saving."""
        testing = self._state.testing
        return testing is None or bool({*testing.checks, *testing.attempts} - self._unasked)

    @property
    def attempting(self) -> bool:
        """Whether the tests of an attempt are running or about to run."""
        testing = self._state.testing
        return bool(self._taking) or (testing is not None and testing.kind is runs.RunKind.ATTEMPT)

    def pending(self) -> bool:
        """Whether results for what was saved here are still to come."""
        return bool(self._debounce or self._tasks or self._storing)

    def checked_since(self, moment: float) -> bool:
        """Whether a check has begun since then, by `time.monotonic`."""
        return self._checked >= moment

    def joins(self, moment: float, unheard: Refused) -> bool:
        """Let the check that is being tested answer a save of that moment, by `time.monotonic`;
        False if none is, or if it began before. It runs again by itself if files have changed when
        it ends. For `unheard` see `save`.
        """
        testing = self._state.testing
        if testing is None or testing.kind is not runs.RunKind.CHECK:
            return False
        if not self.checked_since(moment):
            return False
        self._feed(runs.JoinCheck(self._request_of_save(unheard)))
        return True

    def _request_of_save(self, unheard: Refused, turn: int | None = None) -> int:
        request = self._new_request(turn)
        self._unasked.add(request)
        self._waiting[request].add_done_callback(partial(tell, unheard))
        return request

    async def check(self, *, asked: bool = True) -> RunAnswer:
        """A check's outcome, or that of the run that replaced it; not `asked` where nobody asked
        for just that. Cancellable.

        Raises TutorError, `CANCELLED` if the run was given up.
        """
        self._check_the_save_now()
        request = self._new_request()
        if not asked:
            self._unasked.add(request)
        future = self._waiting[request]
        self._feed(runs.AskCheck(request))
        return await self._outcome(request, future)

    def turn(self) -> int:
        """A request's number for `attempt`: later requests are about a later text."""
        self._next_request += 1
        return self._next_request - 1

    async def attempt(self, take: Take, turn: int | None = None) -> RunAnswer:
        """The outcome, after its review, of an attempt on the snapshot that `take` takes, of one of
        an equal text that was going on, or of one of a newer text that took its place while it
        waited. Cancellable.

        `turn` was taken when reading the text began. Snapshots are taken in the order of the
        calls, so that of two attempts the one asked for last is the newer one.
        """
        request = self._new_request(turn)
        future = self._taking[request] = self._waiting[request]
        taking = asyncio.ensure_future(self._shoot(request, future, take))
        taking.add_done_callback(forget)
        try:
            # A cancel answers at once, however long the snapshot takes.
            await asyncio.wait((taking, future), return_when=asyncio.FIRST_COMPLETED)
            if taking.done():
                taking.result()
        except BaseException:
            self._waiting.pop(request, None)
            future.cancel()
            forget(future)
            # The snapshot may have been taken in this very turn, and its attempt begun.
            self._feed(runs.Cancel(request))
            raise
        finally:
            taking.cancel()
            self._taking.pop(request, None)
        return await self._outcome(request, future)

    async def _shoot(self, request: int, future: "asyncio.Future[RunAnswer]", take: Take) -> None:
        """Take the snapshot of an attempt in its turn and ask for the attempt on it."""
        async with self._in_turn:
            shot = await take()
            if self._taking.pop(request, None) is not None and not future.done():
                if self._saved < request:
                    self._check_the_save_now()
                self._shots[shot.hash] = shot
                self._feed(runs.AskAttempt(request, shot.hash))

    def save(self, delay_s: float, check: Callable[[], bool], unheard: Refused) -> None:
        """Check after `delay_s` without another save, or at once where that ends a check of an
        older text, if `check()` then says so.

        Results reach the learner by publishing; `unheard` is called with a failure, because no
        command waits for an answer.
        """
        if self._debounce is not None:
            self._debounce.cancel()
        self._saved = turn = self.turn()

        def due() -> None:
            self._debounce = None
            if check():
                self._feed(runs.AskCheck(self._request_of_save(unheard, turn)))

        self._due = due
        testing = self._state.testing
        outdated = testing is not None and testing.kind is runs.RunKind.CHECK
        wait_s = 0.0 if outdated else delay_s
        self._debounce = asyncio.get_running_loop().call_later(wait_s, due)

    def _check_the_save_now(self) -> None:
        """Do not wait for the check of a save any longer: the run that is asked for next answers
        it, and the same text is not run twice."""
        if self._debounce is not None:
            self._debounce.cancel()
            self._due()

    def cancel(self) -> bool:
        """Give up everything; True if anything was running."""
        was = self.busy or self._debounce is not None
        for request in self._taking.keys() & self._waiting.keys():
            self._settle(request, _cancelled())
        if self._debounce is not None:
            self._debounce.cancel()
            self._debounce = None
        self._feed(runs.Cancel())
        self._given_up()
        return was

    async def drain(self) -> None:
        """Cancel and wait until no process is left and everything is stored."""
        self.cancel()
        while tasks := [*self._tasks.values(), *self._storing.values(), *self._reviews.values()]:
            await asyncio.wait(tasks)

    def _new_request(self, turn: int | None = None) -> int:
        request = self.turn() if turn is None else turn
        self._waiting[request] = asyncio.get_running_loop().create_future()
        return request

    async def _outcome(self, request: int, future: "asyncio.Future[RunAnswer]") -> RunAnswer:
        """The answer to a request; the request is given up with the task that waits for it."""
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            if not future.done():
                future.add_done_callback(forget)
                self._feed(runs.Cancel(request))
            raise

    def _feed(self, event: runs.Input) -> None:
        self._state, effects = runs.step(self._state, event)
        for effect in effects:
            self._execute(effect)
        self._shots = {text: self._shots[text] for text in self._state.wanted}

    def _execute(self, effect: runs.Effect) -> None:
        match effect:
            case runs.Start(run, kind, text):
                before = [*self._tasks.values(), *self._storing.values()]
                testing = asyncio.create_task(self._test(self._shots.get(text), before))
                self._tasks[run] = testing
                testing.add_done_callback(partial(self._tested, run, kind))
            case runs.Kill(run):
                self._tasks[run].cancel()
            case runs.Publish(run):
                self._store(run)
            case runs.Answer(run) | runs.StartReview(run) | runs.KillReview(run) if (
                run in self._storing
            ):
                # No request is answered before the outcome is stored.
                self._later[run].append(effect)
            case runs.KillReview(run):
                if run in self._reviews:
                    self._reviews[run].cancel()
            case runs.StartReview(run):
                self._start_review(run)
            case runs.Answer(run, requests):
                self._answer(run, requests)
            case runs.AnswerCancelled(requests):
                for request in requests:
                    self._settle(request, _cancelled())
                if self._state.testing is None and self._debounce is None:
                    self._given_up()

    async def _test(self, shot: Snapshot | None, before: Sequence[asyncio.Task[Any]]) -> RunResult:
        if shot is None:
            self._checked = time.monotonic()
        if before:
            await asyncio.wait(before)
        return await self._run_tests(shot)

    def _tested(self, run: int, kind: runs.RunKind, task: "asyncio.Task[RunResult]") -> None:
        """The tests of a run ended. In a callback, since a task may be killed before its start."""
        self._tasks.pop(run, None)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            self._failed[run] = as_tutor_error(error, t("The run"))
            self._feed(runs.TestsEnded(run, counted=False))
            self._failed.pop(run, None)
            return
        self._ran[run] = (kind, task.result())
        self._feed(runs.TestsEnded(run, task.result().report.outcome in COUNTED))
        self._forget_run(run)

    def _store(self, run: int) -> None:
        """Keep and show the result of a run; from here on it cannot be killed."""
        if run not in self._ran:
            self._refuse(self._failed[run])
            return
        kind, ran = self._ran[run]
        storing = asyncio.create_task(self._keep(run, kind, ran))
        self._storing[run] = storing
        self._later[run] = []
        storing.add_done_callback(partial(self._stored, run))

    async def _keep(self, run: int, kind: runs.RunKind, ran: RunResult) -> None:
        number = await self._publish(kind, ran)
        self._outcomes[run] = RunAnswer(run, kind, ran.report, number)

    def _stored(self, run: int, task: "asyncio.Task[None]") -> None:
        self._storing.pop(run, None)
        error = _cancelled() if task.cancelled() else None
        if error is None and (raised := task.exception()) is not None:
            error = as_tutor_error(raised, t("Keeping the result"))
        if error is not None:
            self._failed[run] = error
            self._refuse(error)
        for effect in self._later.pop(run):
            self._execute(effect)
        self._forget_run(run)

    def _refuse(self, error: TutorError) -> None:
        if error.kind != "CANCELLED":
            self._refused(error)

    def _start_review(self, run: int) -> None:
        outcome = self._outcomes.get(run)
        if outcome is None or outcome.attempt is None:
            self._feed(runs.ReviewEnded(run))
            return
        texts = self._ran[run][1].texts
        reviewing = asyncio.ensure_future(self._review(outcome.attempt, texts))
        self._reviews[run] = reviewing
        reviewing.add_done_callback(partial(self._reviewed, run))

    def _reviewed(self, run: int, task: "asyncio.Future[None]") -> None:
        """A review ended; a cancelled one keeps its attempt, whose record says so."""
        self._reviews.pop(run, None)
        if not task.cancelled() and (raised := task.exception()) is not None:
            self._failed[run] = as_tutor_error(raised, t("The review"))
        self._feed(runs.ReviewEnded(run))
        self._forget_run(run)

    def _forget_run(self, run: int) -> None:
        """Forget a run once nothing needs it."""
        if run in self._storing or any(each.id == run for each in self._state.reviewing):
            return
        for known in (self._ran, self._outcomes, self._failed):
            known.pop(run, None)

    def _answer(self, run: int, requests: tuple[int, ...]) -> None:
        for request in requests:
            self._settle(request, self._failed.get(run) or self._outcomes[run])

    def _settle(self, request: int, result: RunAnswer | TutorError) -> None:
        future = self._waiting.pop(request, None)
        self._unasked.discard(request)
        if future is None or future.done():
            return
        if isinstance(result, TutorError):
            future.set_exception(result)
        else:
            future.set_result(result)


def _cancelled() -> TutorError:
    return TutorError("CANCELLED", "The run was cancelled.")
