"""What a set-up leaves in the event log: findings, mends, repairs, and what came of them."""

import contextlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.generation import (
    ENDED_EVENT,
    FINDING_EVENT,
    MEND_EVENT,
    REPAIR_EVENT,
    SURPLUS_EVENT,
    Outcome,
    rule_of,
)
from tutor_lsp.core.stage import Role, StageRequest, StageResult
from tutor_lsp.core.text.plain_text import clip_bytes
from tutor_lsp.stages.conversation import Conversation

MESSAGE_BYTES = 400
_ADVISES = "mistakes"
"""The step whose advice is no rule that could be overruled: a test that would be good to have."""

Note = Callable[[str, Mapping[str, Any]], Awaitable[None]]


class Trail:
    """The events of one set-up. `note` writes one; an exercise is made without it, too."""

    def __init__(self, note: Note | None, conversation: Conversation) -> None:
        self._note = note
        self._conversation = conversation
        self._open: dict[ProofFinding, None] = {}
        self._advice: dict[ProofFinding, None] = {}
        self._fired: set[ProofFinding] = set()
        self._mended: set[str] = set()

    async def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Write an event with what the set-up is about."""
        if self._note is None:
            return
        made = self._conversation
        about = {
            "setupId": made.setup_id,
            "node": made.node.id,
            "language": made.language,
            "depth": made.depth,
        }
        with contextlib.suppress(TutorError):
            await self._note(kind, {**about, **data})

    async def surplus(self, role: Role, iteration: int, sections: int) -> None:
        """Sections of a call are left out: its loop has as many as it may have."""
        data = {"role": role.value, "iteration": iteration, "sections": sections}
        await self.note(SURPLUS_EVENT, data)

    async def checked(
        self, findings: Sequence[ProofFinding], advice: Iterable[ProofFinding] = ()
    ) -> None:
        """A check found this, and no more what an earlier one did."""
        now = dict.fromkeys(map(_bare, findings))
        await self._end([each for each in self._open if each not in now], Outcome.REPAIRED)
        for each in now:
            if each not in self._open:
                await self.note(FINDING_EVENT, _told(each))
                self._fired.add(each)
        self._open = now
        self._advice |= dict.fromkeys(_bare(each) for each in advice if each.step != _ADVISES)

    async def let_go(self, findings: Iterable[ProofFinding]) -> None:
        """The exercise holds in spite of these, which no repair mended."""
        gone = [each for each in map(_bare, findings) if each in self._open]
        await self._end(gone, Outcome.LEFT)
        self._open = {each: None for each in self._open if each not in gone}

    async def mended(
        self,
        before: Mapping[str, str],
        after: Mapping[str, str],
        said: Sequence[ProofFinding] = (),
    ) -> None:
        """Code changed these files without a call; of each file it is told once. `said` tells of
        what was not only a matter of form."""
        files = {path for path, text in after.items() if before.get(path) != text} - self._mended
        if files:
            self._mended |= files
            told = [each.message for each in said if each.file in files]
            await self.note(MEND_EVENT, {"files": sorted(files), "said": told})

    async def changed(self, said: Sequence[str]) -> None:
        """Code changed a plan."""
        if said:
            await self.note(MEND_EVENT, {"files": [], "said": list(said)})

    async def repaired(self, request: StageRequest, result: StageResult) -> None:
        """A repair call ended; whether it helped, the next check says."""
        data = {
            "role": request.role.value,
            "section": request.iteration,
            "rules": [[each.step, rule_of(each.message)] for each in self._open],
            "accepted": result.accepted,
            "kind": result.kind.value if result.kind is not None else None,
        }
        await self.note(REPAIR_EVENT, data)

    async def ended(self, *, proven: bool) -> None:
        """The set-up ended: what is open was not repaired, and advice did not matter."""
        await self._end(self._open, Outcome.LEFT)
        self._open = {}
        if proven:
            only_advice = [each for each in self._advice if each not in self._fired]
            for each in only_advice:
                await self.note(FINDING_EVENT, _told(each))
            await self._end(only_advice, Outcome.OVERRULED)

    async def _end(self, findings: Iterable[ProofFinding], outcome: Outcome) -> None:
        for each in findings:
            await self.note(ENDED_EVENT, {**_told(each), "outcome": outcome.value})


def _bare(finding: ProofFinding) -> ProofFinding:
    """What tells a finding from others: its place may move, and its output differ."""
    return ProofFinding(finding.step, finding.message, finding.file, None, finding.unit)


def _told(finding: ProofFinding) -> dict[str, Any]:
    return {
        "step": finding.step,
        "rule": rule_of(finding.message),
        "unit": finding.unit,
        "file": finding.file,
        "message": clip_bytes(finding.message, MESSAGE_BYTES),
    }
