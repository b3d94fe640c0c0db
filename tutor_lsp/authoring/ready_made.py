"""An exercise that is written already: its files stay as they are, and its record may be there."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutor_lsp.authoring.assembly import assemble, overlay
from tutor_lsp.authoring.content import candidate_hash
from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import Candidate, ProofResult, Stages
from tutor_lsp.authoring.proof.prove import Told, prove
from tutor_lsp.authoring.solving import domains
from tutor_lsp.core.exercise.exercise import LESSON, Proof
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.ports import RunLimits, Toolchain
from tutor_lsp.core.stage import Role, StageRequest
from tutor_lsp.library.loader import BundledExercise
from tutor_lsp.stages.conversation import Conversation
from tutor_lsp.stages.tutoring import solution_request


@dataclass(frozen=True, slots=True)
class ReadyMade:
    """Assembles and proves what the library sent; `call` runs a request and returns the accepted
    payload."""

    conversation: Conversation
    toolchain: Toolchain
    call: Callable[[StageRequest], Awaitable[Mapping[str, Any]]]
    shipped: Callable[[str], Proof | None]
    limit_s: float
    limits: RunLimits
    scratch: Path | None
    told: Told
    strict: bool = False

    async def proven(self, bundled: BundledExercise | None) -> tuple[Candidate, ProofResult]:
        """The exercise and its proof, which may be the one that was shipped. Raises as `assemble`
        and `prove`, and what `call` raises."""
        sections, scaffold = self.conversation.sections, self.conversation.scaffold or {}
        stages = Stages(
            scaffold, sections[Role.STARTER], sections[Role.TEST], sections[Role.LESSON]
        )
        title = self.conversation.node.title
        assembly = await asyncio.to_thread(assemble, stages, self.toolchain, title)
        planned = scaffold.get("units")
        index = await asyncio.to_thread(build_index, assembly.files, planned, self.toolchain)
        shown = {p: t for p, t in assembly.files.items() if p == LESSON or p.startswith("src/")}
        request = solution_request(self.conversation, shown, limit_s=self.limit_s)
        answer = await self.call(request)
        solution = overlay(below(assembly.files, "src"), answer, self.toolchain)
        if bundled is not None:  # no contract of a model has tests that the learner writes
            solution |= below(bundled.solution, "tests")
        candidate = Candidate(
            self.conversation.language,
            assembly.authored,
            assembly.files,
            solution,
            index.units,
            domains(answer),
            bundled.mistakes if bundled is not None else {},
            bundled.programs if bundled is not None else {},
        )
        if not index.findings:
            shipped = await asyncio.to_thread(self.shipped, candidate_hash(candidate))
            if shipped is not None and shipped.ok:
                return candidate, ProofResult(shipped, (), solution, candidate.accepts)
        result = await prove(
            candidate,
            self.toolchain,
            known=index.findings,
            depth=self.conversation.depth,
            limits=self.limits,
            scratch=self.scratch,
            told=self.told,
            strict=self.strict,
        )
        return candidate, result
