"""Trying all wrong versions of an exercise in one program."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tutor_lsp.authoring.proof.mutants.choice import (
    MOST,
    Mutant,
    constant_versions,
    mutants,
    parts,
)
from tutor_lsp.authoring.proof.mutants.inputs import Inputs, inputs
from tutor_lsp.authoring.proof.mutants.values import plain_versions
from tutor_lsp.authoring.proof.trial import EXECUTED, Trial
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import BuildError, RawReport, RunOutcome
from tutor_lsp.core.language.guards import NoGuard
from tutor_lsp.core.language.mutants import Mutations, Program, Tries
from tutor_lsp.languages.common.proof.bench import Bench

ROUNDS = 8
"""How often to remove what does not build: a compiler does not report everything at once."""
TEST_S, IN_ALL_S = 60.0, 180.0
"""Time limits for all versions together, in seconds."""
OUTPUT_BYTES = 1024 * 1024
NO_RESULT = "no result"
_MARKS = re.compile(r"^tutor-mutants (\S+) ([a-z]*)$", re.MULTILINE)
_ALIKE = re.compile(r"^tutor-alike (\d+) (\d+)$", re.MULTILINE)
_APART = re.compile(r"^tutor-apart (\d+) (\d+) (\d+)\t([^\t\n]*)\t([^\t\n]*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Difference:
    """An input on which a version that passes all tests differs: what is looked at, the lines of
    the test that lead to it, what the reference gives there and what the version."""

    call: str
    before: tuple[str, ...]
    wanted: str
    given: str


@dataclass(frozen=True, slots=True)
class Survivor:
    """A version that passes all tests of its unit. `inputs` is on how many inputs it was compared;
    without a difference it is equivalent, unless there were none."""

    mutant: Mutant
    inputs: int = 0
    difference: Difference | None = None


@dataclass(slots=True)
class Found:
    """What came of the versions of one unit; `why` says in one sentence why there was none."""

    unit: Unit
    why: str = ""
    tried: int = 0
    killed: int = 0
    survivors: list[Survivor] = field(default_factory=list)

    @property
    def equivalent(self) -> int:
        """How many are like the reference on every input."""
        return sum(each.difference is None and each.inputs > 0 for each in self.survivors)


def marks_of(report: RawReport) -> dict[str, str]:
    """A letter for each version of a unit, in order, by the unit's id."""
    output = "\n".join(test.output for test in report.tests)
    return dict(_MARKS.findall(output))


def broken_in(program: Program, errors: Sequence[BuildError]) -> set[int]:
    """The versions that do not build."""
    wrong = {(error.file, error.line) for error in errors}
    return {
        number
        for number, place in program.places.items()
        for file, line in wrong
        if file == place.file and place.first <= line <= place.last
    }


@dataclass(slots=True)
class _Job:
    """`unit` is a part of `owner`, or it."""

    owner: Unit
    unit: Unit
    bodies: dict[int, Mutant]
    inputs: Inputs
    uncounted: frozenset[int] = frozenset()

    def tries(self) -> Tries:
        bodies = {number: each.body for number, each in self.bodies.items()}
        watched = [each.watched for each in self.inputs.seen]
        return Tries(self.unit, bodies, watched, self.inputs.cases, self.is_part)

    @property
    def is_part(self) -> bool:
        return self.unit is not self.owner


class Trying:
    """The versions of all units that have functions; with `values_only` those alone that only
    return a value."""

    def __init__(
        self,
        trial: Trial,
        solved: Mapping[str, str],
        accepts: Mapping[str, str],
        mutations: Mutations,
        *,
        values_only: bool = False,
    ) -> None:
        self._trial, self._solved, self._mutations = trial, solved, mutations
        self._values_only = values_only
        self._jobs: list[_Job] = []
        self._accepts = accepts

    async def run(self, bench: Bench) -> list[Found]:
        """Everything that was found. Raises TutorError `TOOLCHAIN_MISSING`."""
        program = await asyncio.to_thread(self._begin)
        if program is None:
            return []
        limits = replace(
            bench.limits, test_s=TEST_S, total_s=IN_ALL_S, output_bytes=OUTPUT_BYTES, plain=True
        )
        report = RawReport(RunOutcome.NOT_RUN)
        for _ in range(ROUNDS):
            async with bench.lane() as lane:
                await lane.put(program.files)
                report = await bench.toolchain.run(
                    lane.folder, tests=list(program.tests), limits=limits
                )
            if report.outcome in EXECUTED:
                return self._found(report)
            mended = await self._mended(program, report.build_errors, bench)
            if mended is None:
                break
            program = mended
        first = report.build_errors[0].labelled if report.build_errors else report.reason
        why = f"Wrong versions could not be tried: {first or report.outcome.value}."
        return [Found(job.unit, why) for job in self._jobs if not job.is_part]

    async def _mended(
        self, program: Program, errors: Sequence[BuildError], bench: Bench
    ) -> Program | None:
        """The program without what does not build; None if that is not known."""
        changed = await asyncio.to_thread(self._without_broken, program, errors)
        for _ in range(ROUNDS if changed is not None else 0):
            program = changed or program
            errors = await self._trial.dialect.check(program.files, bench)
            if (changed := await asyncio.to_thread(self._without_broken, program, errors)) is None:
                return program
        return None

    def _begin(self) -> Program | None:
        number = 1
        given = (self._trial, self._solved)
        for owner in self._trial.units:
            pieces = parts(*given, owner)
            for unit in pieces:
                most, alone = MOST // len(pieces), unit is owner
                if self._values_only:
                    made = constant_versions(*given, unit, self._mutations) if alone else []
                else:
                    made = mutants(*given, unit, self._mutations, most, valued=alone)
                plain = plain_versions(*given, unit, self._mutations, made) if alone else []
                counted = len(made)
                made += plain
                if made:
                    bodies = dict(enumerate(made, start=number))
                    number += len(made)
                    mine = inputs(*given, unit, self._mutations)
                    uncounted = frozenset([*bodies][counted:])
                    self._jobs.append(_Job(owner, unit, bodies, mine, uncounted))
        return self._program() if self._jobs else None

    def _program(self) -> Program:
        tries = [job.tries() for job in self._jobs]
        tools = self._trial.toolchain
        try:
            return self._mutations.program(self._solved, tries, self._accepts, tools)
        except NoGuard:
            self._accepts = {}
            return self._mutations.program(self._solved, tries, {}, tools)

    def _without_broken(self, program: Program, errors: Sequence[BuildError]) -> Program | None:
        """The program without what does not build; None if there is nothing of that kind."""
        wrong = {(error.file, error.line) for error in errors}
        broken = broken_in(program, errors)
        some = False
        for job in self._jobs:
            before = len(job.bodies)
            job.bodies = {n: each for n, each in job.bodies.items() if n not in broken}
            some |= len(job.bodies) < before
        for (unit, at), place in sorted(program.watched.items(), reverse=True):
            lines = sorted(
                line - place.first
                for file, line in wrong
                if file == place.file and place.first <= line <= place.last
            )
            if lines:
                some = True
                job = next(each for each in self._jobs if each.unit.id == unit)
                job.inputs = job.inputs.without(at, lines, self._mutations)
        return self._program() if some else None

    def _found(self, report: RawReport) -> list[Found]:
        output = "\n".join(test.output for test in report.tests)
        marks = marks_of(report)
        alike = {int(number): int(count) for number, count in _ALIKE.findall(output)}
        apart = {
            int(number): (int(case), int(record), wanted, given)
            for number, case, record, wanted, given in _APART.findall(output)
        }
        found: dict[str, Found] = {}
        for job in self._jobs:
            mine = found.setdefault(job.owner.id, Found(job.owner))
            self._add(mine, job, marks.get(job.unit.id, ""), alike, apart)
        return list(found.values())

    def _add(
        self,
        found: Found,
        job: _Job,
        marks: str,
        alike: Mapping[int, int],
        apart: Mapping[int, tuple[int, int, str, str]],
    ) -> None:
        if not marks and job.bodies and not job.is_part:
            found.why = f"Wrong versions of `{job.unit.stub}` cannot be tried in one program."
        for mark, (number, mutant) in zip(marks, job.bodies.items(), strict=False):
            found.tried += number not in job.uncounted
            if mark == "k":
                found.killed += number not in job.uncounted
            elif number in apart:
                case, record, wanted, given = apart[number]
                if given.startswith(NO_RESULT) and job.inputs.records(case) > 1:
                    record, wanted = 0, "one"  # at which of them it ended is not known
                call, before = job.inputs.told(case, record)
                difference = Difference(call, before, wanted, given)
                found.survivors.append(Survivor(mutant, case + 1, difference))
            else:
                found.survivors.append(Survivor(mutant, alike.get(number, 0)))
