"""Executing an exercise in every way the proof needs, independent runs in parallel."""

import asyncio
import re
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, TypeVar

from tutor_lsp.authoring.proof import (
    contradictions,
    lesson,
    literals,
    mistakes,
    reference_run,
    stable,
    unit_map,
)
from tutor_lsp.authoring.proof.kinds import repaired
from tutor_lsp.authoring.proof.mutants.trying import Found, Trying
from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.authoring.proof.wrong import Wrongs
from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, RunOutcome, TestOutcome
from tutor_lsp.core.language.dialect import Built, Tried
from tutor_lsp.core.language.variants import Variant
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.proof.bench import Bench, Lane
from tutor_lsp.languages.common.proof.dialect import AHEAD_S, OWN_CLOCK

T = TypeVar("T")
Needs = Mapping[str, tuple[str, ...]]
ELSEWHERE = "run elsewhere"
ROUNDS = 4
"""How often to build many versions as one program without those that do not build."""
TIMES, LEAST_S = 10, 1.5
"""How much longer than the reference a wrong version may take for a test, and how long at least:
a test of a millisecond can be kept waiting for as long as that."""


def patience(runs: Sequence[RawReport]) -> float:
    """How many seconds a wrong version may take for a test, after runs of the reference."""
    took = [test.duration_ms for report in runs for test in report.tests]
    return max(LEAST_S, TIMES * max(took, default=0) / 1000)


class Executor:
    """Runs one trial on a bench. Every method raises TutorError `TOOLCHAIN_MISSING`."""

    def __init__(self, trial: Trial, bench: Bench) -> None:
        """Once `with_reference` has run, `whole` is what came of wrong versions of whole files, and
        `signs` those of `Wrongs`."""
        self.trial = trial
        self.bench = bench
        self.whole: list[Found] = []
        self.signs: Sequence[ProofFinding] = ()
        self.blocks = lesson.code_blocks(trial.candidate.authored.get(LESSON, ""), trial.dialect)

    async def first_builds(self) -> tuple[Built, RawReport]:
        """The starter alone, without programs that are to be mended, and all with its tests."""
        files = self.trial.candidate.files
        tests = {unit.test_file for unit in self.trial.units}
        sound = repaired.without_programs(self.trial)
        given = {path: text for path, text in sound.items() if path not in tests}
        alone, report = await together(
            self.trial.dialect.build_starter(given, self.bench), self.bench.run(files)
        )
        return alone, report

    async def starter_build(self) -> Built:
        """The starter alone, before there are tests."""
        given = repaired.without_programs(self.trial)
        return await self.trial.dialect.build_starter(given, self.bench)

    async def reference_runs(self, solution: Files) -> list[RawReport]:
        """A run with a reference and, if it passes, more of the same if tests have their own
        processes, in the same copy, which keeps what they leave behind."""
        async with self.bench.lane() as lane:
            await lane.put(self.trial.solved(solution))
            reports = [await lane.run(keeps_files=True)]
            if reports[0].outcome is RunOutcome.PASSED and not self.trial.dialect.shares_process:
                away = self.trial.dialect.elsewhere(self.trial.solved(solution))[0]
                reports += [await lane.run(keeps_files=True) for _ in range(2, stable.RUNS)]
                reports.append(await self._away(lane, solution, away, keeps_files=True))
        return reports

    def _elsewhere(self, solution: Files) -> Sequence[Mapping[str, str]]:
        """Other surroundings for tests that share a process; those that have one each are run there
        with the reference."""
        if not self.trial.dialect.shares_process:
            return ()
        return self.trial.dialect.elsewhere(self.trial.solved(solution))

    async def _runs_elsewhere(
        self, solution: Files, surroundings: Sequence[Mapping[str, str]]
    ) -> list[RawReport]:
        """A run in each of these surroundings."""
        if not surroundings:
            return []
        async with self.bench.lane() as lane:
            await lane.put(self.trial.solved(solution))
            return [await self._away(lane, solution, each) for each in surroundings]

    async def _away(
        self,
        lane: Lane,
        solution: Files,
        around: Mapping[str, str],
        *,
        keeps_files: bool = False,
    ) -> RawReport:
        """A run in other surroundings. Code that compares times of files with the clock is right to
        fail where that is ahead, so it then runs with the clock as it is, and with files of the
        exercise that are as old as they would be."""
        report = await lane.run(keeps_files=keeps_files, around=around)
        if report.outcome is RunOutcome.PASSED:
            return report
        if not stable.reads_file_times(solved := self.trial.solved(solution)):
            return report
        await lane.age(solved, AHEAD_S)
        return await lane.run(keeps_files=keeps_files, around={**around, **OWN_CLOCK})

    async def _mixed_runs(self, solution: Files) -> list[RawReport]:
        """More runs for tests that share a process: each in another order, in one copy."""
        reports: list[RawReport] = []
        async with self.bench.lane() as lane:
            for files in await asyncio.to_thread(self._shuffled, solution):
                await lane.put(files, leave=bool(reports))
                report = await lane.run(keeps_files=True)
                if report.outcome is RunOutcome.BUILD_ERROR:  # the original order is needed to load
                    await lane.put(self.trial.solved(solution), leave=True)
                    report = await lane.run(keeps_files=True)
                reports.append(report)
        return reports

    def _shuffled(self, solution: Files) -> list[dict[str, str]]:
        if not self.trial.dialect.shares_process:
            return []
        files = self.trial.solved(solution)
        return [
            {**files, **stable.shuffled(below(files, "tests"), self.trial.toolchain, turn)}
            for turn in range(1, stable.RUNS)
        ]

    async def contradictions(self) -> list[ProofFinding]:
        """Tests that contradict themselves or each other."""
        trial = self.trial
        assumed = await asyncio.to_thread(contradictions.assume, trial)
        impossible = contradictions.among(trial)
        if assumed.tests:
            report = await self.bench.run(assumed.files, list(assumed.tests))
            impossible = [*contradictions.check(trial, assumed, report), *impossible]
        return impossible

    async def without_reference(self, stubs: RawReport) -> list[ProofFinding]:
        """Findings without a reference: values that only tests know, tests that contradict
        themselves, and tests that a neutral value passes."""
        trial, impossible = self.trial, await self.contradictions()
        found = [*reference_run.missing(trial, len(impossible)), *literals.unguessable(trial)]
        return [*found, *impossible, *await self.vacuous(trial.candidate.files, stubs)]

    async def vacuous(self, files: Files, stubs: RawReport) -> list[ProofFinding]:
        """Tests that pass although their stub returns only a neutral value, except those that
        pass on the stubs anyway, and definitions that solve a stub."""
        told = await asyncio.to_thread(self._told, stubs)
        wrongs = Wrongs(self.trial, files, told)
        variants = await asyncio.to_thread(
            lambda: [*wrongs.neutral(), *wrongs.giveaways(self.blocks)]
        )
        judged, _ = wrongs.judge(await self._apart(variants, wrongs), ())
        return judged

    async def with_reference(
        self, solution: Files, stubs: RawReport, runs: Sequence[RawReport]
    ) -> tuple[list[ProofFinding], Needs, list[RawReport]]:
        """Stability, unit map, vacuous tests and giveaways for a passing reference: findings,
        needs, and all its runs. `stubs` is the run on the stubs, `runs` are the reference's
        runs so far.

        Versions that fit into one program run as one, in the first of the other surroundings; if
        that has any findings, each version is run in its own copy instead.
        """
        told = await asyncio.to_thread(self._told, stubs)
        wrongs = Wrongs(self.trial, self.trial.solved(solution), told, [stubs])
        variants = await asyncio.to_thread(wrongs.all, self.blocks)
        mixed = await asyncio.to_thread(self._shuffled, solution)
        again = [Variant(f"run {turn}", files) for turn, files in enumerate(mixed, start=2)]
        surroundings = await asyncio.to_thread(self._elsewhere, solution)
        here, others = surroundings[:1], surroundings[1:]
        moved = [Variant(ELSEWHERE, self.trial.solved(solution)) for _ in here]
        merged, elsewhere = await together(
            self._merged(solution, variants, [*again, *moved], next(iter(here), None)),
            self._runs_elsewhere(solution, others),
        )
        if merged is not None:
            more = [merged[each.key] for each in again if each.key in merged]
            first = [merged[each.key] for each in moved if each.key in merged]
            rest = [each for each in variants if each.key not in merged]
            apart = await self._apart(rest, wrongs)
            reports = {**merged, **apart}
            found, needs = wrongs.judge(reports, [*runs, *more], [*first, *elsewhere])
            self.whole, self.signs = wrongs.whole(apart), wrongs.signs
            if not found:
                return found, needs, [*runs, *more]
        more, apart, first = await together(
            self._mixed_runs(solution),
            self._apart(variants, wrongs),
            self._runs_elsewhere(solution, here),
        )
        elsewhere = [*first, *elsewhere]
        found, needs = wrongs.judge(apart, [*runs, *more], elsewhere)
        self.whole, self.signs = wrongs.whole(apart), wrongs.signs
        return found, needs, [*runs, *more]

    async def known_mistakes(
        self, solution: Files, runs: Sequence[RawReport]
    ) -> list[ProofFinding]:
        """Findings against the known mistakes, which run in place of the reference; `runs` are its
        own."""
        trial = self.trial
        if not trial.candidate.mistakes:
            return []
        solved = trial.solved(solution)
        texts = await asyncio.to_thread(lambda: list(mistakes.check_texts(trial, solved)))
        test_s = min(self.bench.limits.test_s, patience(runs))
        reports = await self.mistakes_alone(solution, test_s)
        return [*texts, *mistakes.check(trial, reports)]

    async def mistakes_alone(
        self, solution: Files, test_s: float | None = None
    ) -> dict[str, RawReport]:
        """The report of each known mistake by its key. One that is not to build runs alone, as does
        one that shows a fault beside others. `test_s` is how long a test may take; where one of an
        earlier unit is out of it, which the machine may have kept waiting, all have a reference's
        time."""
        trial = self.trial
        solved, unbuilt = trial.solved(solution), mistakes.unbuilt(trial)
        variants = await asyncio.to_thread(lambda: list(mistakes.variants(trial, solved)))
        building = [each for each in variants if each.key not in unbuilt]
        merged = await self._merged(solution, building, (), test_s=test_s) or {}
        bad = {each.key for each in mistakes.judged(trial, merged) if each.said}
        alone = [each for each in variants if each.key in bad]
        apart = await self._apart(alone, test_s=test_s)
        late = mistakes.late(trial, apart) if test_s is not None else set()
        again = await self._apart([each for each in alone if each.key in late])
        return {**merged, **apart, **again}

    async def mutants(
        self, solution: Files, accepts: Mapping[str, str], *, values_only: bool = False
    ) -> list[Found]:
        """What came of wrong versions of the reference that code makes, or of values alone; none
        where the language has no way to make them."""
        mutations = self.trial.dialect.mutations
        if mutations is None:
            return []
        solved = self.trial.solved(solution)
        trying = Trying(self.trial, solved, accepts, mutations, values_only=values_only)
        return await trying.run(self.bench)

    async def _merged(
        self,
        solution: Files,
        variants: Sequence[Variant],
        again: Sequence[Variant],
        around: Mapping[str, str] | None = None,
        test_s: float | None = None,
    ) -> dict[str, RawReport] | None:
        """The reports of all versions that fit into one program, by key; None if that fails.
        Without those that do not build: a compiler does not report everything at once."""
        trial, solved = self.trial, self.trial.solved(solution)
        left = [each for each in variants if each.unit is None or each.unit.aside is None]
        for _ in range(ROUNDS):
            merged = await asyncio.to_thread(
                trial.dialect.merge, solved, left, again, trial.toolchain
            )
            if merged is None:
                return None
            report = await self.bench.run(
                merged.files, merged.tests, around=around, plain=True, test_s=test_s
            )
            broken = merged.broken(report)
            if not broken:
                return merged.split(report)
            left = [each for each in left if each.key not in broken]
        return None

    async def _apart(
        self,
        variants: Sequence[Variant],
        wrongs: Wrongs | None = None,
        test_s: float | None = None,
    ) -> dict[str, RawReport]:
        """Each variant in its own copy; with `wrongs` also those that these runs leave open."""
        runs = (self.bench.run(each.files, each.tests, test_s=test_s) for each in variants)
        reports = await together(*runs)
        found = {each.key: report for each, report in zip(variants, reports, strict=True)}
        if wrongs is not None and (more := wrongs.unsettled(found)):
            found |= await self._apart(more)
        return found

    def _told(self, stubs: RawReport) -> frozenset[str]:
        """Tests already known not to test their stub."""
        passed = {test.name for test in stubs.tests if test.outcome is TestOutcome.PASSED}
        return unit_map.foreign(self.trial, [stubs]) | passed

    async def giveaways(self, solution: Files, since: int = 0) -> list[ProofFinding]:
        """Code in lesson and starter that solves a stub; from a line of the lesson on, in that
        part of it alone."""
        wrongs = Wrongs(self.trial, self.trial.solved(solution), ())
        variants = await asyncio.to_thread(wrongs.giveaways, self.blocks, since)
        return wrongs.given(await self._apart(variants)) if variants else []

    async def lesson_code(
        self, solution: Files, since: int = 1
    ) -> tuple[list[ProofFinding], Mapping[str, int]]:
        """Try every lesson block that can be built, from a line on. Without a solution, those that
        use the exercise are left for later."""
        trial = self.trial
        blocks = [block for block in self.blocks if block.line >= since]
        if not solution:
            own = re.compile(rf"\b(?:exercise|{'|'.join(map(re.escape, trial.stubs))})\b")
            headers = [path.removeprefix("src/") for path in trial.candidate.under("src")]
            blocks = [
                block
                for block in blocks
                if not own.search(block.code) and not any(name in block.code for name in headers)
            ]
        chosen = await asyncio.to_thread(lesson.to_try, blocks, trial.dialect)
        tried: Sequence[Tried] = ()
        if chosen:
            codes = [block.code for block in chosen]
            tried = await trial.dialect.try_blocks(codes, trial.solved(solution), self.bench)
        tried_by = dict(zip(chosen, tried, strict=True))
        return lesson.check_blocks(blocks, tried_by, trial.dialect, trial.solved(solution))


async def together(*work: Coroutine[Any, Any, Any]) -> list[Any]:
    """Run all in parallel; the first failure cancels the others and is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(each) for each in work]
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]
