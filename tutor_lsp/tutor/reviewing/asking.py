"""Asks a model for a review: once, and once more if its answer cannot be used."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tutor_lsp.core.ports import Backend
from tutor_lsp.core.stage import Rejection, StageResult
from tutor_lsp.core.text.translation import t
from tutor_lsp.stages.tutoring import TutoringContext, reviewer_request
from tutor_lsp.tutor.services.services import Services

CALLS = 2
LIMIT_SHARE = 2 / 3
"""How much of the time for both calls one of them may take."""
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
    services: Services, backend: Backend, context: "TutoringContext", attempt: int
) -> Mapping[str, Any] | Unusable:
    """The accepted payload, or why there is none.

    A refused answer is requested once more with the reason, unless that cannot help: no
    call is left, the client's model was declined, or its user has to fix something first. The
    runner logs each refusal. Raises nothing but CancelledError and what the event log raises.
    """
    clock = asyncio.get_running_loop().time
    in_all_s = services.settings.review_seconds
    end = clock() + in_all_s
    refusals: list[str] = []
    said = ""
    while len(refusals) < CALLS and (left := end - clock()) >= LEAST_S:
        refusal = refusals[-1] if refusals else None
        limit_s = min(in_all_s * LIMIT_SHARE, left)
        request = reviewer_request(context, attempt, refusal=refusal, limit_s=limit_s)
        result = await services.backends.runner.run(request, backend)
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
            return t("its answer was not a valid review")
        case Rejection.POLICY_VIOLATION:
            against = "verdict-against-run" in (result.details.get("rules") or ())
            return t("it contradicted the tests") if against else t("it broke a rule for reviews")
        case Rejection.BUDGET:
            return result.reason
        case Rejection.CANCELLED:
            return t("the model was not allowed to answer")
        case _ if result.details.get("timeout"):
            return t("it did not answer in time")
        case _ if result.details.get("remedy"):
            return result.reason.rstrip(".")
        case _:
            return t("the model gave no answer")
