"""Repairing sections by the loops that wrote them: few calls, each fed with what was executed."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from tutor_lsp.authoring.loop import StageRejectedError
from tutor_lsp.authoring.repair.request import repair_request
from tutor_lsp.authoring.repair.sections import Damage, Made, damaged
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.stage import UNSCRIPTED, Rejection, StageRequest, StageResult
from tutor_lsp.stages.conversation import Conversation

MOST = 3
"""Most repair calls of a set-up."""

_NO_ANSWER = (
    Rejection.EXECUTION_FAILED,
    Rejection.CANCELLED,
    Rejection.INVALID_CONTEXT,
    Rejection.BUDGET,
)

Begun = Callable[[Damage, int], None]
Ask = Callable[[StageRequest], Awaitable[StageResult]]


class Repairs:
    """The repair calls of one set-up; `used` counts them."""

    def __init__(self, conversation: Conversation, ask: Ask) -> None:
        self._conversation = conversation
        self._ask = ask
        self.used = 0

    async def repair(self, findings: Sequence[ProofFinding], made: Made, begun: Begun) -> bool:
        """Replace the sections that the findings are about, the most urgent first, while calls
        are left. `begun` is called for each call with its number from 1. False if there was
        nothing to do, or an answer was not usable. Raises StageRejectedError if there was no
        answer: the set-up can then be resumed."""
        chosen = damaged(findings, made)[: MOST - self.used]
        for damage in chosen:
            self.used += 1
            begun(damage, self.used)
            request = repair_request(self._conversation, damage)
            result = await self._ask(request)
            if UNSCRIPTED in result.details:  # a record without repairs: what it lacks is said
                self.used -= 1
                return False
            if result.kind in _NO_ANSWER:
                raise StageRejectedError(result, request.iteration)
            if not result.accepted or result.payload is None:
                return False
            self._replace(damage, dict(result.payload))
        return bool(chosen)

    def _replace(self, damage: Damage, payload: dict[str, Any]) -> None:
        """Only the content is replaced: place and order in the loop stay."""
        sections = self._conversation.sections[damage.role]
        new = {**sections[damage.index], "content": payload["content"]}
        sections[damage.index] = new
        compact = json.dumps(new, ensure_ascii=False, separators=(",", ":"))
        self._conversation.entries = (*self._conversation.entries, "\n" + compact)
