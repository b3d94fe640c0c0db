"""Executes the decisions of core.runs for one exercise: tests, publishing, review, answers."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tutor_lsp.core import runs
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.report import RunOutcome, TestReport

log = logging.getLogger("tutor_lsp")
COUNTED = frozenset(set(RunOutcome) - {RunOutcome.NOT_RUN, RunOutcome.CANCELLED})


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended: its report, and for an attempt the number under which it was counted."""

    run: int
    kind: runs.Kind
    report: TestReport
    attempt: int | None = None


RunTests = Callable[[runs.Kind], Awaitable[TestReport]]
"""Runs the tests under the exercise's lock and judges them; raises TutorError."""
Publish = Callable[[runs.Kind, TestReport], Awaitable[int | None]]
"""Stores and shows a report; gives the attempt's number where it was counted."""
ReviewAttempt = Callable[[int], Awaitable[None]]
"""Reviews the attempt of that number; keeps the attempt whatever happens."""


class ExerciseRuns:
    """The runs of one exercise in this process. Use from the loop's thread only."""

    def __init__(self, tests: RunTests, publish: Publish, review: ReviewAttempt) -> None:
        self._run_tests = tests
        self._publish = publish
        self._review = review
        self._state = runs.State()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._reviews: dict[int, asyncio.Task[None]] = {}
        self._outcomes: dict[int, Outcome] = {}
        self._waiting: dict[int, asyncio.Future[Outcome]] = {}
        self._failed: dict[int, TutorError] = {}
        self._next_request = 1
        self._debounce: asyncio.TimerHandle | None = None

    @property
    def busy(self) -> bool:
        """Whether tests or a review are going on."""
        return self._state.testing is not None or self._state.reviewing is not None

    @property
    def reviewing(self) -> bool:
        """Whether an attempt is being reviewed."""
        return self._state.reviewing is not None

    async def check(self) -> Outcome:
        """A check's outcome, or that of the run that took its place. Cancellable.

        Raises TutorError, `CANCELLED` if the run was given up.
        """
        return await self._ask(runs.AskCheck)

    async def attempt(self) -> Outcome:
        """An attempt's outcome after its review, or of the attempt it joined. Cancellable."""
        return await self._ask(runs.AskAttempt)

    def save(self, delay_s: float, check: Callable[[], bool]) -> None:
        """Check after `delay_s` without another save, if `check()` then says so."""
        if self._debounce is not None:
            self._debounce.cancel()

        def due() -> None:
            self._debounce = None
            if check():
                request = self._new_request()
                # Nobody awaits it: results reach the learner by publishing.
                self._waiting[request].add_done_callback(_forget)
                self._feed(runs.AskCheck(request))

        self._debounce = asyncio.get_running_loop().call_later(delay_s, due)

    def cancel(self) -> bool:
        """Give up everything; True if anything was going on."""
        was = self.busy or self._debounce is not None
        if self._debounce is not None:
            self._debounce.cancel()
            self._debounce = None
        self._feed(runs.Cancel())
        return was

    async def drain(self) -> None:
        """Cancel and wait until no process is left."""
        self.cancel()
        tasks = [*self._tasks.values(), *self._reviews.values()]
        await asyncio.gather(*tasks, return_exceptions=True)

    def _new_request(self) -> int:
        request = self._next_request
        self._next_request += 1
        self._waiting[request] = asyncio.get_running_loop().create_future()
        return request

    async def _ask(self, event: type[runs.AskCheck] | type[runs.AskAttempt]) -> Outcome:
        request = self._new_request()
        future = self._waiting[request]
        self._feed(event(request))
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            if not future.done():
                future.add_done_callback(_forget)
                self._feed(runs.Cancel(request))
            raise

    def _feed(self, event: runs.Input) -> None:
        self._state, effects = runs.step(self._state, event)
        for effect in effects:
            self._execute(effect)

    def _execute(self, effect: runs.Effect) -> None:
        match effect:
            case runs.Start(run, kind):
                before = [task for task in self._tasks.values() if not task.done()]
                self._tasks[run] = asyncio.create_task(self._test(run, kind, before))
            case runs.Kill(run):
                self._tasks[run].cancel()
            case runs.Publish(run):
                self._tasks.pop(run, None)
            case runs.StartReview(run):
                self._reviews[run] = asyncio.create_task(self._review_run(run))
            case runs.KillReview(run):
                self._reviews[run].cancel()
            case runs.Answer(run, requests):
                self._answer(run, requests)
            case runs.AnswerCancelled(requests):
                for request in requests:
                    error = TutorError("CANCELLED", "The run was cancelled.")
                    self._settle(request, error)

    def _answer(self, run: int, requests: tuple[int, ...]) -> None:
        for request in requests:
            error = self._failed.get(run)
            self._settle(request, error if error is not None else self._outcomes[run])
        if self._state.reviewing is None or self._state.reviewing.id != run:
            self._outcomes.pop(run, None)
            self._failed.pop(run, None)

    def _settle(self, request: int, result: Outcome | TutorError) -> None:
        future = self._waiting.pop(request)
        if future.done():
            return
        if isinstance(result, TutorError):
            future.set_exception(result)
        else:
            future.set_result(result)

    async def _test(self, run: int, kind: runs.Kind, before: list[asyncio.Task[None]]) -> None:
        try:
            if before:
                await asyncio.wait(before)
            report = await self._run_tests(kind)
            if self._state.testing is None or self._state.testing.id != run:
                return
            # A result that is being stored is not torn by a cancel.
            storing = asyncio.ensure_future(self._publish(kind, report))
            try:
                number = await asyncio.shield(storing)
            except asyncio.CancelledError:
                with contextlib.suppress(TutorError):
                    await storing
                raise
            self._outcomes[run] = Outcome(run, kind, report, number)
            counted = number is not None or kind is runs.Kind.CHECK
            self._feed(runs.TestsEnded(run, counted and report.outcome in COUNTED))
        except TutorError as error:
            self._fail(run, error)
        except Exception as error:
            # A defect of ours: whoever waits must hear of it, and the next run must go on.
            log.exception("a run failed")
            self._fail(run, TutorError("INTERNAL", f"The run failed inside the tutor: {error!r}."))
        finally:
            self._tasks.pop(run, None)

    def _fail(self, run: int, error: TutorError) -> None:
        self._failed[run] = error
        self._feed(runs.TestsEnded(run, counted=False))

    async def _review_run(self, run: int) -> None:
        try:
            number = self._outcomes[run].attempt
            if number is not None:
                await self._review(number)
        except TutorError as error:
            self._failed[run] = error
        except Exception as error:
            log.exception("a review failed")
            self._failed[run] = TutorError("INTERNAL", f"The review failed: {error!r}.")
        except asyncio.CancelledError:
            # The attempt is kept; its record says that the review was given up.
            pass
        finally:
            self._reviews.pop(run, None)
            self._feed(runs.ReviewEnded(run))
            self._outcomes.pop(run, None)


def _forget(future: "asyncio.Future[Outcome]") -> None:
    """Take note of an exception that nobody awaits."""
    if not future.cancelled():
        future.exception()
