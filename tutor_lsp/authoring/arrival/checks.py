"""The checks of starter, tests and lesson sections, each as soon as it is there."""

import asyncio
import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.authoring.arrival.made import SoFar, assembled
from tutor_lsp.authoring.arrival.plan import too_many
from tutor_lsp.authoring.merge import join_lesson
from tutor_lsp.authoring.model import ProofResult
from tutor_lsp.authoring.proof import cross_references, lesson
from tutor_lsp.authoring.proof.prove import Told, executing, prove
from tutor_lsp.authoring.proof.trial import ordered
from tutor_lsp.authoring.solving import Ask, Known, StageSolver
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON, Proof
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.ports import RunLimits, Toolchain
from tutor_lsp.core.stage import EXPAND_ROLES, Role
from tutor_lsp.stages.conversation import Conversation

_WRITTEN = (Role.STARTER, Role.TEST)


async def tools_work(toolchain: Toolchain) -> None:
    """Raises TutorError `TOOLCHAIN_MISSING` before calls are spent on an exercise that could not
    be proven here."""
    for tool in await toolchain.probe():
        if not tool.works:
            raise TutorError(
                "TOOLCHAIN_MISSING",
                f"{tool.name} is needed to check a new exercise and does not work here. "
                f"{tool.remedy or 'Install it and start again.'}",
                details={"tool": tool.name},
            )


@dataclass(slots=True)
class Checks:
    """Checks one set-up of a model. `ask` and `answered` are a solver's. Every check raises as
    `assemble`, what the solver raises, and TutorError `TOOLCHAIN_MISSING`."""

    conversation: Conversation
    toolchain: Toolchain
    ask: Ask
    answered: Known
    limit_s: float
    limits: RunLimits
    scratch: Path | None
    told: Told
    strict: bool = False

    async def starter(self, *, over: bool) -> tuple[SoFar, ProofResult]:
        """The starter, or the part of it that is there: its form, and once it is over its build."""
        return await self._proven((Role.STARTER,) if over else ())

    async def tests(self) -> tuple[SoFar, ProofResult]:
        """Starter and tests: the tests fail on the stubs as they should, and somebody who sees the
        starter alone is asked to solve it. Who does not is no finding: the lesson may say more."""
        return await self._proven(_WRITTEN)

    async def so_far(self) -> SoFar:
        """All that there is."""
        return await asyncio.to_thread(self._read, EXPAND_ROLES)

    async def whole(self) -> tuple[SoFar, ProofResult]:
        """All of it: the proof."""
        return await self._proven(EXPAND_ROLES)

    async def section(self, since: int, *, ends: bool) -> tuple[SoFar, ProofResult]:
        """The lesson's sections from `since` (0-based) on, with which it `ends` or not: length,
        links, what their programs do, and that they give no solution away."""
        self.told("lesson")
        so_far = await asyncio.to_thread(self._read, _WRITTEN, since, ends=ends)
        text = so_far.candidate.authored[LESSON]
        first = self._first_line(since)
        solution = self._solver(so_far).known() or {}
        async with executing(
            so_far.candidate, self.toolchain, self.limits, self.scratch
        ) as executor:
            found = [*cross_references.sections(executor.trial), *lesson.check_form(text, None)]
            if ends:  # before, what is linked to may still be to come
                found += cross_references.lesson_names(executor.trial)
            code, _ = await executor.lesson_code(solution, first)
            # Those of the starter come with the first section, once.
            part = first if since else 0
            given = await executor.giveaways(solution, part) if solution else ()
        mine = [each for each in found if (each.line or first) >= first]
        return so_far, ProofResult(Proof(ok=False), ordered([*mine, *given, *code]))

    async def _proven(self, there: Collection[Role]) -> tuple[SoFar, ProofResult]:
        so_far = await asyncio.to_thread(self._read, there)
        result = await prove(
            so_far.candidate,
            self.toolchain,
            known=[*so_far.index.findings, *self._unplanned(so_far)],
            depth=self.conversation.depth,
            solver=self._solver(so_far),
            limits=self.limits,
            scratch=self.scratch,
            told=self.told,
            strict=self.strict,
            there=there,
        )
        return so_far, result

    def _unplanned(self, so_far: SoFar) -> list[ProofFinding]:
        """Where the plan left the units to the starter, their number was not known before."""
        planned = (self.conversation.scaffold or {}).get("units")
        return [] if planned else too_many(len(so_far.candidate.units))

    def _read(self, there: Collection[Role], since: int = 0, *, ends: bool = True) -> SoFar:
        return assembled(self.conversation, self.toolchain, there, since=since, ends=ends)

    def _solver(self, so_far: SoFar) -> StageSolver:
        sections = [each["content"] for each in self.conversation.sections[Role.STARTER]]
        starter = hashlib.sha256(json.dumps(sections).encode()).hexdigest()
        return StageSolver(
            self.conversation,
            so_far.candidate.files,
            starter,
            self.toolchain,
            self.ask,
            self.answered,
            self.limit_s,
        )

    def _first_line(self, since: int) -> int:
        """Where the new sections of the lesson begin; mending only adds lines."""
        before = self.conversation.sections[Role.LESSON][:since]
        units = (self.conversation.scaffold or {}).get("units") or ()
        return join_lesson(before, units, "").count("\n") + 1 if before else 1
