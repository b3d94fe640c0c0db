"""Asking a model for a hint: at most twice, within a time, and shown only if it holds."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.ports import Backend
from tutor_lsp.core.stage import Rejection, StageRequest
from tutor_lsp.tutor.hinting.context import working

if TYPE_CHECKING:
    from tutor_lsp.stages.tutoring import TutoringContext
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise

LIMIT_S = 30.0
"""How long a model's hint may take in all, asking again and trying it out included, in seconds."""
CALLS = 2
"""The first call and one more, where the first answer does not hold."""
_ASK_AGAIN = (Rejection.SCHEMA_VALIDATION_FAILED, Rejection.POLICY_VIOLATION)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which hint is asked for. `question` is the learner's, if they asked one."""

    context: "TutoringContext"
    unit: str
    level: int
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Coached:
    """A hint that holds. `verified`: its fix was executed and turned a failing test green."""

    text: str
    code: str | None
    verified: bool
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """Why there is no hint of a model; `said` where the learner should know of it."""

    reason: str
    said: bool = False


async def ask(
    app: "App", opened: "OpenExercise", backend: Backend, wanted: Wanted
) -> Coached | Refused:
    """The model's hint, or why there is none that may be shown.

    Every refusal goes to the event log: those of the stage by the runner, what leaks or has no
    ground as `hint-rejected`. Never raises but CancelledError and what the store raises.
    """
    stub = opened.unit(wanted.unit).stub
    async with working(app, backend, f"Tutor: a hint for {stub}"):
        limit = asyncio.timeout(LIMIT_S)
        try:
            async with limit:
                return await _calls(app, opened, backend, wanted, limit)
        except TimeoutError:
            if not limit.expired():
                raise
            reason = f"there was no hint that holds within {LIMIT_S:g} s"
            await _log(app, opened, wanted, "timeout", reason)
            return Refused(reason, said=True)


async def _calls(
    app: "App", opened: "OpenExercise", backend: Backend, wanted: Wanted, limit: asyncio.Timeout
) -> Coached | Refused:
    checks = await app.load("tutor_lsp.tutor.hinting.coach.checks")
    refusal: str | None = None
    for call in range(1, CALLS + 1):
        request = await _request(app, wanted, refusal, _left(limit))
        result = await app.backends.runner.run(request, backend)
        if not result.accepted or result.payload is None:
            refusal = str(result.reason)
            if result.kind in _ASK_AGAIN:
                continue
            return Refused(refusal, said=True)
        verdict = await checks.check(app, opened, wanted, result.payload)
        if isinstance(verdict, Coached):
            return verdict
        refusal = verdict.reason
        await _log(app, opened, wanted, verdict.rule, verdict.reason, call, result.payload)
    return Refused(refusal or "the hint does not hold")


async def _request(app: "App", wanted: Wanted, refusal: str | None, limit_s: float) -> StageRequest:
    stages = await app.load("tutor_lsp.stages.tutoring")
    request: StageRequest = stages.coach_request(
        wanted.context,
        wanted.unit,
        wanted.level,
        wanted.question,
        refusal=refusal,
        limit_s=limit_s,
    )
    return request


def _left(limit: asyncio.Timeout) -> float:
    """What is left of the time in all, as the limit of one call."""
    when = limit.when()
    return LIMIT_S if when is None else max(when - asyncio.get_running_loop().time(), 0.1)


async def _log(
    app: "App",
    opened: "OpenExercise",
    wanted: Wanted,
    rule: str,
    reason: str,
    call: int | None = None,
    payload: Mapping[str, Any] | None = None,
) -> None:
    data = {
        "unit": wanted.unit,
        "level": wanted.level,
        "rule": rule,
        "reason": reason,
        "call": call,
        "text": payload["text"] if payload is not None else None,
        "code": payload["code"] if payload is not None else None,
    }
    await app.record("hint-rejected", data, opened.session.id)
