"""Which runs of an exercise proceed: a pure state machine over save, check, attempt and cancel.

Rules: a check supersedes checks only; an attempt supersedes checks; a check requested during an
attempt runs after the attempt's tests. An attempt belongs to a text, given by its hash. If an
attempt on the same text is being tested, waits or is reviewed, a new one joins it. One on another
text starts when the current attempt's tests end, while that is reviewed. Only one attempt waits: a
newer one on another text takes its place, and the answer then answers both.

Requests have increasing numbers, and each is answered exactly once: those of a superseded run by
the run that took its place. So the answer to an attempt is about the text of the request, or about
a newer one that took its place while it waited; the outcome says which. One machine serves one
exercise in one server; locks taken by whoever executes `Start` keep several servers apart.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


class RunKind(StrEnum):
    """What a run is for."""

    CHECK = "check"
    ATTEMPT = "attempt"


@dataclass(frozen=True, slots=True)
class Run:
    """One execution. `checks` and `attempts` are the requests that it answers when it ends; `text`
    is the hash of what an attempt runs on, "" for a check. A waiting run has the id 0.
    """

    id: int
    kind: RunKind
    checks: tuple[int, ...] = ()
    attempts: tuple[int, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """`testing` occupies the only slot. `waiting`, an attempt, and then `queued`, a check, get it
    next; both exist only while an attempt is testing. `reviewing` are attempts after their tests,
    oldest first.
    """

    testing: Run | None = None
    waiting: Run | None = None
    queued: Run | None = None
    reviewing: tuple[Run, ...] = ()
    next_id: int = 1

    @property
    def wanted(self) -> frozenset[str]:
        """Hashes of the texts on which attempts are yet to be tested."""
        return frozenset(run.text for run in (self.testing, self.waiting) if run and run.text)


@dataclass(frozen=True, slots=True)
class _OfRun:
    run: int


@dataclass(frozen=True, slots=True)
class AskCheck:
    """A save or a command requests a check."""

    request: int


@dataclass(frozen=True, slots=True)
class JoinCheck:
    """A save whose text the check that is being tested has read: its result answers that, too."""

    request: int


@dataclass(frozen=True, slots=True)
class AskAttempt:
    """A request for an attempt on the text with this hash. The text was read after `request` got
    its number, so checks with a higher number are about a later text.
    """

    request: int
    text: str


@dataclass(frozen=True, slots=True)
class Cancel:
    """One request, or with None everything, is cancelled."""

    request: int | None = None


@dataclass(frozen=True, slots=True)
class TestsEnded:
    """The tests of a run have ended. `counted` is false for `not_run` and `cancelled`."""

    __test__ = False
    run: int
    counted: bool = True


class ReviewEnded(_OfRun):
    """The review of an attempt has ended, with or without a verdict."""


Input = AskCheck | JoinCheck | AskAttempt | Cancel | TestsEnded | ReviewEnded


@dataclass(frozen=True, slots=True)
class Start:
    """Run the tests, an attempt's on its text, once every previously killed run is gone."""

    run: int
    kind: RunKind
    text: str = ""


class Kill(_OfRun):
    """End the tests of a run; its result, if any, is dropped."""


class Publish(_OfRun):
    """The report of this run is the newest: store and show it."""


class StartReview(_OfRun):
    """Review the attempt of this run."""


class KillReview(_OfRun):
    """End the review of this run; the attempt is kept."""


@dataclass(frozen=True, slots=True)
class Answer:
    """These requests get the outcome of this run."""

    run: int
    requests: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnswerCancelled:
    """These requests get `cancelled`."""

    requests: tuple[int, ...]


Effect = Start | Kill | Publish | StartReview | KillReview | Answer | AnswerCancelled


def step(state: State, event: Input) -> tuple[State, tuple[Effect, ...]]:
    """The next state and the effects, in order. Unknown and late events change nothing."""
    match event:
        case AskCheck(request):
            return _ask_check(state, request)
        case JoinCheck(request):
            return _join_check(state, request)
        case AskAttempt(request, text):
            return _ask_attempt(state, request, text)
        case Cancel():
            if event.request is None:
                return _cancel_all(state)
            return _cancel_one(state, event.request)
        case TestsEnded(run, counted):
            return _tests_ended(state, run, counted=counted)
        case ReviewEnded(run):
            return _review_ended(state, run)


def _start(state: State, run: Run) -> tuple[State, Start]:
    """`run` in the slot, with a new id."""
    begun = replace(run, id=state.next_id)
    after = replace(state, testing=begun, next_id=state.next_id + 1)
    return after, Start(begun.id, begun.kind, begun.text)


def _ask_check(state: State, request: int) -> tuple[State, tuple[Effect, ...]]:
    running = state.testing
    if running is not None and running.kind is RunKind.ATTEMPT:
        waiting = state.queued.checks if state.queued is not None else ()
        return replace(state, queued=Run(0, RunKind.CHECK, (*waiting, request))), ()
    before = running.checks if running is not None else ()
    after, start = _start(state, Run(0, RunKind.CHECK, (*before, request)))
    return after, (start,) if running is None else (Kill(running.id), start)


def _join_check(state: State, request: int) -> tuple[State, tuple[Effect, ...]]:
    running = state.testing
    if running is None or running.kind is not RunKind.CHECK:
        return _ask_check(state, request)
    return replace(state, testing=replace(running, checks=(*running.checks, request))), ()


def _check(checks: tuple[int, ...], queued: Run | None) -> Run:
    """A check that answers these requests and those of a waiting check."""
    return Run(0, RunKind.CHECK, (*checks, *(queued.checks if queued is not None else ())))


def _ask_attempt(state: State, request: int, text: str) -> tuple[State, tuple[Effect, ...]]:
    joined = _join(state, request, text)
    if joined is not None:
        return joined, ()
    running = state.testing
    if running is not None and running.kind is RunKind.ATTEMPT:
        before = state.waiting or Run(0, RunKind.ATTEMPT)
        older, queued = _split(state.queued, request)
        checks = (*before.checks, *older)
        waiting = Run(0, RunKind.ATTEMPT, checks, (*before.attempts, request), text)
        return replace(state, waiting=waiting, queued=queued), ()
    older, queued = _split(running, request)
    attempt = Run(0, RunKind.ATTEMPT, older, (request,), text)
    after, start = _start(replace(state, queued=queued), attempt)
    return after, (start,) if running is None else (Kill(running.id), start)


def _split(check: Run | None, request: int) -> tuple[tuple[int, ...], Run | None]:
    """Splits the requests of a waiting check: those made before the attempt's text was read, which
    the attempt answers; and the check that the others still wait for."""
    requests = check.checks if check is not None else ()
    later = tuple(each for each in requests if each > request)
    older = tuple(each for each in requests if each < request)
    return older, Run(0, RunKind.CHECK, later) if later else None


def _join(state: State, request: int, text: str) -> State | None:
    """The state in which the request has joined an attempt on that text; None if there is none."""

    def fits(run: Run | None) -> bool:
        return run is not None and run.kind is RunKind.ATTEMPT and run.text == text

    def with_it(run: Run) -> Run:
        return replace(run, attempts=(*run.attempts, request))

    if state.testing is not None and fits(state.testing):
        return replace(state, testing=with_it(state.testing))
    if state.waiting is not None and fits(state.waiting):
        return replace(state, waiting=with_it(state.waiting))
    newest = next((run for run in reversed(state.reviewing) if fits(run)), None)
    if newest is None:
        return None
    return replace(state, reviewing=_put(state.reviewing, with_it(newest)))


def _put(runs: tuple[Run, ...], changed: Run) -> tuple[Run, ...]:
    return tuple(changed if run.id == changed.id else run for run in runs)


def _tests_ended(state: State, run: int, *, counted: bool) -> tuple[State, tuple[Effect, ...]]:
    ended = state.testing
    if ended is None or ended.id != run:
        return state, ()
    effects: list[Effect] = [Publish(run)]
    answered = ended.checks if counted else (*ended.checks, *ended.attempts)
    if answered:
        effects.append(Answer(run, answered))
    after = replace(state, testing=None)
    if ended.kind is RunKind.ATTEMPT and counted:
        after = replace(after, reviewing=(*after.reviewing, replace(ended, checks=())))
        effects.append(StartReview(run))
    return _start_next(after, effects)


def _start_next(state: State, effects: list[Effect]) -> tuple[State, tuple[Effect, ...]]:
    """Give the free slot to the waiting attempt, or else to the check."""
    if state.waiting is not None:
        state, start = _start(replace(state, waiting=None), state.waiting)
        effects.append(start)
    elif state.queued is not None:
        state, start = _start(replace(state, queued=None), state.queued)
        effects.append(start)
    return state, tuple(effects)


def _review_ended(state: State, run: int) -> tuple[State, tuple[Effect, ...]]:
    ended = next((item for item in state.reviewing if item.id == run), None)
    if ended is None:
        return state, ()
    others = tuple(item for item in state.reviewing if item.id != run)
    effects = (Answer(run, ended.attempts),) if ended.attempts else ()
    return replace(state, reviewing=others), effects


def _cancel_all(state: State) -> tuple[State, tuple[Effect, ...]]:
    effects: list[Effect] = [Kill(state.testing.id)] if state.testing is not None else []
    given_up = [
        request
        for run in (state.testing, state.waiting, state.queued)
        if run is not None
        for request in (*run.checks, *run.attempts)
    ]
    if given_up:
        effects.append(AnswerCancelled(tuple(given_up)))
    effects += [KillReview(run.id) for run in state.reviewing]
    return replace(state, testing=None, waiting=None, queued=None), tuple(effects)


def _without(run: Run, request: int) -> Run:
    return replace(
        run,
        checks=tuple(item for item in run.checks if item != request),
        attempts=tuple(item for item in run.attempts if item != request),
    )


def _asked_for(run: Run | None, request: int) -> bool:
    return run is not None and request in (*run.checks, *run.attempts)


def _cancel_one(state: State, request: int) -> tuple[State, tuple[Effect, ...]]:
    answer = AnswerCancelled((request,))
    for run in state.reviewing:
        if request in run.attempts:
            # The attempt already counts: only its review ends, and that answers the request.
            return state, (KillReview(run.id),) if run.attempts == (request,) else ()
    if state.queued is not None and _asked_for(state.queued, request):
        left = _without(state.queued, request)
        return replace(state, queued=left if left.checks else None), (answer,)
    if state.waiting is not None and _asked_for(state.waiting, request):
        return _without_waiting(state, _without(state.waiting, request)), (answer,)
    running = state.testing
    if running is None or not _asked_for(running, request):
        return state, ()
    left = _without(running, request)
    if left.attempts or (left.checks and running.kind is RunKind.CHECK):
        return replace(state, testing=left), (answer,)
    after = replace(state, testing=None)
    if left.checks:
        # Nobody wants the attempt any more; requests for a check get one, or the next run.
        after = _with_checks(after, left.checks)
    return _start_next(after, [Kill(running.id), answer])


def _without_waiting(state: State, left: Run) -> State:
    """The state after a request of the waiting attempt was cancelled."""
    if left.attempts:
        return replace(state, waiting=left)
    state = replace(state, waiting=None)
    if not left.checks:
        return state
    return replace(state, queued=_check(left.checks, state.queued))


def _with_checks(state: State, checks: tuple[int, ...]) -> State:
    """The state in which these checks, older than all others, belong to the next run."""
    if state.waiting is not None:
        waiting = replace(state.waiting, checks=(*checks, *state.waiting.checks))
        return replace(state, waiting=waiting)
    return replace(state, queued=_check(checks, state.queued))
