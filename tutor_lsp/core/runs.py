"""Which run of an exercise may go on: a pure state machine over save, check, attempt and cancel.

Rules: a check supersedes checks only; an attempt supersedes checks; a check
asked during an attempt runs after its test run; a second attempt joins the first. Every request
is answered exactly once: those of a superseded run are answered by the run that took its place.
One machine serves one exercise in one server; several servers are kept apart by the lock that the
executor of `Start` takes.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


class Kind(StrEnum):
    """What a run is for."""

    CHECK = "check"
    ATTEMPT = "attempt"


@dataclass(frozen=True, slots=True)
class Run:
    """One execution. `checks` and `attempts` are the requests that its end answers."""

    id: int
    kind: Kind
    checks: tuple[int, ...] = ()
    attempts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """`testing` holds the one slot; `queued` waits for it; `reviewing` is an attempt after its
    tests. At most one of each, and `queued` only while an attempt is testing.
    """

    testing: Run | None = None
    queued: Run | None = None
    reviewing: Run | None = None
    next_id: int = 1


@dataclass(frozen=True, slots=True)
class AskCheck:
    """Somebody (a save, a command) wants a check."""

    request: int


@dataclass(frozen=True, slots=True)
class AskAttempt:
    """Somebody wants an attempt."""

    request: int


@dataclass(frozen=True, slots=True)
class Cancel:
    """One request is given up, or with None everything."""

    request: int | None = None


@dataclass(frozen=True, slots=True)
class TestsEnded:
    """The tests of a run are through. `counted` is false for `not_run` and `cancelled`."""

    __test__ = False
    run: int
    counted: bool = True


@dataclass(frozen=True, slots=True)
class ReviewEnded:
    """The review of an attempt is through, with or without a verdict."""

    run: int


Input = AskCheck | AskAttempt | Cancel | TestsEnded | ReviewEnded


@dataclass(frozen=True, slots=True)
class Start:
    """Run the tests; starts only when every run killed before is gone."""

    run: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Kill:
    """End the tests of a run; its result, should one come, is dropped."""

    run: int


@dataclass(frozen=True, slots=True)
class Publish:
    """The report of this run is the newest: store and show it."""

    run: int


@dataclass(frozen=True, slots=True)
class StartReview:
    """Review the attempt of this run."""

    run: int


@dataclass(frozen=True, slots=True)
class KillReview:
    """End the review of this run; the attempt is kept."""

    run: int


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
    """The next state and what to do, in order. Unknown and late events change nothing."""
    match event:
        case AskCheck(request):
            return _ask_check(state, request)
        case AskAttempt(request):
            return _ask_attempt(state, request)
        case Cancel():
            if event.request is None:
                return _cancel_all(state)
            return _cancel_one(state, event.request)
        case TestsEnded(run, counted):
            return _tests_ended(state, run, counted=counted)
        case ReviewEnded(run):
            return _review_ended(state, run)


def _start(state: State, kind: Kind, checks: tuple[int, ...], attempts: tuple[int, ...]) -> State:
    run = Run(state.next_id, kind, checks, attempts)
    return replace(state, testing=run, next_id=state.next_id + 1)


def _ask_check(state: State, request: int) -> tuple[State, tuple[Effect, ...]]:
    running = state.testing
    if running is None:
        after = _start(state, Kind.CHECK, (request,), ())
        return after, (Start(state.next_id, Kind.CHECK),)
    if running.kind is Kind.CHECK:
        after = _start(state, Kind.CHECK, (*running.checks, request), ())
        return after, (Kill(running.id), Start(state.next_id, Kind.CHECK))
    waiting = state.queued or Run(0, Kind.CHECK)
    return replace(state, queued=replace(waiting, checks=(*waiting.checks, request))), ()


def _ask_attempt(state: State, request: int) -> tuple[State, tuple[Effect, ...]]:
    running = state.testing
    if running is not None and running.kind is Kind.ATTEMPT:
        joined = replace(running, attempts=(*running.attempts, request))
        return replace(state, testing=joined), ()
    if state.reviewing is not None:
        joined = replace(state.reviewing, attempts=(*state.reviewing.attempts, request))
        return replace(state, reviewing=joined), ()
    begin = Start(state.next_id, Kind.ATTEMPT)
    if running is None:
        return _start(state, Kind.ATTEMPT, (), (request,)), (begin,)
    after = _start(state, Kind.ATTEMPT, running.checks, (request,))
    return after, (Kill(running.id), begin)


def _tests_ended(state: State, run: int, *, counted: bool) -> tuple[State, tuple[Effect, ...]]:
    ended = state.testing
    if ended is None or ended.id != run:
        return state, ()
    effects: list[Effect] = [Publish(run)]
    answered = ended.checks if counted else (*ended.checks, *ended.attempts)
    if answered:
        effects.append(Answer(run, answered))
    after = replace(state, testing=None)
    if ended.kind is Kind.ATTEMPT and counted:
        after = replace(after, reviewing=replace(ended, checks=()))
        effects.append(StartReview(run))
    return _start_queued(after, effects)


def _start_queued(state: State, effects: list[Effect]) -> tuple[State, tuple[Effect, ...]]:
    if state.queued is not None and state.testing is None:
        checks = state.queued.checks
        effects.append(Start(state.next_id, Kind.CHECK))
        state = _start(replace(state, queued=None), Kind.CHECK, checks, ())
    return state, tuple(effects)


def _review_ended(state: State, run: int) -> tuple[State, tuple[Effect, ...]]:
    ended = state.reviewing
    if ended is None or ended.id != run:
        return state, ()
    effects = (Answer(run, ended.attempts),) if ended.attempts else ()
    return replace(state, reviewing=None), effects


def _cancel_all(state: State) -> tuple[State, tuple[Effect, ...]]:
    effects: list[Effect] = []
    given_up: list[int] = []
    if state.testing is not None:
        effects.append(Kill(state.testing.id))
        given_up += [*state.testing.checks, *state.testing.attempts]
    if state.queued is not None:
        given_up += state.queued.checks
    if given_up:
        effects.append(AnswerCancelled(tuple(given_up)))
    if state.reviewing is not None:
        effects.append(KillReview(state.reviewing.id))
    return replace(state, testing=None, queued=None), tuple(effects)


def _without(run: Run, request: int) -> Run:
    return replace(
        run,
        checks=tuple(item for item in run.checks if item != request),
        attempts=tuple(item for item in run.attempts if item != request),
    )


def _cancel_one(state: State, request: int) -> tuple[State, tuple[Effect, ...]]:
    if state.queued is not None and request in state.queued.checks:
        left = _without(state.queued, request)
        return replace(state, queued=left if left.checks else None), (AnswerCancelled((request,)),)
    if state.reviewing is not None and request in state.reviewing.attempts:
        # The attempt is counted already: only its review ends, and that answers the request.
        alone = state.reviewing.attempts == (request,)
        return state, (KillReview(state.reviewing.id),) if alone else ()
    running = state.testing
    if running is None or request not in (*running.checks, *running.attempts):
        return state, ()
    left = _without(running, request)
    answer = AnswerCancelled((request,))
    if left.checks or left.attempts:
        if running.kind is Kind.ATTEMPT and not left.attempts:
            # Nobody wants the attempt any more; those who wait for a check get one.
            after = _start(state, Kind.CHECK, left.checks, ())
            return after, (Kill(running.id), answer, Start(state.next_id, Kind.CHECK))
        return replace(state, testing=left), (answer,)
    return _start_queued(replace(state, testing=None), [Kill(running.id), answer])
