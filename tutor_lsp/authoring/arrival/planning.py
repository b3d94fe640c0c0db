"""The plan that a model makes, that holds and that the learner accepts."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tutor_lsp.authoring.arrival import plan
from tutor_lsp.authoring.loop import StageRejectedError
from tutor_lsp.authoring.model import ProofResult
from tutor_lsp.authoring.record import REPLANNED, Record
from tutor_lsp.authoring.repair.repair import Repairs
from tutor_lsp.authoring.repair.trail import Trail
from tutor_lsp.authoring.report import Steps
from tutor_lsp.core.exercise.exercise import Proof
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.stage import UNSCRIPTED, Role, StageRequest, StageResult
from tutor_lsp.stages.conversation import Conversation

Plan = dict[str, Any]
Agree = Callable[[Mapping[str, Any], str | None], Awaitable[str | None]]


@dataclass(frozen=True, slots=True)
class Planning:
    """Asks for the plan of one set-up. `agree` is that of `AuthoringDeps`, `call` runs a request
    and returns the accepted payload, `refuse` raises for an exercise that does not hold."""

    conversation: Conversation
    record: Record
    repairs: Repairs
    steps: Steps
    trail: Trail
    call: Callable[[StageRequest], Awaitable[Plan]]
    refuse: Callable[[ProofResult], Awaitable[None]]
    agree: Agree | None

    async def agreed(self) -> Plan:
        """The plan that the learner accepts: at most one change, by one more call. Raises what
        `call`, `agree` and `refuse` raise."""
        self.steps.begun(Role.SCAFFOLD, 1, 1, None)
        made = await self._holding(None)
        wish = await self.agree(made, None) if self.agree is not None else None
        if wish is None or self.agree is None:
            return made
        self.steps.begun(Role.SCAFFOLD, 1, 1, wish)
        made = await self._holding(f"Make another plan. The learner wants this changed: {wish}")
        await self.agree(made, wish)
        return made

    async def _holding(self, focus: str | None) -> Plan:
        """A plan whose names and size can stay. That something else than a declaration is to
        practise one is told at most once: a plan can do without."""
        asked, found = focus, list[ProofFinding]()
        bare, made = list[ProofFinding](), Plan()
        given: Mapping[str, Any] = made
        while True:
            about, language = f"{self.repairs.used} {asked or ''}", self.conversation.language
            known = self.record.known(Role.SCAFFOLD, about)
            try:
                given = known or await self._asked(asked, repairs=bool(found))
            except StageRejectedError as rejected:
                if found and UNSCRIPTED in rejected.result.details:  # a record without repairs
                    self.repairs.used -= 1
                    if found == bare:
                        return await self._final(given, made)
                    await self.refuse(ProofResult(Proof(ok=False), tuple(found)))
                raise
            made = plan.mended(given)
            found = await asyncio.to_thread(plan.check, made, language)
            if not found:
                bare = await asyncio.to_thread(plan.bare, made, language)
                if self.repairs.used:  # it was told of them, and code takes them out
                    await self.trail.let_go(bare)
                else:
                    found = bare
            await self.trail.checked(found)
            if known is None and (found or self.agree is not None):  # else it is accepted at once
                number = 1 if asked == focus else REPLANNED
                await self.record.keep(Role.SCAFFOLD, about, number, given)
            if not found:
                return await self._final(given, made, told=known is not None)
            if not self.repairs.left:
                await self.refuse(ProofResult(Proof(ok=False), tuple(found)))
            self.repairs.used += 1
            self.steps.replan(self.repairs.used)
            asked = f"{focus or ''}\n{plan.again(found)}".strip()

    async def _final(self, given: Mapping[str, Any], made: Plan, *, told: bool = False) -> Plan:
        """The plan that stays, without what a repair did not bring about. What code changed of it
        is told, unless it was before an interruption."""
        said = plan.renamed(given, made)
        if self.repairs.used or plan.bare(made, self.conversation.language):
            made, bare = plan.without_bare(made, self.conversation.language)
            said += bare
        if not told:
            await self.trail.changed(said)
        return made

    async def _asked(self, focus: str | None, *, repairs: bool) -> Plan:
        request = self.conversation.request(Role.SCAFFOLD, 1, focus)
        request = replace(request, repairs=repairs)
        try:
            given = await self.call(request)
        except StageRejectedError as rejected:
            if repairs:
                await self.trail.repaired(request, rejected.result)
            raise
        if repairs:
            answered = StageResult(request.role, accepted=True, payload=given)
            await self.trail.repaired(request, answered)
        return given
