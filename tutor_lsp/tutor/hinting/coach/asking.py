"""Asks a model for a hint: at most twice and within a time limit. Only what holds is shown."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from tutor_lsp.core.ports import Backend
from tutor_lsp.core.stage import Rejection
from tutor_lsp.core.text.translation import t
from tutor_lsp.stages.tutoring import coach_request
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.hinting.coach.checks import HintFault
from tutor_lsp.tutor.hinting.coach.showing import Coached, HintRefused, Wanted, check
from tutor_lsp.tutor.hinting.context import working
from tutor_lsp.tutor.hinting.diagnosis.diagnose import differing
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.wire import to_wire

CALLS = 2
"""The first call, and one more if the first answer fails verification."""
_ASK_AGAIN = (Rejection.SCHEMA_VALIDATION_FAILED, Rejection.POLICY_VIOLATION)


async def ask(
    exercises: OpenExercises, opened: OpenExercise, backend: Backend, wanted: Wanted
) -> Coached | HintRefused:
    """The model's hint, or why there is none that may be shown.

    Every refusal goes to the event log: those of the stage by the runner, leaks and
    unfounded hints as `hint-rejected`. Raises only CancelledError and what the store raises.
    """
    services = exercises.services
    stub = opened.unit(wanted.unit).stub
    limit_s = services.settings.hint_seconds
    limit = asyncio.timeout(limit_s)
    async with working(services, backend, t(f"Tutor: a hint for {stub}")) as tell:
        try:
            async with limit:
                return await _calls(exercises, opened, backend, wanted, tell)
        except TimeoutError:
            if not limit.expired():
                raise
            reason = t(f"no hint could be verified within {limit_s:g} s")
            await _log(services, opened, wanted, HintFault("timeout", reason))
            return HintRefused(reason, said=True)


async def _calls(
    exercises: OpenExercises,
    opened: OpenExercise,
    backend: Backend,
    wanted: Wanted,
    tell: Callable[[str], None],
) -> Coached | HintRefused:
    services = exercises.services
    clock = asyncio.get_running_loop().time
    end = clock() + services.settings.hint_seconds
    context, unit = wanted.context, opened.unit(wanted.unit)
    found = await differing(services, exercises.shadow_copies, opened, unit, context.texts)
    wanted = replace(wanted, context=replace(context, differs=found))
    refusal: str | None = None
    for call in range(1, CALLS + 1):
        if call > 1:
            tell(f"asking {backend.name} once more")
        request = coach_request(
            wanted.context,
            wanted.unit,
            wanted.level,
            wanted.question,
            refusal=refusal,
            limit_s=max(end - clock(), 0.1),
        )
        result = await services.backends.runner.run(request, backend)
        if not result.accepted or result.payload is None:
            refusal = str(result.reason)
            if result.kind in _ASK_AGAIN:
                continue
            return HintRefused(refusal, said=True)
        tell("trying out what it says")
        verdict = await check(exercises.shadow_copies, opened, wanted, result.payload)
        if isinstance(verdict, Coached):
            await _note(services, opened, wanted, verdict)
            return verdict
        refusal = verdict.reason
        await _log(services, opened, wanted, verdict, call, result.payload)
    return HintRefused(refusal or "the hint could not be verified")


async def _note(services: Services, opened: OpenExercise, wanted: Wanted, shown: Coached) -> None:
    """What was left out goes to the record; what was said against a test is for its author."""
    unit = {"unit": wanted.unit, "level": wanted.level}
    if shown.left_out:
        left = [{"said": said, "why": why} for said, why in shown.left_out]
        await services.record("hint-left-out", {**unit, "left": left}, opened.session.id)
    for said in shown.for_author:
        await services.record("author-note", {**unit, "said": said}, opened.session.id)


async def _log(
    services: Services,
    opened: OpenExercise,
    wanted: Wanted,
    fault: HintFault,
    call: int | None = None,
    payload: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    data = {
        "unit": wanted.unit,
        "level": wanted.level,
        **to_wire(fault),
        "call": call,
        "text": payload.get("text"),
        "code": payload.get("code"),
    }
    await services.record("hint-rejected", data, opened.session.id)
