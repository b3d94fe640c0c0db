"""The ten steps in their order, on working copies in which the exercise is executed."""

import asyncio
import contextlib
from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Iterator,
    Mapping,
    Sequence,
)
from datetime import UTC, datetime
from pathlib import Path

from tutor_lsp.authoring.domain.looking import Looked, look
from tutor_lsp.authoring.model import Candidate, ProofResult
from tutor_lsp.authoring.predict.checks import check_reference
from tutor_lsp.authoring.predict.traces import check_traces
from tutor_lsp.authoring.proof import (
    LIMITS,
    builds,
    cross_references,
    domain,
    lesson,
    literals,
    reference_run,
    shape,
    stable,
    stubs,
    unit_map,
)
from tutor_lsp.authoring.proof.executor import Executor, together
from tutor_lsp.authoring.proof.kinds import programs, repaired
from tutor_lsp.authoring.proof.mutants.judging import figures, judged
from tutor_lsp.authoring.proof.mutants.trying import Found
from tutor_lsp.authoring.proof.trial import ordered, trial_of
from tutor_lsp.authoring.solving import StageSolver
from tutor_lsp.core.exercise.exercise import LESSON, Proof, asides
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, RunOutcome, TestOutcome
from tutor_lsp.core.ports import RunLimits, Toolchain
from tutor_lsp.core.stage import EXPAND_ROLES, Role
from tutor_lsp.languages.common.programs.asked import asked
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.practises import constructs, left_out
from tutor_lsp.languages.registry import dialect
from tutor_lsp.process.scratch import scratch_folder

Told = Callable[[str], None]


async def prove(
    candidate: Candidate,
    toolchain: Toolchain,
    *,
    known: Sequence[ProofFinding] = (),
    depth: str | None = None,
    solver: StageSolver | None = None,
    limits: RunLimits = LIMITS,
    scratch: Path | None = None,
    told: Told | None = None,
    mutants: bool = True,
    strict: bool = False,
    there: Collection[Role] = EXPAND_ROLES,
) -> ProofResult:
    """Execute an exercise in temporary copies, in the ten steps of the proof.

    It passes if no step has findings and there were none before (`known`). If the candidate has
    no reference, `solver` writes one, blind at first, unless there are findings already; the
    result's `solution` has it. Rules on the words and targets of tests count against those that it
    did not pass, and against all without a solver. `there` are the loops that are over: without
    the lesson's, only what can be known before is checked, and a solver who does not pass tells
    nothing against what the lesson may still say. `depth`
    (D1–D3) limits the lesson. `told` is called with the name of each step as it begins. `scratch`
    is where the copies go (default: the system's temporary folder); they are always removed. Raises
    TutorError `TOOLCHAIN_MISSING`, and what the solver raises.

    With `mutants`, code makes wrong versions of the reference; with `strict`, one that passes all
    tests is a finding if an input tells it apart, otherwise advice.
    """
    async with executing(candidate, toolchain, limits, scratch) as executor:
        proof = _Proof(executor, solver, depth, told or (lambda _: None))
        proof.mutants, proof.strict, proof.there = mutants, strict, there
        return await proof.run(known)


@contextlib.asynccontextmanager
async def executing(
    candidate: Candidate, toolchain: Toolchain, limits: RunLimits, scratch: Path | None
) -> AsyncIterator[Executor]:
    """What runs a candidate, in copies that are removed afterwards."""
    trial = await asyncio.to_thread(
        lambda: trial_of(candidate, toolchain, dialect(candidate.language))
    )
    async with scratch_folder("proof", scratch) as folder:
        aside = asides(trial.units, trial.candidate.files)
        tests = asked(trial.units, candidate.files, candidate.programs, toolchain)
        yield Executor(trial, Bench(toolchain, folder, limits, aside=aside, asked=tests))


def _of_the_author(found: Sequence[ProofFinding], made: Candidate) -> list[ProofFinding]:
    """The findings without those in a file that was only made in place of one that is missing:
    where that is told, they follow from it, and else that is what is told."""
    lacking = {f for f in made.files if f.startswith(("src/", "tests/"))} - made.authored.keys()
    told = any(each.step == "shape" for each in found)
    kept: list[ProofFinding] = []
    for each in found:
        if each.file not in lacking or each.step == "shape":
            kept.append(each)
        elif not told:
            said = f"{each.file} was never written, and cannot be made from the other files."
            kept.append(ProofFinding("shape", said, each.file, None, each.unit, each.message))
    return kept


class _Proof:
    def __init__(
        self, executor: Executor, solver: StageSolver | None, depth: str | None, told: Told
    ) -> None:
        self._executor = executor
        self._trial = trial = executor.trial
        self._solver, self._depth, self._told = solver, depth, told
        self._found: list[ProofFinding] = []
        self._builds = False
        self._stubs: RawReport | None = None
        self._runs: list[RawReport] = []
        self._solution: Mapping[str, str] = trial.candidate.solution
        self._accepts: Mapping[str, str] = trial.candidate.accepts
        self._looked: Mapping[str, Looked] = {}
        self._needs: Mapping[str, tuple[str, ...]] = {}
        self._blocks: Mapping[str, int] = {"run": 0, "ok": 0}
        self.mutants, self.strict = True, False
        self._mutants: Sequence[Found] = ()
        self._advice: list[ProofFinding] = []
        self._signs: list[ProofFinding] = []
        self._overruled: Sequence[ProofFinding] = ()
        self._blind: RawReport | None = None
        self.there: Collection[Role] = EXPAND_ROLES

    async def run(self, known: Sequence[ProofFinding]) -> ProofResult:
        self._told("shape")
        self._found = [*known, *await asyncio.to_thread(self._read)]
        if Role.TEST not in self.there:
            await self._starter()
        elif shape.executable(self._trial):
            await self._execute()
        self._weigh()
        findings = ordered(_of_the_author(self._found, self._trial.candidate))
        return ProofResult(
            self._figures(not findings),
            findings,
            dict(self._solution),
            dict(self._accepts),
            ordered(self._advice),
            ordered(self._overruled),
            holds=self._holds(),
        )

    def _read(self) -> list[ProofFinding]:
        """Findings from the texts alone."""
        trial, there = self._trial, self.there
        found = [*shape.check(trial, there), *cross_references.check(trial, there)]
        if Role.TEST in there:
            found += programs.check(trial)
            self._signs += cross_references.of_words(trial)
        if Role.LESSON in there:
            found += lesson.check_form(trial.candidate.authored.get(LESSON, ""), self._depth)
        if not shape.executable(trial):
            found += builds.unreadable(shape.unreadable(trial))
        return found

    async def _starter(self) -> None:
        """What a build says of the starter before there are tests; of a part that others follow
        it says too little to be taken for it."""
        self._found += await asyncio.to_thread(lambda: list(stubs.written(self._trial)))
        if Role.STARTER in self.there and self._trial.candidate.under("src"):
            self._told("builds")
            alone = await self._executor.starter_build()
            self._found += builds.of_starter(alone)
            self._builds = not alone.errors

    def _weigh(self) -> None:
        """Signs are findings where somebody who had not seen the tests did not pass, or nobody
        tried."""
        if self._solver is None:
            self._found += self._signs
        elif self._blind is not None:
            count = self._counting()
            self._found += count
            self._overruled = [sign for sign in self._signs if sign not in count]

    def _counting(self) -> list[ProofFinding]:
        """The signs that speak of a test which somebody failed who had not seen it."""
        tests = self._blind.tests if self._blind is not None else ()
        failed = {test.name for test in tests if test.outcome is not TestOutcome.PASSED}
        return [sign for sign in self._signs if _speaks_of(sign, failed)]

    def _holds(self) -> bool:
        stubs, runs = self._stubs, self._runs
        return stubs is not None and bool(runs) and reference_run.holds(runs[0], stubs)

    async def _execute(self) -> None:
        trial, executor = self._trial, self._executor
        self._told("builds")
        if self._solution:
            (alone, report), self._runs = await together(
                executor.first_builds(), executor.reference_runs(self._solution)
            )
        else:
            alone, report = await executor.first_builds()
        self._stubs = report
        mended = self._runs[0] if repaired.units(trial) and self._runs else None
        self._found += builds.check(alone, report, mended)
        self._builds = not alone.errors and report.outcome is not RunOutcome.BUILD_ERROR
        unsolved = not self._solution and self._solver is not None
        # whatever still runs is checked, but the solver is not called
        if report.outcome is RunOutcome.BUILD_ERROR or (unsolved and not self._builds):
            self._told("lesson")
            self._found += unit_map.compared(trial)
            self._signs += unit_map.targets(trial)
            await self._lesson()
            return
        self._told("stubs")
        self._found += [*stubs.check(trial, report), *unit_map.compared(trial)]
        self._found += stable.unsure(trial)
        self._told("reference")
        if not self._solution and self._solver is None:
            found, _ = await together(executor.without_reference(report), self._lesson())
            self._found += found
            self._signs += unit_map.targets(trial, [report])
            return
        holds = await self._reference(report)
        self._found += await programs.run(trial, executor.bench, self._solution)
        self._told("units")
        if holds:
            self._found += await check_traces(trial, executor.bench, self._solution)
            (found, self._needs, self._runs), _, _, _ = await together(
                executor.with_reference(self._solution, report, self._runs),
                self._lesson(),
                self._domains(),
                self._wrong_versions(),
            )
            self._signs += executor.signs
            self._judge_versions()
            self._advice += self._avoidable()
            self._told("mistakes")
            self._found += await executor.known_mistakes(self._solution, self._runs)
        else:
            solved = trial.solved(self._solution)
            found, _ = await together(self._vacuous(solved, report), self._lesson())
            self._signs += unit_map.targets(trial, [report])
        self._found += found

    async def _reference(self, report: RawReport) -> bool:
        """Find a reference that passes; returns whether there is one."""
        trial = self._trial
        if self._solution:
            self._found += reference_run.check(trial, self._runs[0], report)
            self._found += repaired.check_reference(trial, self._solution)
            self._found += literals.unguessable(trial)
            self._found += await asyncio.to_thread(check_reference, trial, self._solution)
        else:
            await self._solve()
        return self._holds()

    async def _solve(self) -> None:
        """A solver's reference: the one that was written before there was a lesson, if it passes;
        else another, if nothing else is wrong."""
        if self._solver is None:
            return
        known = self._solver.known()
        if known is not None:
            await self._try(known)
        if not self._holds() and not self._found and Role.LESSON in self.there:
            found, _ = await self._executor.lesson_code({})
            self._found += found
        if self._holds() or self._found or self._counting():
            if (
                not self._holds() and Role.LESSON in self.there
            ):  # what is told at last is told whole
                self._found += await self._executor.contradictions()
            return
        if known is None or Role.LESSON in self.there:
            await self._try(await self._solver.blind())
            if (
                self._runs[0].outcome is RunOutcome.BUILD_ERROR
            ):  # which says nothing of the contract
                await self._try(await self._solver.blind(self._runs[0]))
        blind = self._runs[0]
        if self._holds():
            return
        if Role.LESSON in self.there:
            await self._try(await self._solver.informed(blind))
            self._blind = blind
            stubs = self._stubs or blind
            self._found += reference_run.check(self._trial, self._runs[0], stubs, blind)
        else:
            failed = {t.name for t in blind.tests if t.outcome is not TestOutcome.PASSED}
            told = await self._executor.contradictions()
            self._found += [each for each in told if _speaks_of(each, failed)]
        self._signs += literals.unguessable(self._trial)

    async def _try(self, solution: Mapping[str, str]) -> None:
        self._solution, self._accepts = solution, self._solver.accepts if self._solver else {}
        self._runs = await self._executor.reference_runs(solution)
        self._blind = self._runs[0]

    async def _vacuous(
        self, solved: Mapping[str, str], report: RawReport
    ) -> Sequence[ProofFinding]:
        if not self._runs and Role.LESSON not in self.there:
            return ()  # it is known soon, and for less, with a reference
        return await self._executor.vacuous(solved, report)

    async def _domains(self) -> None:
        """Domains that came with the exercise must pass; failing ones that came with a solver's
        reference are dropped, because they do not concern the learner."""
        if Role.LESSON not in self.there:
            return
        accepts = self._accepts
        trial, solved = self._trial, self._trial.solved(self._solution)
        bench = self._executor.bench
        looked = await look(bench, solved, trial.units, accepts, trial.dialect.grammar)
        found = domain.check(self._trial, looked)
        if self._solver is None:
            self._found += [*domain.stray(self._trial), *found]
        wrong = {finding.unit for finding in found}
        self._accepts = {u: accepts[u] for u in looked if u not in wrong}
        self._looked = {u: each for u, each in looked.items() if u in self._accepts}

    async def _wrong_versions(self) -> None:
        """All of them at the end. Before, those that only return a value, which are findings."""
        if self.mutants:
            early = Role.LESSON not in self.there
            self._mutants = await self._executor.mutants(
                self._solution, self._accepts, values_only=early
            )

    def _judge_versions(self) -> None:
        if self.mutants:
            tried = {each.unit.id for each in self._mutants if each.tried}
            whole = (each for each in self._executor.whole if each.unit.id not in tried)
            self._mutants = [*self._mutants, *whole]
            found, self._advice = judged(self._mutants, self._accepts, strict=self.strict)
            self._found += found

    def _avoidable(self) -> Iterator[ProofFinding]:
        """Constructs without which a solver passed, so that the exercise does not ask for them."""
        trial = self._trial
        for unit in trial.units if self._solver is not None else ():
            read = trial.toolchain.functions
            for name in left_out(trial.dialect.language, unit, self._solution, read):
                said = (
                    f"A solver who had not seen the tests wrote `{unit.stub}` without "
                    f"{constructs(trial.dialect.language)[name].name}, which {unit.id} is about."
                )
                yield trial.at_stub("units", said, unit)

    async def _lesson(self) -> None:
        if Role.LESSON not in self.there:
            return
        found, self._blocks = await self._executor.lesson_code(self._solution)
        self._found += found

    def _figures(self, ok: bool) -> Proof:
        tests = self._stubs.tests if self._stubs else ()
        first = self._runs[0].tests if self._runs else ()
        fails = repaired.fails(self._trial, self._stubs)
        failing = {name for names in fails.values() for name in names}
        return Proof(
            ok=ok,
            builds=self._builds,
            tests=len(tests),
            fail_on_stub=sum(stubs.failed(test) or test.name in failing for test in tests),
            pass_on_reference=sum(test.outcome is TestOutcome.PASSED for test in first),
            stable_runs=stable.runs_alike(self._runs),
            unit_map={unit.id: unit.tests for unit in self._trial.units},
            needs=self._needs,
            codes=stubs.codes(self._trial, self._stubs),
            fails=fails,
            lesson_blocks=self._blocks,
            mistakes={u: len(known) for u, known in self._trial.candidate.mistakes.items()},
            mutants=figures(self._mutants),
            accepts={u: {"tried": s.tried, "taken": s.taken} for u, s in self._looked.items()},
            at=datetime.now(UTC).isoformat(timespec="seconds"),
        )


def _speaks_of(finding: ProofFinding, tests: Collection[str]) -> bool:
    return any(f"`{name}`" in finding.message for name in tests)
