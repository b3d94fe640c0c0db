"""Asks a model for a hint: at most twice and within a time limit. Only what holds is shown."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from tutor_lsp.contracts.validate import ContractError, validate
from tutor_lsp.core.ports import Backend
from tutor_lsp.core.stage import Rejection, StageRequest, StageResult
from tutor_lsp.core.text.translation import t
from tutor_lsp.stages.plain_markdown import READ_AS
from tutor_lsp.stages.policy import violations
from tutor_lsp.stages.tutoring import coach_request
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.hinting.coach.checks import HintFault
from tutor_lsp.tutor.hinting.coach.listening import Check, Listening, goes_on
from tutor_lsp.tutor.hinting.coach.showing import Coached, HintRefused, Ran, Wanted, check
from tutor_lsp.tutor.hinting.context import working
from tutor_lsp.tutor.hinting.diagnosis.diagnose import differing
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.wire import to_wire

CALLS = 2
"""The first call, and one more if the first answer fails verification."""
_ASK_AGAIN = (Rejection.SCHEMA_VALIDATION_FAILED, Rejection.POLICY_VIOLATION)
_LIMITS = frozenset({"hint-too-long", "hint-unknown-tag", "hint-code-at-level-1"})

Grew = Callable[[Coached], Awaitable[None]]


async def ask(
    exercises: OpenExercises,
    opened: OpenExercise,
    backend: Backend,
    wanted: Wanted,
    grew: Grew | None = None,
) -> Coached | HintRefused:
    """The model's hint, or why there is none that may be shown. `grew` is told what is shown of it
    while it is written; the answer then goes on from there, or ends there.

    Every refusal goes to the event log: those of the stage by the runner, leaks and
    unfounded hints as `hint-rejected`. Raises only CancelledError and what the store raises.
    """
    services = exercises.services
    stub = opened.unit(wanted.unit).stub
    limit_s = services.settings.hint_seconds
    limit = asyncio.timeout(limit_s)
    told: list[Coached] = []

    async def grown(made: Coached) -> None:
        told.append(made)
        if grew is not None:
            await grew(made)

    async with working(services, backend, t(f"Tutor: a hint for {stub}")) as tell:
        try:
            async with limit:
                growing = grown if grew is not None else None
                return await _calls(exercises, opened, backend, wanted, tell, growing)
        except TimeoutError:
            if not limit.expired():
                raise
            reason = t(f"no hint could be verified within {limit_s:g} s")
            await _log(services, opened, wanted, HintFault("timeout", reason))
            return broken_off(told[-1]) if told else HintRefused(reason, said=True)


async def _calls(
    exercises: OpenExercises,
    opened: OpenExercise,
    backend: Backend,
    wanted: Wanted,
    tell: Callable[[str], None],
    grew: Grew | None,
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
        once = Ran()
        told: Coached | None = None
        look = partial(check, exercises.shadow_copies, opened, wanted, once=once)
        if grew is None:
            result = await services.backends.runner.run(request, backend)
        else:
            meant = {"role": "coach", "unit_id": wanted.unit, "level": wanted.level}
            keeps = partial(_in_order, request, look)
            async with Listening(keeps, grew, meant) as listening:
                request = replace(request, heard=listening.hear)
                result = await services.backends.runner.run(request, backend)
            told = listening.told
        payload = result.payload
        if payload is None and told is not None:
            payload = await asyncio.to_thread(_beyond_limits, request, listening.known, result)
        if payload is None:
            refusal = str(result.reason)
            if told is not None:
                return broken_off(told)
            if result.kind in _ASK_AGAIN:
                continue
            return HintRefused(refusal, said=True)
        tell("trying out what it says")
        whole = await look(payload)
        if isinstance(whole, Coached):
            await _note(services, opened, wanted, whole)
            if goes_on(told, whole):
                return whole
            whole = HintFault("other-words", "it does not go on from what was shown of it")
        refusal = whole.reason
        await _log(services, opened, wanted, whole, call, payload)
        if told is not None:
            return broken_off(told)
    return HintRefused(refusal or "the hint could not be verified")


async def _in_order(
    request: StageRequest, look: Check, payload: Mapping[str, Any]
) -> Coached | HintFault:
    """As `look`, of a payload that no stage has checked."""
    try:
        read = await asyncio.to_thread(validate, request.contract, payload, READ_AS)
    except ContractError as error:
        return HintFault("contract", str(error))
    if broken := await asyncio.to_thread(violations, request, read):
        return HintFault(broken[0].rule, broken[0].reason)
    return await look(read)


def _beyond_limits(
    request: StageRequest, given: Mapping[str, Any], result: StageResult
) -> Mapping[str, Any] | None:
    """An answer that only breaks a limit: where some of it was shown it is not asked for again."""
    rules = result.details.get("rules")
    if not rules or not _LIMITS.issuperset(rules):
        return None
    try:
        read = validate(request.contract, given, READ_AS)
    except ContractError:
        return None
    return {**read, "tags": []} if "hint-unknown-tag" in rules else read


def broken_off(told: Coached) -> Coached:
    """What was told of an answer that did not come to its end, with a word on that."""
    return replace(told, text=f"{told.text}\n\n{t('The answer broke off here.')}")


async def _note(services: Services, opened: OpenExercise, wanted: Wanted, shown: Coached) -> None:
    """What was left out goes to the record; what was said against a test is for its author."""
    unit = {"unit": wanted.unit, "level": wanted.level}
    if shown.left_out:
        left = [{"said": said, "why": why} for said, why in shown.left_out]
        await services.record("hint-left-out", {**unit, "left": left}, opened.session.id)
    if shown.code_left_out is not None:
        code, why = shown.code_left_out
        data = {**unit, "code": code, "why": why}
        await services.record("hint-code-left-out", data, opened.session.id)
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
