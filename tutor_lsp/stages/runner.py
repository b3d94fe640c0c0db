"""Running one stage: context, backend, time limit, validation, policy, and an event in the log."""

import asyncio
import os
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from tutor_lsp.contracts.validate import ContractError, validate
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Backend, EventSink
from tutor_lsp.core.session import Event
from tutor_lsp.core.stage import (
    BackendAnswer,
    BackendFailed,
    Prompt,
    Rejection,
    Role,
    StageRequest,
    StageResult,
)
from tutor_lsp.core.text.translation import marked
from tutor_lsp.stages.economy import SENT_EVENT, Budget, SentPrompt
from tutor_lsp.stages.packet import context_issues
from tutor_lsp.stages.plain_markdown import READ_AS
from tutor_lsp.stages.policy import violations

ANSWER_SHOWN = 400
"""Characters of a rejected answer that the event log keeps."""
ERRORS_LOGGED = 50
"""Errors of one rejection that the event log keeps; the result has all of them."""
_REMEMBERED = 8
_BESIDE = {
    Role.SOLUTION: ":solution",
    Role.MISTAKES: ":mistakes",
    Role.MISTAKE_TAGS: ":mistakes",
    Role.WITHOUT: ":without",
}


class _Rejected(Exception):  # noqa: N818 - carries a result, not a defect
    def __init__(
        self, kind: Rejection, reason: str, details: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(reason)
        self.kind, self.reason, self.details = kind, reason, dict(details or {})


@dataclass(slots=True)
class _Call:
    """What is known about a call while it runs."""

    request: StageRequest
    backend: str
    started: float
    prompt_bytes: int = 0
    shared_bytes: int = 0
    keep_error: str | None = None
    answer: BackendAnswer | None = None
    id: str = field(default_factory=lambda: os.urandom(8).hex())

    @property
    def about(self) -> dict[str, Any]:
        """What its events have in common."""
        request = self.request
        role, packet = request.role, request.packet
        return {
            "call": self.id,
            "role": role.value,
            "iteration": request.iteration,
            "again": request.again,
            "repair": request.repairs,
            "backend": self.backend,
            "setupId": packet.get("setup_id"),
            "node": (packet.get("node") or {}).get("id"),
            "language": packet.get("language"),
            "depth": packet.get("depth_target"),
            "promptBytes": self.prompt_bytes,
            "sharedPrefixBytes": self.shared_bytes,
        }


class Runner:
    """Implements `core.ports.StageRunner`.

    Every result is logged as one event: `stage-accepted` with sizes, shared prefix, usage and
    duration, or `stage-rejected` with kind, reason and details as well. `log` may block, so it is
    called in a thread; if it raises, the result has `details["logError"]`. `clock` counts seconds.
    `sent` logs, in the same way, that a prompt is about to leave, as `stage-sent`: a call whose
    process is killed has no other event. `budget` limits what a session sends. `keep_prompt` is
    called in a thread with every prompt before it is sent; if it raises OSError, the result has
    `details["keepError"]`.
    """

    def __init__(
        self,
        log: EventSink,
        clock: Callable[[], float] = time.monotonic,
        *,
        sent: EventSink | None = None,
        budget: Budget | None = None,
        keep_prompt: Callable[[SentPrompt], None] | None = None,
    ) -> None:
        self._log = log
        self._sent = sent
        self._clock = clock
        self._budget = budget
        self._keep_prompt = keep_prompt
        # The last prompt of each recent conversation, to measure what calls share.
        self._last: OrderedDict[str, bytes] = OrderedDict()

    async def run(self, request: StageRequest, backend: Backend) -> StageResult:
        """Accepted with a validated payload, or rejected; raises nothing but CancelledError.

        If the calling task is cancelled, that is logged as `CANCELLED` and raised again once the
        backend has ended. If a backend cancels itself (its client refused), the result is
        `CANCELLED`.
        """
        call = _Call(request, backend.name, self._clock())
        try:
            payload = await self._payload(call, backend)
        except _Rejected as rejected:
            return await self._ended(call, rejected=rejected)
        except asyncio.CancelledError:
            stopped = _Rejected(Rejection.CANCELLED, "it was cancelled")
            result = await self._ended(call, rejected=stopped)
            task = asyncio.current_task()
            if task is not None and task.cancelling() > 0:
                raise
            return result
        except Exception as error:  # noqa: BLE001 - a defect must not take the server down
            place = "".join(traceback.format_exception(error)[-2:])
            reason = marked(f"the backend broke with {type(error).__name__}: {error}")
            details = {"error": type(error).__name__, "trace": place}
            broken = _Rejected(Rejection.EXECUTION_FAILED, reason, details)
            return await self._ended(call, rejected=broken)
        return await self._ended(call, payload)

    async def _payload(self, call: _Call, backend: Backend) -> Mapping[str, Any]:
        request = call.request
        issues = await asyncio.to_thread(context_issues, request)
        if backend.needs_prompt and request.prompt is None:
            issues.append({"path": "$", "reason": f"{backend.name} needs a prompt"})
        if issues:
            raise _Rejected(
                Rejection.INVALID_CONTEXT,
                f"the request is not in order: {issues[0]['path']} {issues[0]['reason']}",
                {"errors": issues},
            )
        if request.prompt is not None and backend.needs_prompt:
            await self._leaving(call, request.prompt)
        call.answer = await self._answer(request, backend)
        model = backend.needs_prompt
        return await asyncio.to_thread(_checked, request, call.answer.text, model=model)

    async def _answer(self, request: StageRequest, backend: Backend) -> BackendAnswer:
        limit = asyncio.timeout(request.limit_s)
        try:
            async with limit:
                return await backend.answer(request)
        except TimeoutError as error:
            if not limit.expired():
                reason = marked(f"{backend.name} gave up: {error or 'it took too long'}")
                raise _Rejected(Rejection.EXECUTION_FAILED, reason) from error
            raise _Rejected(
                Rejection.EXECUTION_FAILED,
                marked(f"{backend.name} gave no answer within {request.limit_s:g} s"),
                {"timeout": True, "limitS": request.limit_s},
            ) from error
        except BackendFailed as failed:
            raise _Rejected(Rejection.EXECUTION_FAILED, failed.reason, failed.details) from failed

    async def _leaving(self, call: _Call, prompt: Prompt) -> None:
        """Measure and keep a prompt about to be sent. Raises _Rejected if it exceeds the budget."""
        request = call.request
        raw = prompt.text.encode()
        if self._budget is not None:
            try:
                excess = await asyncio.to_thread(self._budget.excess, request.packet, len(raw))
            except TutorError as error:  # the record cannot be read
                failed = Rejection.EXECUTION_FAILED
                raise _Rejected(failed, error.message, error.data()) from error
            if excess is not None:
                raise _Rejected(Rejection.BUDGET, excess.reason, excess.details)
        self._measure(call, raw)
        if self._sent is not None:
            session = (request.packet.get("tutoring") or {}).get("session_id")
            try:
                await asyncio.to_thread(self._sent, Event(SENT_EVENT, call.about, session))
            except TutorError as error:
                call.keep_error = error.message
        if self._keep_prompt is not None:
            sent = SentPrompt(
                call.backend, request.role.value, request.iteration, request.contract, prompt.text
            )
            try:
                await asyncio.to_thread(self._keep_prompt, sent)
            except OSError as error:
                call.keep_error = str(error)

    def _measure(self, call: _Call, prompt: bytes) -> None:
        packet = call.request.packet
        key = str(packet.get("setup_id") or f"{packet['role']}:{packet['language']}")
        # What stands beside the loops shares nothing with them; their prompts go on afterwards.
        key += _BESIDE.get(call.request.role, "")
        call.prompt_bytes = len(prompt)
        call.shared_bytes = shared_prefix(self._last.pop(key, b""), prompt)
        self._last[key] = prompt
        while len(self._last) > _REMEMBERED:
            self._last.popitem(last=False)

    async def _ended(
        self,
        call: _Call,
        payload: Mapping[str, Any] | None = None,
        rejected: _Rejected | None = None,
    ) -> StageResult:
        """The result, after it was written to the event log."""
        role, packet = call.request.role, call.request.packet
        answer = call.answer or BackendAnswer("")
        elapsed_ms = (self._clock() - call.started) * 1000
        more: dict[str, Any] = {}
        if rejected is None:
            result = StageResult(role, accepted=True, payload=payload)
        else:
            why: dict[str, Any] = {"reason": rejected.reason, "details": rejected.details}
            result = StageResult(role, accepted=False, kind=rejected.kind, **why)
            more = {"kind": rejected.kind.value, **why, "details": _shortened(rejected.details)}
            if call.answer is not None:
                more["answer"] = answer.text[:ANSWER_SHOWN]
        result = replace(result, duration_ms=elapsed_ms, usage=answer.usage)
        data = {
            **call.about,
            "answerBytes": len(answer.text.encode("utf-8", "surrogatepass")),
            "inputTokens": result.usage.input_tokens,
            "cachedInputTokens": result.usage.cached_input_tokens,
            "outputTokens": result.usage.output_tokens,
            "durationMs": round(result.duration_ms, 1),
            **more,
        }
        if call.keep_error is not None:
            result = replace(result, details={**result.details, "keepError": call.keep_error})
        session = (packet.get("tutoring") or {}).get("session_id")
        try:
            kind = "stage-accepted" if rejected is None else "stage-rejected"
            await asyncio.to_thread(self._log, Event(kind, data, session))
        except Exception as error:  # noqa: BLE001 - a full disk must not lose an answer
            return replace(result, details={**result.details, "logError": str(error)})
        return result


def shared_prefix(before: bytes, after: bytes) -> int:
    """The length in bytes of the common prefix of two prompts."""
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _checked(request: StageRequest, text: str, *, model: bool) -> Mapping[str, Any]:
    """The payload in an answer's text, made harmless if a model wrote it. Raises _Rejected. Loads
    pydantic: keep it off the event loop."""
    try:
        payload = validate(request.contract, text, READ_AS if model else None)
    except ContractError as error:
        raise _Rejected(
            Rejection.SCHEMA_VALIDATION_FAILED,
            f"the answer is no {request.contract}: {error.errors[0]['path']} "
            f"{error.errors[0]['reason']}",
            {"contract": request.contract, "errors": error.errors},
        ) from error
    broken = violations(request, payload, model=model)
    if broken:
        raise _Rejected(
            Rejection.POLICY_VIOLATION,
            f"the answer breaks the rule {broken[0].rule}: {broken[0].path} {broken[0].reason}",
            {
                "rules": sorted({violation.rule for violation in broken}),
                "violations": [asdict(violation) for violation in broken],
            },
        )
    return payload


def _shortened(details: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value[:ERRORS_LOGGED] if isinstance(value, list) else value
        for key, value in details.items()
    }
