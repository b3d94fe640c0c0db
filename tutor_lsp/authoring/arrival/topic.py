"""Whether an exercise asks for the constructs that its units are about, where it can."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tutor_lsp.authoring.assembly import overlay
from tutor_lsp.authoring.model import Candidate, ProofResult
from tutor_lsp.authoring.proof.prove import executing
from tutor_lsp.authoring.proof.trial import ordered
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Proof, Unit
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import TestOutcome
from tutor_lsp.core.generation import TOPIC_EVENT
from tutor_lsp.core.ports import RunLimits, Toolchain
from tutor_lsp.core.stage import StageRequest, StageResult
from tutor_lsp.languages.practises import (
    DECLARE,
    constructs,
    forced_by,
    is_declared,
    left_out,
    uses,
)
from tutor_lsp.stages.conversation import Conversation
from tutor_lsp.stages.without import without_request

Asked = Mapping[str, tuple[str, ...]]
Ask = Callable[[StageRequest], Awaitable[StageResult]]
Note = Callable[[str, Mapping[str, Any]], Awaitable[None]]


@dataclass(slots=True)
class Topic:
    """Looks at one set-up of a model. What a solver did without is told when the tests hold; what
    they used, one call more is asked to do without, while the lesson is written.

    A construct that nothing can ask for is no finding: the learner's attempt tells of it. Neither
    is one that a repair did not bring about. `spare` says whether there is a repair for it."""

    conversation: Conversation
    toolchain: Toolchain
    ask: Ask
    note: Note
    spare: Callable[[], bool]
    limits: RunLimits
    scratch: Path | None = None
    _told: set[tuple[str, str]] = field(default_factory=set)
    _said: set[str] = field(default_factory=set)
    _begun: tuple[Candidate, Asked] | None = None
    _asking: asyncio.Task[Mapping[str, Any] | None] | None = None

    @property
    def begun(self) -> bool:
        """Whether anything was asked."""
        return self._begun is not None

    def raised(self, findings: Sequence[ProofFinding]) -> bool:
        """Whether all of these are of this, so that an exercise holds in spite of them."""
        return all(each.message in self._said for each in findings)

    def weighed(self, candidate: Candidate, result: ProofResult) -> ProofResult:
        """The result with what its reference, which passes, does without. Blocks: parses."""
        if not result.holds or result.findings:
            return result
        lacking = [
            (unit, name, self._unasked(unit, name))
            for unit in candidate.units
            for name in left_out(
                self.toolchain.language, unit, result.solution, self.toolchain.functions
            )
            if forced_by(self.toolchain.language, unit, name)
        ]
        return self._with(result, candidate, lacking)

    async def begin(self, candidate: Candidate) -> None:
        """Ask for a solution without what the units are about, if they use it and something can ask
        for it."""
        await self.end()
        asked = await asyncio.to_thread(self._wanted, candidate)
        self._begun = (candidate, asked) if asked else None
        if asked:
            self._asking = asyncio.create_task(self._answer(candidate, asked))

    async def without(self, candidate: Candidate) -> ProofResult:
        """What the tests of the exercise as it is now let pass without what their unit is about."""
        nothing = ProofResult(Proof(ok=False))
        if self._begun is None or self._asking is None:
            return nothing
        (before, asked), answer = self._begun, await self._asking
        found: list[tuple[Unit, str]] = []
        if answer is not None and answer["files"]:
            with contextlib.suppress(TutorError):  # the starter is another one by now
                found = await self._avoided(before, candidate, asked, answer)
        data = {"asked": dict(asked), "avoided": [[unit.id, name] for unit, name in found]}
        await self.note(TOPIC_EVENT, data)
        lacking = [(unit, name, self._untested(unit, name)) for unit, name in found]
        return await asyncio.to_thread(self._with, nothing, candidate, lacking)

    async def end(self) -> None:
        """Stop what is under way."""
        task, self._asking = self._asking, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def _wanted(self, candidate: Candidate) -> Asked:
        language, read = self.toolchain.language, self.toolchain.functions
        found: dict[str, tuple[str, ...]] = {}
        for unit in candidate.units:
            lacking = left_out(language, unit, candidate.solution, read)
            names = tuple(
                name
                for name in unit.practises
                if name not in lacking
                and forced_by(language, unit, name)
                and (unit.id, name) not in self._told
                and not is_declared(language, unit, name, candidate.solution, read)
            )
            if names:
                found[unit.id] = names
        return found

    async def _answer(self, candidate: Candidate, asked: Asked) -> Mapping[str, Any] | None:
        given = self.toolchain.complete({})
        tests = {p: text for p, text in candidate.under("tests").items() if p not in given}
        request = without_request(self.conversation, candidate.solution, tests, asked)
        result = await self.ask(request)
        return result.payload if result.accepted else None

    async def _avoided(
        self, before: Candidate, now: Candidate, asked: Asked, answer: Mapping[str, Any]
    ) -> list[tuple[Unit, str]]:
        language, read = self.toolchain.language, self.toolchain.functions
        other = {**before.solution, **overlay(now.under("src"), answer, self.toolchain)}
        async with executing(now, self.toolchain, self.limits, self.scratch) as executor:
            report = await executor.bench.run(executor.trial.solved(other))
        passed = {test.name for test in report.tests if test.outcome is TestOutcome.PASSED}

        def avoids(unit: Unit, name: str) -> bool:
            """Also in helpers: whoever hides it there uses it as often as before."""
            there = name not in left_out(language, unit, other, read)
            used, usual = (uses(language, name, f.values()) for f in (other, before.solution))
            return not there and used < usual

        return await asyncio.to_thread(
            lambda: [
                (unit, name)
                for unit in now.units
                if unit.tests and passed.issuperset(unit.tests)
                for name in asked.get(unit.id, ())
                if avoids(unit, name)
            ]
        )

    def _with(
        self,
        result: ProofResult,
        candidate: Candidate,
        lacking: Sequence[tuple[Unit, str, str]],
    ) -> ProofResult:
        spare = self.spare()
        found, left = list[ProofFinding](), list[ProofFinding]()
        for unit, name, said in lacking:
            declared = said.startswith(_UNASKED) and unit.kind == DECLARE
            file, line = (unit.file, unit.line) if declared else self._test(candidate, unit)
            told = ProofFinding("units", said, file, line, unit.id)
            again = (unit.id, name) in self._told
            (left if again or not spare else found).append(told)
        if spare:
            self._told.update((unit.id, name) for unit, name, _ in lacking)
            self._said.update(said for _, _, said in lacking)
        advice = (*result.advice, *left)
        return replace(result, findings=ordered(found), advice=advice, left=tuple(left))

    def _test(self, candidate: Candidate, unit: Unit) -> tuple[str | None, int | None]:
        """Where the unit's last test stands, beside which there may be another one."""
        places = dict(self._places(candidate))
        return places.get(unit.tests[-1] if unit.tests else "", (None, None))

    def _places(self, candidate: Candidate) -> Iterator[tuple[str, tuple[str, int]]]:
        for path, text in candidate.under("tests").items():
            for site in self.toolchain.tests(text):
                yield site.name, (path, site.line)

    def _unasked(self, unit: Unit, name: str) -> str:
        known = constructs(self.toolchain.language)[name]
        said = (
            f"{_UNASKED} wrote `{unit.stub}` without {known.name}, which {unit.id} is about, and "
            "passed. "
        )
        if unit.kind == DECLARE:
            return said + f"The contract is to ask for {known.one}."
        return said + self._to_test(unit, known.one)

    def _untested(self, unit: Unit, name: str) -> str:
        known = constructs(self.toolchain.language)[name]
        return (
            f"All tests of {unit.id} pass without {known.name}, which it is about. "
            f"{self._to_test(unit, known.one)}"
        )

    def _to_test(self, unit: Unit, one: str) -> str:
        last = unit.tests[-1] if unit.tests else ""
        return f"`{last}`, or a test beside it, is to fail without {one}."


_UNASKED = "A solver who had not seen the tests"
