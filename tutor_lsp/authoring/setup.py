"""One set-up: from a node or topic to a proven, journalled exercise."""

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tutor_lsp.authoring.assembly import Assembly, assemble
from tutor_lsp.authoring.content import candidate_hash, content_hash
from tutor_lsp.authoring.finish import finish
from tutor_lsp.authoring.index import Index, build_index
from tutor_lsp.authoring.loop import CAPS, StageRejectedError, refusal, run_expand_loop
from tutor_lsp.authoring.mistakes.asking import Asking
from tutor_lsp.authoring.model import Candidate, ProofResult, ProvenExercise, Stages
from tutor_lsp.authoring.proof import LIMITS
from tutor_lsp.authoring.proof.prove import prove
from tutor_lsp.authoring.readable import ReadableRunner
from tutor_lsp.authoring.record import Record
from tutor_lsp.authoring.remedial import Need
from tutor_lsp.authoring.repair.mend import mend
from tutor_lsp.authoring.repair.repair import Repairs
from tutor_lsp.authoring.repair.sections import Made
from tutor_lsp.authoring.report import Steps, not_proven
from tutor_lsp.authoring.solving import StageSolver
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON, Proof
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.mistakes import MISTAKES_EVENT
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.ports import (
    Backend,
    Journal,
    JournalKey,
    Progress,
    RunLimits,
    Selective,
    StageRunner,
    Toolchain,
)
from tutor_lsp.core.stage import EXPAND_ROLES, Rejection, Role, StageRequest, StageResult
from tutor_lsp.core.text.translation import n, t
from tutor_lsp.languages.practises import constructs
from tutor_lsp.library.loader import BundledExercise, Library, shipped_proof
from tutor_lsp.stages.conversation import LIMIT_S, Conversation
from tutor_lsp.stages.plain_lesson import harmless_lesson
from tutor_lsp.stages.subject import LearnerState, NodeBrief
from tutor_lsp.stages.tutoring import solution_request


@dataclass(frozen=True, slots=True)
class SetupRequest:
    """The request: exactly one of `node` and `topic`, a language, a depth target (D1–D3).

    `fresh` ignores an interrupted set-up; `challenge` leaves the lesson out; `minutes` is the
    node's estimate, for exercises without one.
    """

    language: str
    depth: str
    node: NodeBrief | None = None
    topic: str | None = None
    near: NodeBrief | None = None
    selection: str | None = None
    learner: LearnerState = field(default_factory=LearnerState)
    fresh: bool = False
    challenge: bool = False
    minutes: int | None = None

    @property
    def subject(self) -> str:
        """The set-up's subject in the journal."""
        if self.node is not None:
            return self.node.id
        topic = f"topic:{' '.join((self.topic or '').split())}"
        if self.selection is None:
            return topic
        digest = hashlib.sha256(self.selection.encode("utf-8", "replace")).hexdigest()
        return f"{topic} from {digest[:16]}"


@dataclass(frozen=True, slots=True)
class AuthoringDeps:
    """A set-up's dependencies. `limit_s` limits one call in seconds, `limits` one proof run.

    `scratch` is where temporary copies go, the system's temporary folder by default. `strict` is as
    in `prove`.

    `note` writes an event. `agree` is called before the loops with the scaffold and the wish by
    which it was changed, if any: it returns None to accept, or a text to change it, once; it may
    raise TutorError `CANCELLED`.
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
    strict: bool = False
    note: Callable[[str, Mapping[str, Any]], Awaitable[None]] | None = None
    agree: Callable[[Mapping[str, Any], str | None], Awaitable[str | None]] | None = None


async def set_up(request: SetupRequest, deps: AuthoringDeps, progress: Progress) -> ProvenExercise:
    """Make, assemble and prove an exercise; writes only the journal.

    Every accepted stage of a model is journalled, and an interrupted set-up is resumed. After
    success the record stays open until `close_record`, so nothing is lost if placing fails.
    Raises TutorError: with the kind, stage, reason and details of a rejected stage;
    `POLICY_VIOLATION` if assembly refuses and `PROOF_FAILED` if the proof fails, after both of
    which the next set-up starts from the beginning; `TOOLCHAIN_MISSING`.
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
        bundled = not deps.backend.is_model
        self.runner = deps.runner if bundled else ReadableRunner(deps.runner, request.language)
        # a bundled exercise is assembled at once: there is nothing to resume
        journal = deps.journal if deps.backend.is_model else None
        key = JournalKey(request.subject, request.language, request.depth, deps.backend.name)
        self.record = Record(journal, key)
        self.resumed = 0
        self.advice: tuple[ProofFinding, ...] = ()
        self.solved: dict[tuple[int, str], dict[str, Any]] = {}
        self.conversation = Conversation(
            request.language,
            request.node,
            topic=request.topic,
            near=request.near,
            selection=request.selection,
            depth=request.depth,
            learner=request.learner,
            setup_id=secrets.token_hex(6),
            caps={} if bundled else CAPS[request.depth],
            limit_s=deps.limit_s,
            prompts=deps.backend.needs_prompt,
        )
        self.repairs = Repairs(self.conversation, self._repaired)

    async def run(self) -> ProvenExercise:
        self.steps.report(1, t("getting ready"))
        if self.deps.backend.is_model:
            await self._toolchain_works()
        await self._resume()
        try:
            await self._generate()
            candidate, proof = await self._holding()
            candidate, proof = await self._knowing(candidate, proof)
        except StageRejectedError as rejected:
            iteration = None if rejected.result.role is Role.SOLUTION else rejected.iteration
            raise refusal(rejected.result, iteration) from rejected
        except TutorError as error:
            if error.kind == Rejection.POLICY_VIOLATION:
                await self.record.close("refused")
            raise
        self.steps.report(98, "proven")
        return await asyncio.to_thread(self._proven, candidate, proof)

    async def _toolchain_works(self) -> None:
        """Refuse before spending calls on an exercise that could not be proven here."""
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
            self.conversation.accept(entry.role, entry.iteration, entry.payload)
        self.resumed = len(entries) + self.record.later_calls
        if self.resumed:
            said = n(
                "resuming: {count} step already done",
                "resuming: {count} steps already done",
                self.resumed,
            )
            self.steps.report(2, said)

    async def _generate(self) -> None:
        if self.conversation.scaffold is None:
            await self._accepted(Role.SCAFFOLD, 1, await self._agreed_scaffold())
        for role in EXPAND_ROLES:
            await run_expand_loop(
                role,
                self.request.depth,
                request=self.conversation.request,
                call=lambda request: self.runner.run(request, self.deps.backend),
                accepted=self._accepted,
                begun=self.steps.begun,
                done=self.conversation.sections[role],
                capped=self.deps.backend.is_model,
            )

    async def _agreed_scaffold(self) -> dict[str, Any]:
        """The plan that the learner accepts: at most one change, by one more call."""
        self.steps.begun(Role.SCAFFOLD, 1, 1, None)
        payload = await self._call(self.conversation.request(Role.SCAFFOLD))
        if self.deps.agree is None or not self.deps.backend.is_model:
            return payload
        wish = await self.deps.agree(payload, None)
        if wish is None:
            return payload
        self.steps.begun(Role.SCAFFOLD, 1, 1, wish)
        changed = f"Make another plan. The learner wants this changed: {wish}"
        payload = await self._call(self.conversation.request(Role.SCAFFOLD, 1, changed))
        await self.deps.agree(payload, wish)
        return payload

    async def _accepted(self, role: Role, iteration: int, payload: Any) -> None:
        await self.record.append(role, iteration, payload)
        self.conversation.accept(role, iteration, payload)

    async def _call(self, request: StageRequest) -> dict[str, Any]:
        result = await self.runner.run(request, self.deps.backend)
        if not result.accepted or result.payload is None:
            raise StageRejectedError(result, request.iteration)
        return dict(result.payload)

    async def _holding(self) -> tuple[Candidate, Proof]:
        """Assemble and prove; repair and prove again while that fails and calls are left."""
        while True:
            assembly, index = await asyncio.to_thread(self._assemble)
            candidate = await self._candidate(assembly, index)
            result = await self._proof(candidate, index)
            proof = replace(result.proof, repairs=self.repairs.used)
            self.advice = result.advice
            if proof.ok:
                made = replace(candidate, solution=result.solution, accepts=result.accepts)
                return made, proof
            sections = Made(
                self.conversation.sections,
                candidate.authored,
                candidate.units,
                (self.conversation.scaffold or {}).get("units") or (),
                self.deps.toolchain,
            )
            library = not self.deps.backend.is_model
            if library or not await self.repairs.repair(
                result.findings, sections, self.steps.repair
            ):
                await self.record.close("proof-failed")
                proof = replace(proof, repairs=self.repairs.used)
                raise not_proven(replace(result, proof=proof))

    def _assemble(self) -> tuple[Assembly, Index]:
        sections, scaffold = self.conversation.sections, self.conversation.scaffold or {}
        stages = Stages(
            scaffold, sections[Role.STARTER], sections[Role.TEST], sections[Role.LESSON]
        )
        toolchain, planned = self.deps.toolchain, scaffold.get("units")
        assembly = assemble(stages, toolchain, self.conversation.node.title)
        if self.deps.backend.is_model:  # bundled files stay as they are
            authored = dict(assembly.authored)
            authored[LESSON] = harmless_lesson(authored.get(LESSON, ""))
            known = constructs(self.request.language).keys()
            planned = planned and [
                {**unit, "practises": [p for p in unit.get("practises") or () if p in known]}
                for unit in planned
            ]
            mended = mend(authored, planned, toolchain)
            assembly = Assembly(mended, toolchain.complete(mended))
        return assembly, build_index(assembly.files, planned, toolchain)

    async def _candidate(self, assembly: Assembly, index: Index) -> Candidate:
        solution: dict[str, str] = {}
        accepts: Mapping[str, str] = {}
        bundled = self._bundled(str((self.conversation.scaffold or {}).get("scaffold_id", "")))
        if not self.deps.backend.is_model:
            solver = self._solver(assembly.files)
            request = solution_request(self.conversation, solver.shown, limit_s=self.deps.limit_s)
            solution = dict(solver.placed(await self._call(request)))
            accepts = solver.accepts
        if bundled is not None:  # no contract of a model has tests that the learner writes
            solution |= below(bundled.solution, "tests")
        return Candidate(
            self.request.language,
            assembly.authored,
            assembly.files,
            solution,
            index.units,
            accepts,
            bundled.mistakes if bundled is not None else {},
            bundled.programs if bundled is not None else {},
        )

    def _solver(self, files: Mapping[str, str]) -> StageSolver:
        return StageSolver(
            self.conversation, files, self.deps.toolchain, self._solve, self.deps.limit_s
        )

    async def _solve(self, request: StageRequest) -> dict[str, Any]:
        """A reference: the journal's for these files, or else from a call."""
        texts = {file["file_path"]: file["content"] for file in request.packet["files"]}
        seen = (request.iteration, content_hash(self.request.language, texts, {}))
        if seen in self.solved:
            return self.solved[seen]
        known = self.record.later(Role.SOLUTION, request.iteration)
        if known is None:
            self.steps.begun(Role.SOLUTION, request.iteration, 3, None)
            known = await self._call(request)
            await self.record.append_later(Role.SOLUTION, request.iteration, known)
        self.solved[seen] = payload = dict(known)
        return payload

    async def _repaired(self, request: StageRequest) -> StageResult:
        """The answer to a repair call: the journal's, or else from the call."""
        known = self.record.later(request.role, request.iteration)
        if known is not None:
            return StageResult(request.role, accepted=True, payload=known)
        result = await self.runner.run(request, self.deps.backend)
        if result.accepted and result.payload is not None:
            await self.record.append_later(request.role, request.iteration, result.payload)
        return result

    async def _proof(self, candidate: Candidate, index: Index) -> ProofResult:
        if not self.deps.backend.is_model and not index.findings:
            shipped = await asyncio.to_thread(self.deps.shipped, candidate_hash(candidate))
            if shipped is not None and shipped.ok:
                return ProofResult(shipped, (), candidate.solution, candidate.accepts)
        return await prove(
            candidate,
            self.deps.toolchain,
            known=index.findings,
            depth=self.request.depth,
            solver=None if candidate.solution else self._solver(candidate.files),
            limits=self.deps.limits,
            scratch=self.deps.scratch,
            told=self.steps.proving,
            strict=self.deps.strict,
        )

    async def _knowing(self, candidate: Candidate, proof: Proof) -> tuple[Candidate, Proof]:
        """With the mistakes that a model knows of, where the topic has tags for them."""
        backend, node = self.deps.backend, self.conversation.node
        unable = isinstance(backend, Selective) and not backend.can_answer(Role.MISTAKES)
        if not backend.is_model or unable or not node.tags:
            return candidate, proof
        self.steps.proving("mistakes")
        asking = Asking(
            candidate,
            self.conversation,
            self.deps.toolchain,
            self._repaired,
            self.deps.limits,
            self.deps.scratch,
        )
        found = await asking.found()
        if self.deps.note is not None:
            about = {"setupId": self.conversation.setup_id, "node": node.id}
            with contextlib.suppress(TutorError):  # the exercise is proven all the same
                await self.deps.note(MISTAKES_EVENT, {**about, **found.data()})
        counts = {unit: len(known) for unit, known in found.kept.items()}
        return replace(candidate, mistakes=found.kept), replace(proof, mistakes=counts)

    def _proven(self, candidate: Candidate, proof: Proof) -> ProvenExercise:
        scaffold, request = self.conversation.scaffold or {}, self.request
        made = finish(
            candidate,
            proof,
            scaffold=scaffold,
            title=self.conversation.node.title,
            backend=self.deps.backend.name,
            minutes=request.minutes,
            bundled=self._bundled(str(scaffold["scaffold_id"])),
            challenge=request.challenge,
            need=Need(tuple(request.learner.tags.items())),
        )
        advice = self.advice
        return replace(made, resumed=self.resumed, record=self.record.key, advice=advice)

    def _bundled(self, exercise_id: str) -> BundledExercise | None:
        if self.deps.backend.is_model:
            return None
        entry = self.deps.library.by_id(exercise_id)
        return self.deps.library.load(entry) if entry else None
