"""Asking a model for a review: once, and once more where its answer cannot be used."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.ports import Backend
from tutor_lsp.core.stage import Rejection, StageResult

if TYPE_CHECKING:
    from tutor_lsp.stages.tutoring import TutoringContext
    from tutor_lsp.tutor.app import App

CALLS = 2
LIMIT_S, IN_ALL_S = 120.0, 180.0
"""Longest that one call is waited for, and both together, in seconds."""
LEAST_S = 5.0
"""What must be left of the time for a second call, in seconds."""
_ASK_AGAIN = frozenset(
    {
        Rejection.SCHEMA_VALIDATION_FAILED,
        Rejection.POLICY_VIOLATION,
        Rejection.EXECUTION_FAILED,
    }
)


@dataclass(frozen=True, slots=True)
class Unusable:
    """No answer of a model could be used. `said` is why, for the learner: a clause without a full
    stop; `refusals` are the reasons, one for each call."""

    said: str
    refusals: tuple[str, ...] = ()


async def ask(
    app: "App", backend: Backend, context: "TutoringContext", attempt: int
) -> Mapping[str, Any] | Unusable:
    """The accepted payload, or why there is none.

    Whatever is refused is asked for once more with the reason, save what cannot go another way: no
    call is left, the client's model was declined, or its user has to mend something first. The
    runner logs each refusal. Raises nothing but CancelledError and what the event log raises.
    """
    stages = await app.load("tutor_lsp.stages.tutoring")
    clock = asyncio.get_running_loop().time
    end = clock() + IN_ALL_S
    refusals: list[str] = []
    said = ""
    while len(refusals) < CALLS and (left := end - clock()) >= LEAST_S:
        refusal = refusals[-1] if refusals else None
        limit_s = min(LIMIT_S, left)
        request = stages.reviewer_request(context, attempt, refusal=refusal, limit_s=limit_s)
        result = await app.backends.runner.run(request, backend)
        if result.accepted and result.payload is not None:
            payload: Mapping[str, Any] = result.payload
            return payload
        refusals.append(str(result.reason))
        said = plainly(result)
        if result.kind not in _ASK_AGAIN or result.details.get("remedy"):
            break
    return Unusable(said, tuple(refusals))


def plainly(result: StageResult) -> str:
    """Why a result was refused, for a learner; a clause without a full stop."""
    match result.kind:
        case Rejection.SCHEMA_VALIDATION_FAILED:
            return "its answer did not have the form of a review"
        case Rejection.POLICY_VIOLATION:
            against = "verdict-against-run" in (result.details.get("rules") or ())
            return "it contradicted the tests" if against else "it broke a rule for reviews"
        case Rejection.BUDGET:
            return result.reason
        case Rejection.CANCELLED:
            return "the model was not allowed to answer"
        case _ if result.details.get("timeout"):
            return "it did not come in time"
        case _ if result.details.get("remedy"):
            return result.reason.rstrip(".")
        case _:
            return "the model gave no answer"
