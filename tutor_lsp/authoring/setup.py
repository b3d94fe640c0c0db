"""One set-up: from a node or topic to a proven, journalled exercise."""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from copy import copy
from dataclasses import replace
from typing import Any, NoReturn

from tutor_lsp.authoring.arrival.checks import Checks, tools_work
from tutor_lsp.authoring.arrival.made import SoFar
from tutor_lsp.authoring.arrival.planning import Planning
from tutor_lsp.authoring.arrival.topic import Topic
from tutor_lsp.authoring.finish import finish
from tutor_lsp.authoring.loop import CAPS, StageRejectedError, finished, refusal, run_expand_loop
from tutor_lsp.authoring.mistakes.asking import Asking
from tutor_lsp.authoring.mistakes.beside import Beside
from tutor_lsp.authoring.model import Candidate, ProofResult, ProvenExercise
from tutor_lsp.authoring.proof import STEPS
from tutor_lsp.authoring.readable import ReadableRunner
from tutor_lsp.authoring.ready_made import ReadyMade
from tutor_lsp.authoring.record import Record, repaired
from tutor_lsp.authoring.remedial import Need
from tutor_lsp.authoring.repair.repair import MOST, Repairs
from tutor_lsp.authoring.repair.trail import Trail
from tutor_lsp.authoring.report import Steps, not_proven
from tutor_lsp.authoring.request import AuthoringDeps, SetupRequest
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Proof
from tutor_lsp.core.exercise.mistakes import MISTAKES_EVENT
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.ports import Journal, JournalKey, Progress, Recorded, Selective
from tutor_lsp.core.stage import EXPAND_ROLES, Rejection, Role, StageRequest, StageResult
from tutor_lsp.core.text.translation import n, t
from tutor_lsp.library.loader import BundledExercise
from tutor_lsp.stages.asking_again import AskingAgain
from tutor_lsp.stages.conversation import Conversation


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


Check = Callable[[], Awaitable[tuple[SoFar, ProofResult]]]


class _Setup:
    def __init__(self, request: SetupRequest, deps: AuthoringDeps, progress: Progress) -> None:
        self.request = request
        self.deps = deps
        self.steps = Steps(progress)
        bundled = not deps.backend.is_model
        asking = AskingAgain(deps.runner)
        self.runner = deps.runner if bundled else ReadableRunner(asking, request.language)
        # a bundled exercise is assembled at once: there is nothing to resume
        journal = deps.journal if deps.backend.is_model else None
        key = JournalKey(request.subject, request.language, request.depth, deps.backend.name)
        self.record = Record(journal, key)
        self.resumed = 0
        self.advice: tuple[ProofFinding, ...] = ()
        self.conversation = Conversation(
            request.language,
            request.node,
            topic=request.topic,
            near=request.near,
            selection=request.selection,
            depth=request.depth,
            learner=request.learner,
            often=request.often,
            setup_id=secrets.token_hex(6),
            caps={} if bundled else CAPS[request.depth],
            limit_s=deps.limit_s,
            prompts=deps.backend.needs_prompt,
        )
        self.repairs = Repairs(self.conversation, self._repair, self.record.repair)
        self.mistakes = Beside(self._asking)
        self.beside = False
        self.with_mistakes = self._may_ask(Role.MISTAKES) and bool(self.conversation.node.tags)
        self.checks = Checks(
            self.conversation,
            deps.toolchain,
            self._solve,
            lambda about: self.record.known(Role.SOLUTION, about),
            deps.limit_s,
            deps.limits,
            deps.scratch,
            self.steps.checking,
            deps.strict,
        )
        self.trail = Trail(deps.note if deps.backend.is_model else None, self.conversation)
        self.topic = Topic(
            self.conversation,
            deps.toolchain,
            self._aside,
            self.trail.note,
            lambda: self.repairs.used < MOST - 1 and not self.repairs.unscripted,
            deps.limits,
            deps.scratch,
        )

    async def run(self) -> ProvenExercise:
        self.steps.report(1, t("getting ready"))
        if self.deps.backend.is_model:
            await tools_work(self.deps.toolchain)
        await self._resume()
        try:
            await self._generate()
            model = self.deps.backend.is_model
            candidate, proof = await (self._written() if model else self._bundled_one())
            candidate, proof = await self._knowing(candidate, proof)
        except StageRejectedError as rejected:
            solving = rejected.result.role is Role.SOLUTION
            raise refusal(rejected.result, None if solving else rejected.iteration) from rejected
        except TutorError as error:
            if error.kind == Rejection.POLICY_VIOLATION:
                await self.record.close("refused")
            raise
        finally:
            await self.mistakes.end()
            await self.topic.end()
        self.steps.report(98, "proven")
        return await asyncio.to_thread(self._proven, candidate, proof)

    async def _resume(self) -> None:
        entries = await self.record.open(fresh=self.request.fresh)
        for entry in entries:
            number = repaired(entry)
            if number is None:
                self.conversation.accept(entry.role, entry.iteration, entry.payload)
            else:
                self.repairs.again(entry.role, number, entry.payload)
        if entries:  # without, the plan is asked for as before
            self.repairs.used += self.record.replanned
        self.resumed = len(entries) + self.record.answers
        if self.resumed:
            said = n(
                "resuming: {count} step already done",
                "resuming: {count} steps already done",
                self.resumed,
            )
            self.steps.report(2, said)

    async def _generate(self) -> None:
        if self.conversation.scaffold is None:
            await self._accepted(Role.SCAFFOLD, 1, await self._scaffold())
        self.steps.planned(self.conversation.scaffold or {})
        for role in EXPAND_ROLES:
            await run_expand_loop(
                role,
                self.request.depth,
                request=self.conversation.request,
                call=self._answer,
                accepted=self._accepted,
                begun=self.steps.begun,
                surplus=self.trail.surplus,
                done=self.conversation.calls[role],
                capped=self.deps.backend.is_model,
            )
            await self._over(role)

    async def _scaffold(self) -> dict[str, Any]:
        if not self.deps.backend.is_model:
            self.steps.begun(Role.SCAFFOLD, 1, 1, None)
            return await self._call(self.conversation.request(Role.SCAFFOLD))
        planning = Planning(
            self.conversation,
            self.record,
            self.repairs,
            self.steps,
            self.trail,
            self._call,
            self._refuse,
            self.deps.agree,
        )
        return await planning.agreed()

    async def _over(self, role: Role) -> None:
        """Check a loop that is over before the next one begins; what others followed already in an
        interrupted set-up was checked then."""
        later = EXPAND_ROLES[EXPAND_ROLES.index(role) + 1 :]
        if not self.deps.backend.is_model or any(self.conversation.sections[r] for r in later):
            return
        if role is Role.STARTER:
            await self._held(lambda: self.checks.starter(over=True))
        elif role is Role.TEST:
            candidate, result = await self._held(self._tests)
            if not result.holds or result.findings:
                return
            await self._begin_beside(replace(candidate, solution=result.solution))

    async def _begin_beside(self, solved: Candidate) -> None:
        """Ask for what a reference that passes is needed for, while something else is done."""
        self.beside = True
        if self.with_mistakes:
            await self.mistakes.begin(solved)
        if self._may_ask(Role.WITHOUT):
            await self.topic.begin(solved)

    async def _tests(self) -> tuple[SoFar, ProofResult]:
        return await self._weighed(*await self.checks.tests())

    async def _whole(self) -> tuple[SoFar, ProofResult]:
        return await self._weighed(*await self.checks.whole())

    async def _weighed(self, so_far: SoFar, result: ProofResult) -> tuple[SoFar, ProofResult]:
        return so_far, await asyncio.to_thread(self.topic.weighed, so_far.candidate, result)

    async def _without(self) -> tuple[SoFar, ProofResult]:
        so_far = await self.checks.so_far()
        return so_far, await self.topic.without(so_far.candidate)

    def _may_ask(self, role: Role) -> bool:
        """Whether a model may be asked for what an exercise can do without."""
        backend = self.deps.backend
        unable = isinstance(backend, Selective) and not backend.can_answer(role)
        return backend.is_model and not unable

    async def _accepted(self, role: Role, iteration: int, payload: Any) -> None:
        await self.record.append(role, iteration, payload)
        before = len(self.conversation.sections.get(role, ()))
        self.conversation.accept(role, iteration, payload)
        if not self.deps.backend.is_model:
            return
        cap = CAPS[self.request.depth].get(role)
        over = finished(self.conversation.sections.get(role, ()), cap)
        if role is Role.STARTER and not over:
            await self._held(lambda: self.checks.starter(over=False))
        elif role is Role.LESSON:
            await self._held(lambda: self.checks.section(before, ends=over))

    async def _call(self, request: StageRequest) -> dict[str, Any]:
        result = await self.runner.run(request, self.deps.backend)
        if not result.accepted or result.payload is None:
            raise StageRejectedError(result, request.iteration)
        return dict(result.payload)

    async def _written(self) -> tuple[Candidate, Proof]:
        """What a model wrote, proven."""
        recorded = isinstance(self.deps.backend, Recorded) and self.deps.backend.recorded
        # a record has no repairs of what was not asked for when it was made
        whole = self.checks.whole if recorded else self._whole
        if self.topic.begun:
            await self._held(self._without)
        self.steps.proving(STEPS[0])
        candidate, result = await self._held(whole)
        if not self.beside:  # nobody had solved it before there was a lesson
            used = self.repairs.used
            await self._begin_beside(replace(candidate, solution=result.solution))
            await self._held(self._without)
            if self.repairs.used > used:
                candidate, result = await self._held(whole)
        await self.trail.ended(proven=True)
        made = replace(candidate, solution=result.solution, accepts=result.accepts)
        return made, replace(result.proof, repairs=self.repairs.used)

    async def _held(self, check: Check) -> tuple[Candidate, ProofResult]:
        """Check, repair and check again while that fails and calls are left."""
        while True:
            so_far, result = await check()
            self.advice = (*so_far.imports, *result.advice)
            await self.trail.mended(so_far.merged, so_far.candidate.authored, so_far.imports)
            await self.trail.let_go(result.left)
            await self.trail.checked(result.findings, result.overruled)
            self.steps.checked(result)
            # a record without repairs is gone through, so that all that it lacks is told
            if not result.findings or (self.repairs.unscripted and check != self.checks.whole):
                return so_far.candidate, result
            spare = self.topic.raised(result.findings)
            mended = await self.repairs.repair(
                result.findings, so_far.made, self.steps.repair, spare=spare
            )
            if not mended and spare:
                await self.trail.let_go(result.findings)
                return so_far.candidate, replace(result, findings=())
            if not mended and (check == self.checks.whole or not self.repairs.unscripted):
                await self._refuse(result)

    async def _refuse(self, result: ProofResult) -> NoReturn:
        await self.record.close("proof-failed")
        await self.trail.ended(proven=False)
        proof = replace(result.proof, repairs=self.repairs.used)
        raise not_proven(replace(result, proof=proof))

    async def _bundled_one(self) -> tuple[Candidate, Proof]:
        """An exercise of the library, proven."""
        deps, scaffold = self.deps, self.conversation.scaffold or {}
        ready = ReadyMade(
            self.conversation,
            deps.toolchain,
            self._call,
            deps.shipped,
            deps.limit_s,
            deps.limits,
            deps.scratch,
            self.steps.proving,
            deps.strict,
        )
        bundled = self._bundled(str(scaffold.get("scaffold_id", "")))
        candidate, result = await ready.proven(bundled)
        self.advice = result.advice
        if not result.proof.ok:
            await self._refuse(result)
        return replace(candidate, solution=result.solution, accepts=result.accepts), result.proof

    async def _solve(self, request: StageRequest, about: str) -> dict[str, Any]:
        """A reference: the one for the same texts, or else from a call."""
        known = self.record.known(Role.SOLUTION, about)
        if known is None:
            number = self.record.asked(Role.SOLUTION) + 1
            self.steps.solving(early=not self.conversation.sections[Role.LESSON])
            packet = {**request.packet, "iteration": number}
            known = await self._call(replace(request, iteration=number, packet=packet))
            await self.record.keep(Role.SOLUTION, about, number, known)
        return dict(known)

    async def _answer(self, request: StageRequest) -> StageResult:
        return await self.runner.run(request, self.deps.backend)

    async def _repair(self, request: StageRequest) -> StageResult:
        await self.trail.repaired(request, result := await self._answer(request))
        return result

    async def _aside(self, request: StageRequest) -> StageResult:
        """The answer to a call of what an exercise can do without: the one for the same, or else
        from the call."""
        packet = request.packet
        told = packet["mistakes"] or [packet["files"], packet["tests"], packet["next_focus"]]
        about = json.dumps(told, sort_keys=True)
        known = self.record.known(request.role, about)
        if known is not None:
            return StageResult(request.role, accepted=True, payload=known)
        result = await self._answer(request)
        if result.accepted and result.payload is not None:
            await self.record.keep(request.role, about, request.iteration, result.payload)
        return result

    async def _knowing(self, candidate: Candidate, proof: Proof) -> tuple[Candidate, Proof]:
        """With the mistakes that a model knows of, where the topic has tags for them."""
        if not self.with_mistakes:
            return candidate, proof
        self.steps.proving("mistakes")
        found = await self.mistakes.found(candidate)
        await self.trail.note(MISTAKES_EVENT, found.data())
        counts = {unit: len(known) for unit, known in found.kept.items()}
        return replace(candidate, mistakes=found.kept), replace(proof, mistakes=counts)

    def _asking(self, candidate: Candidate) -> Asking:
        deps, made = self.deps, copy(self.conversation)
        # A repair changes them in the meantime.
        made.sections = {role: [*given] for role, given in made.sections.items()}
        how = (deps.toolchain, self._aside, deps.limits, deps.scratch)
        return Asking(candidate, made, *how)

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
        return replace(made, resumed=self.resumed, record=self.record.key, advice=self.advice)

    def _bundled(self, exercise_id: str) -> BundledExercise | None:
        if self.deps.backend.is_model:
            return None
        entry = self.deps.library.by_id(exercise_id)
        return self.deps.library.load(entry) if entry else None
