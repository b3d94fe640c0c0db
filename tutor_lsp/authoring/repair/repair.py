"""Repairing sections by the loops that wrote them: few calls, each fed with what was executed."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from tutor_lsp.authoring.loop import StageRejectedError
from tutor_lsp.authoring.repair.pieces import put_in
from tutor_lsp.authoring.repair.request import Earlier, repair_request
from tutor_lsp.authoring.repair.sections import Damage, Made, damaged
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.stage import UNSCRIPTED, Rejection, Role, StageRequest, StageResult
from tutor_lsp.languages.registry import languages
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
Keep = Callable[[Role, int, Mapping[str, Any]], Awaitable[None]]


class Repairs:
    """The repair calls of one set-up; `used` counts them. `keep` is told what a section (by role
    and its number from 1) is from then on, before anything else is done with it."""

    def __init__(self, conversation: Conversation, ask: Ask, keep: Keep) -> None:
        self._conversation = conversation
        self._ask = ask
        self._keep = keep
        self._earlier: list[Earlier] = []
        self._resumed: set[tuple[Role, int]] = set()
        self.used = 0
        self.unscripted = False
        """Whether a record was played that has no repairs."""

    async def repair(
        self, findings: Sequence[ProofFinding], made: Made, begun: Begun, *, spare: bool = False
    ) -> bool:
        """Replace the sections that the findings are about, the most urgent first, while calls
        are left. `begun` is called for each call with its number from 1. False if there was
        nothing to do, or an answer was not usable. Raises StageRejectedError if there was no
        answer: the set-up can then be resumed.

        `spare`: an exercise can do without these. One call stays for what they break, and what was
        repaired before an interruption, maybe for the same, is let be."""
        chosen = damaged(findings, made)
        if spare:
            chosen = [each for each in chosen if (each.role, each.index) not in self._resumed]
        chosen = chosen[: max(0, MOST - spare - self.used)]
        for damage in chosen:
            self.used += 1
            begun(damage, self.used)
            request = repair_request(self._conversation, damage, self._earlier)
            self._earlier.append(Earlier(damage.role, damage.index, tuple(damage.findings)))
            result = await self._ask(request)
            if UNSCRIPTED in result.details:  # a record without repairs: what it lacks is said
                self.used -= 1
                self.unscripted = True
                return False
            if result.kind in _NO_ANSWER:
                raise StageRejectedError(result, request.iteration)
            if not result.accepted or result.payload is None:
                return False
            sections = self._conversation.sections[damage.role]
            # only the content is replaced: place and order in the loop stay
            content = str(result.payload["content"])
            if damage.functions:
                old, toolchain = str(sections[damage.index]["content"]), made.toolchain
                gap = languages()[toolchain.language].blank_lines
                content = await asyncio.to_thread(
                    put_in, old, content, damage.functions, toolchain, gap
                )
            new = {**sections[damage.index], "content": content}
            await self._keep(damage.role, damage.index + 1, new)
            self._replace(damage.role, damage.index, new)
        return bool(chosen)

    @property
    def left(self) -> bool:
        """Whether there may be another one."""
        return self.used < MOST

    def again(self, role: Role, number: int, section: Mapping[str, Any]) -> None:
        """A repair of an interrupted set-up."""
        self.used += 1
        self._earlier.append(Earlier(role, number - 1))
        self._resumed.add((role, number - 1))
        if number <= len(self._conversation.sections[role]):
            self._replace(role, number - 1, section)

    def _replace(self, role: Role, index: int, section: Mapping[str, Any]) -> None:
        old = self._conversation.sections[role][index]
        new = {**old, "content": section["content"]}
        self._conversation.sections[role][index] = new
        compact = json.dumps(new, ensure_ascii=False, separators=(",", ":"))
        self._conversation.entries = (*self._conversation.entries, "\n" + compact)
