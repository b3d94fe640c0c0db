"""Which run of an exercise may go on: a pure state machine over save, check, attempt and cancel.

Rules: a check supersedes checks only; an attempt supersedes checks; a check asked during an
attempt runs after its test run. An attempt belongs to a text, of which it is told the hash. One of
a text that is being tested, waits or is reviewed joins that attempt. One of another text starts
when the tests of the one before end, beside its review. One attempt waits: a newer one of another
text takes its place, and what it is answered is the answer to both.

Requests have rising numbers, and each is answered exactly once: those of a superseded run by the
run that took its place. So the answer to an attempt is about the text that it was asked for, or
about a newer one that took its place while it waited; the outcome says which. One machine serves
one exercise in one server; several servers are kept apart by the locks that the executor of `Start`
takes.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


class Kind(StrEnum):
    """What a run is for."""

    CHECK = "check"
    ATTEMPT = "attempt"


@dataclass(frozen=True, slots=True)
class Run:
    """One execution. `checks` and `attempts` are the requests that its end answers; `text` is the
    hash of what an attempt runs on, "" for a check. One that waits has the id 0.
    """

    id: int
    kind: Kind
    checks: tuple[int, ...] = ()
    attempts: tuple[int, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """`testing` holds the one slot. `waiting`, an attempt, and after it `queued`, a check, get it
    next; both only while an attempt is testing. `reviewing` are attempts after their tests, oldest
    first.
    """

    testing: Run | None = None
    waiting: Run | None = None
    queued: Run | None = None
    reviewing: tuple[Run, ...] = ()
    next_id: int = 1

    @property
    def wanted(self) -> frozenset[str]:
        """Hashes of the texts that attempts are still to be tested on."""
        return frozenset(run.text for run in (self.testing, self.waiting) if run and run.text)


@dataclass(frozen=True, slots=True)
class AskCheck:
    """Somebody (a save, a command) wants a check."""

    request: int


@dataclass(frozen=True, slots=True)
class AskAttempt:
    """Somebody wants an attempt on the text of this hash. The text was taken after `request` was
    given its number, so that checks with a higher one are about a later text.
    """

    request: int
    text: str


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
    """Run the tests, an attempt's on its text; starts only when every run killed before is gone."""

    run: int
    kind: Kind
    text: str = ""


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
    """`run` in the slot, under an id of its own."""
    begun = replace(run, id=state.next_id)
    after = replace(state, testing=begun, next_id=state.next_id + 1)
    return after, Start(begun.id, begun.kind, begun.text)


def _ask_check(state: State, request: int) -> tuple[State, tuple[Effect, ...]]:
    running = state.testing
    if running is None:
        after, start = _start(state, Run(0, Kind.CHECK, (request,)))
        return after, (start,)
    if running.kind is Kind.CHECK:
        after, start = _start(state, Run(0, Kind.CHECK, (*running.checks, request)))
        return after, (Kill(running.id), start)
    waiting = state.queued.checks if state.queued is not None else ()
    return replace(state, queued=Run(0, Kind.CHECK, (*waiting, request))), ()


def _check(checks: tuple[int, ...], queued: Run | None) -> Run:
    """A check that answers these requests and those of one that waits."""
    return Run(0, Kind.CHECK, (*checks, *(queued.checks if queued is not None else ())))


def _ask_attempt(state: State, request: int, text: str) -> tuple[State, tuple[Effect, ...]]:
    joined = _join(state, request, text)
    if joined is not None:
        return joined, ()
    running = state.testing
    if running is not None and running.kind is Kind.ATTEMPT:
        before = state.waiting or Run(0, Kind.ATTEMPT)
        older, queued = _split(state.queued, request)
        checks = (*before.checks, *older)
        waiting = Run(0, Kind.ATTEMPT, checks, (*before.attempts, request), text)
        return replace(state, waiting=waiting, queued=queued), ()
    older, queued = _split(running, request)
    attempt = Run(0, Kind.ATTEMPT, older, (request,), text)
    after, start = _start(replace(state, queued=queued), attempt)
    return after, (start,) if running is None else (Kill(running.id), start)


def _split(check: Run | None, request: int) -> tuple[tuple[int, ...], Run | None]:
    """Of those who wait for a check, who asked before the text of an attempt was taken, whom it
    answers; and the check that the others still wait for."""
    asked = check.checks if check is not None else ()
    later = tuple(each for each in asked if each > request)
    older = tuple(each for each in asked if each < request)
    return older, Run(0, Kind.CHECK, later) if later else None


def _join(state: State, request: int, text: str) -> State | None:
    """The state in which the request belongs to an attempt of that text; None if there is none."""

    def fits(run: Run | None) -> bool:
        return run is not None and run.kind is Kind.ATTEMPT and run.text == text

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
    if ended.kind is Kind.ATTEMPT and counted:
        after = replace(after, reviewing=(*after.reviewing, replace(ended, checks=())))
        effects.append(StartReview(run))
    return _start_next(after, effects)


def _start_next(state: State, effects: list[Effect]) -> tuple[State, tuple[Effect, ...]]:
    """Give the free slot to the attempt that waits, else to the check."""
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
    left = tuple(item for item in state.reviewing if item.id != run)
    effects = (Answer(run, ended.attempts),) if ended.attempts else ()
    return replace(state, reviewing=left), effects


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
            # The attempt is counted already: only its review ends, and that answers the request.
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
    if left.attempts or (left.checks and running.kind is Kind.CHECK):
        return replace(state, testing=left), (answer,)
    after = replace(state, testing=None)
    if left.checks:
        # Nobody wants the attempt any more; those who wait for a check get one, or what comes next.
        after = _with_checks(after, left.checks)
    return _start_next(after, [Kill(running.id), answer])


def _without_waiting(state: State, left: Run) -> State:
    """The state after a request of the attempt that waits was given up."""
    if left.attempts:
        return replace(state, waiting=left)
    state = replace(state, waiting=None)
    if not left.checks:
        return state
    return replace(state, queued=_check(left.checks, state.queued))


def _with_checks(state: State, checks: tuple[int, ...]) -> State:
    """The state in which these checks, older than all others, belong to the run that comes next."""
    if state.waiting is not None:
        waiting = replace(state.waiting, checks=(*checks, *state.waiting.checks))
        return replace(state, waiting=waiting)
    return replace(state, queued=_check(checks, state.queued))
