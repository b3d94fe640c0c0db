"""One set-up: from a node or topic to a proven exercise, journalled on the way."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tutor_lsp.authoring.assembly import Assembly, assemble, overlay
from tutor_lsp.authoring.content import content_hash
from tutor_lsp.authoring.finish import finish
from tutor_lsp.authoring.index import Index, build_index
from tutor_lsp.authoring.loop import CAPS, StageRejectedError, refusal, run_expand_loop
from tutor_lsp.authoring.model import LESSON, Candidate, ProofResult, ProvenExercise, Stages
from tutor_lsp.authoring.proof import LIMITS, prove
from tutor_lsp.authoring.record import Record
from tutor_lsp.authoring.report import Steps, not_proven
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise import Proof
from tutor_lsp.core.ports import (
    Backend,
    Journal,
    JournalKey,
    Progress,
    RunLimits,
    StageRunner,
    Toolchain,
)
from tutor_lsp.core.stage import EXPAND_ROLES, Rejection, Role, StageRequest
from tutor_lsp.library.loader import BundledExercise, Library, shipped_proof
from tutor_lsp.stages.conversation import LIMIT_S, Conversation
from tutor_lsp.stages.subject import LearnerState, NodeBrief
from tutor_lsp.stages.tutoring import solution_request

LIBRARY = "library"


@dataclass(frozen=True, slots=True)
class SetupRequest:
    """What is wanted: exactly one of `node` and `topic`, a language, a depth target (D1–D3).

    `fresh` ignores an interrupted set-up; `challenge` leaves the lesson out; `minutes` is the
    node's estimate, for exercises that bring none.
    """

    language: str
    depth: str
    node: NodeBrief | None = None
    topic: str | None = None
    learner: LearnerState = field(default_factory=LearnerState)
    fresh: bool = False
    challenge: bool = False
    minutes: int | None = None

    @property
    def subject(self) -> str:
        """What the journal finds the set-up by."""
        return self.node.id if self.node else f"topic:{' '.join((self.topic or '').split())}"


@dataclass(frozen=True, slots=True)
class AuthoringDeps:
    """What a set-up works with. `limit_s` bounds one call, `limits` one run of the proof.

    `scratch` is where temporary copies go, the system's temporary folder by default.
    """

    runner: StageRunner
    backend: Backend
    toolchain: Toolchain
    library: Library
    journal: Journal | None = None
    shipped: Callable[[str], Proof | None] = shipped_proof
    limits: RunLimits = LIMITS
    limit_s: float = LIMIT_S
    scratch: Path | None = None


async def set_up(request: SetupRequest, deps: AuthoringDeps, progress: Progress) -> ProvenExercise:
    """Make, assemble and prove an exercise; nothing is written but the journal.

    Every accepted stage of a model is journalled, and a set-up that was interrupted is gone on
    with. After success the record stays open until `close_record`, so that nothing is lost if
    placing fails. Raises TutorError: with the kind, stage, reason and details of the stage that
    was not accepted; `POLICY_VIOLATION` for what assembly refuses and `PROOF_FAILED` for what
    does not hold, after both of which the next set-up begins anew; `TOOLCHAIN_MISSING`.
    """
    return await _Setup(request, deps, progress).run()


async def close_record(journal: Journal | None, proven: ProvenExercise) -> None:
    """End the journal record of an exercise that is placed and saved."""
    if journal is not None and proven.record is not None:
        await asyncio.to_thread(journal.close, proven.record, "ready")


class _Setup:
    def __init__(self, request: SetupRequest, deps: AuthoringDeps, progress: Progress) -> None:
        self.request = request
        self.deps = deps
        self.steps = Steps(progress)
        # a bundled exercise comes out the same at once: there is nothing to go on with
        journal = deps.journal if deps.backend.name != LIBRARY else None
        key = JournalKey(request.subject, request.language, request.depth, deps.backend.name)
        self.record = Record(journal, key)
        self.resumed = 0
        self.solved: dict[str, Any] | None = None
        self.conversation = Conversation(
            request.language,
            request.node,
            topic=request.topic,
            depth=request.depth,
            learner=request.learner,
            setup_id=secrets.token_hex(6),
            caps=CAPS[request.depth],
            limit_s=deps.limit_s,
            prompts=deps.backend.needs_prompt,
        )

    async def run(self) -> ProvenExercise:
        self.steps.report(1, "getting ready")
        if self.deps.backend.name != LIBRARY:
            await self._toolchain_works()
        await self._resume()
        try:
            await self._generate()
        except StageRejectedError as rejected:
            raise refusal(rejected.result, rejected.iteration) from rejected
        try:
            assembly, index = await asyncio.to_thread(self._assemble)
            candidate = await self._candidate(assembly, index)
        except StageRejectedError as rejected:
            raise refusal(rejected.result) from rejected
        except TutorError as error:
            if error.kind == Rejection.POLICY_VIOLATION:
                await self.record.close("refused")
            raise
        digest = content_hash(candidate.language, candidate.authored, candidate.solution)
        result = await self._proof(candidate, index, digest)
        if not result.proof.ok:
            await self.record.close("proof-failed")
            raise not_proven(result)
        self.steps.report(98, "it holds")
        return await asyncio.to_thread(self._proven, candidate, result.proof, digest)

    async def _toolchain_works(self) -> None:
        """Before calls are spent on an exercise that could not be proven here."""
        for tool in await self.deps.toolchain.probe():
            if not tool.works:
                raise TutorError(
                    "TOOLCHAIN_MISSING",
                    f"{tool.name} is needed to check a new exercise and does not work here. "
                    f"{tool.remedy or 'Install it and start again.'}",
                    details={"tool": tool.name},
                )

    async def _resume(self) -> None:
        entries = await self.record.open(fresh=self.request.fresh)
        for entry in entries:
            if entry.role is Role.SOLUTION:
                self.solved = dict(entry.payload)
            else:
                self.conversation.accept(entry.role, entry.iteration, entry.payload)
        self.resumed = len(entries)
        if entries:
            noun = "step" if len(entries) == 1 else "steps"
            self.steps.report(2, f"going on from before: {len(entries)} {noun} are there already")

    async def _generate(self) -> None:
        if self.conversation.scaffold is None:
            self.steps.begun(Role.SCAFFOLD, 1, 1, None)
            payload = await self._call(self.conversation.request(Role.SCAFFOLD))
            await self._accepted(Role.SCAFFOLD, 1, payload)
        for role in EXPAND_ROLES:
            await run_expand_loop(
                role,
                self.request.depth,
                request=self.conversation.request,
                call=lambda request: self.deps.runner.run(request, self.deps.backend),
                accepted=self._accepted,
                begun=self.steps.begun,
                done=self.conversation.sections[role],
            )

    async def _accepted(self, role: Role, iteration: int, payload: Any) -> None:
        await self.record.append(role, iteration, payload)
        self.conversation.accept(role, iteration, payload)

    async def _call(self, request: StageRequest) -> dict[str, Any]:
        result = await self.deps.runner.run(request, self.deps.backend)
        if not result.accepted or result.payload is None:
            raise StageRejectedError(result, request.iteration)
        return dict(result.payload)

    def _assemble(self) -> tuple[Assembly, Index]:
        sections, scaffold = self.conversation.sections, self.conversation.scaffold or {}
        stages = Stages(
            scaffold, sections[Role.STARTER], sections[Role.TEST], sections[Role.LESSON]
        )
        assembly = assemble(stages, self.deps.toolchain, self.conversation.title)
        index = build_index(assembly.files, scaffold.get("units"), self.deps.toolchain)
        return assembly, index

    async def _candidate(self, assembly: Assembly, index: Index) -> Candidate:
        learner_visible = {
            path: text
            for path, text in assembly.files.items()
            if path == LESSON or path.startswith(("src/", "tests/"))
        }
        if self.solved is None:
            self.steps.begun(Role.SOLUTION, 1, 1, None)
            request = solution_request(
                self.conversation, learner_visible, limit_s=self.deps.limit_s
            )
            self.solved = await self._call(request)
            await self.record.append(Role.SOLUTION, 1, self.solved)
        src = {path: text for path, text in learner_visible.items() if path.startswith("src/")}
        return Candidate(
            self.request.language,
            assembly.authored,
            assembly.files,
            overlay(src, self.solved, self.deps.toolchain),
            index.units,
        )

    async def _proof(self, candidate: Candidate, index: Index, digest: str) -> ProofResult:
        if self.deps.backend.name == LIBRARY and not index.findings:
            shipped = await asyncio.to_thread(self.deps.shipped, digest)
            if shipped is not None and shipped.ok:
                return ProofResult(shipped)
        self.steps.report(87, "checking it: the tests must fail now and pass when it is solved")
        return await prove(
            candidate,
            self.deps.toolchain,
            known=index.findings,
            limits=self.deps.limits,
            scratch=self.deps.scratch,
        )

    def _proven(self, candidate: Candidate, proof: Proof, digest: str) -> ProvenExercise:
        scaffold = self.conversation.scaffold or {}
        made = finish(
            candidate,
            proof,
            digest,
            scaffold=scaffold,
            title=self.conversation.title,
            backend=self.deps.backend.name,
            bundled=self._bundled(str(scaffold["scaffold_id"])),
            minutes=self.request.minutes,
            challenge=self.request.challenge,
        )
        return replace(made, resumed=self.resumed, record=self.record.key)

    def _bundled(self, exercise_id: str) -> BundledExercise | None:
        if self.deps.backend.name != LIBRARY:
            return None
        entry = self.deps.library.by_id(exercise_id)
        return self.deps.library.load(entry) if entry else None
