"""Running an exercise with units that ask for tests: what a learner wrote there is run on the
program that is given as all tests are, and then on each hidden one, in a copy of its own.

What is guaranteed:
- No text, output or value of a hidden program is in a result: only the names and lines of the
  learner's own tests, and inputs that an author chose.
- A copy keeps its build, so only what the learner wrote is built again.
- At most `AT_ONCE` of them run at the same time; cancelling ends all.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tutor_lsp.core.exercise.report import (
    NO_TESTS,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
)
from tutor_lsp.core.exercise.snapshot import text_hash
from tutor_lsp.core.ports import Early, Files, RunLimits, Toolchain
from tutor_lsp.core.session import WrongProgram
from tutor_lsp.languages.common.apart import NOT_FOUND
from tutor_lsp.languages.common.programs.asked import Asked, ProgramRuns, Results
from tutor_lsp.languages.common.programs.verdict import Verdicts, accepts, catches, says_nothing
from tutor_lsp.languages.common.proof.placing import put_files
from tutor_lsp.languages.common.toolchain import Heard

AT_ONCE = 2
HANGS_S = 2.0
"""How long a test may take on a mistake at least before that counts as caught, in seconds."""
HANGS_TIMES = 20
"""How much longer than the slowest test on the right programs, which ran under the same load."""
_EXECUTED = frozenset({RunOutcome.PASSED, RunOutcome.FAILED})


class AskedRun:
    """A toolchain's `run` for an exercise that has such units."""

    def __init__(
        self,
        toolchain: Toolchain,
        run: Callable[..., Awaitable[RawReport]],
        units: Sequence[Asked],
        runs: ProgramRuns,
    ) -> None:
        self._toolchain = toolchain
        self._run = run
        self._units = units
        self._runs = runs

    async def __call__(
        self,
        workspace: Path,
        *,
        tests: Sequence[str] | None = None,
        limits: RunLimits | None = None,
        targets: Mapping[str, str] | None = None,
        early: Early | None = None,
    ) -> RawReport:
        """As `Toolchain.run`; the learner's own tests are in no result."""
        texts = await asyncio.to_thread(_texts, workspace, self._units)
        mine = {
            unit.file: {site.name for site in self._toolchain.tests(texts.get(unit.file, ""))}
            for unit in self._units
        }
        wanted = [u for u in self._units if tests is None or set(u.names) & set(tests)]
        stubs = {name: unit.stub for unit in self._units for name in mine[unit.file]}
        heard = Heard(early, {name for unit in self._units for name in unit.names})
        raw = await self._run(
            workspace,
            tests=None if tests is None else [*tests, *_all(mine[u.file] for u in wanted)],
            limits=limits,
            targets={**stubs, **(targets or {})},
            early=heard.early,
        )
        others = [test for test in raw.tests if not _is_of(test, mine)]
        if not (raw.outcome in _EXECUTED or raw.reason in (NO_TESTS, NOT_FOUND)):
            return replace(raw, tests=tuple(others))
        heard.tell(others)
        found = [
            result
            for unit in wanted
            for result in await self._verdict(unit, texts, raw, limits or RunLimits())
            if tests is None or result.name in tests
        ]
        names = {test.name for test in found}
        every = (*(test for test in others if test.name not in names), *found)
        if not every:
            return replace(raw, tests=())
        green = all(t.outcome in (TestOutcome.PASSED, TestOutcome.NOT_RUN) for t in every)
        outcome = RunOutcome.PASSED if green else RunOutcome.FAILED
        return replace(raw, outcome=outcome, reason=None, tests=every)

    async def _verdict(
        self, unit: Asked, texts: Files, raw: RawReport, limits: RunLimits
    ) -> Results | tuple[RawTest, ...]:
        told = Verdicts(unit.stub, unit.file)
        broken = [test for test in raw.tests if test.name in unit.names and test.broken]
        if broken:  # also a file that is gone, which the report says itself
            return told.not_built(broken[0].broken) if broken[0].broken else ()
        own = [test for test in raw.tests if _is_in(test, unit.file)]
        if all(test.outcome is TestOutcome.NOT_RUN for test in own):
            return told.none_found()
        for test in own:
            if test.outcome not in (TestOutcome.PASSED, TestOutcome.NOT_RUN):
                why = self._toolchain.explain(test, texts, [unit.stub])
                return told.refuses_given(test, why)
        if not unit.programs.wrong:
            return told.not_tried()
        key = text_hash({**unit.base, unit.file: texts[unit.file], "": repr(unit.programs)})
        results = self._runs.known(key)
        if results is None:
            results, sure = await self._tried(unit, told, texts[unit.file], limits)
            if sure:
                self._runs.keep(key, results)
        return results

    async def _tried(
        self, unit: Asked, told: Verdicts, tests: str, limits: RunLimits
    ) -> tuple[Results, bool]:
        """The verdict, and whether another run would come to the same: none took too long."""
        slots = asyncio.Semaphore(AT_ONCE)
        async with self._runs.place() as folder:

            async def one(text: str, limits: RunLimits) -> RawReport:
                async with slots:
                    return await self._on(folder, unit, text, tests, limits)

            right = await _together(one(text, limits) for text in unit.programs.right)
            unknown = next(filter(says_nothing, right), None)
            if unknown is not None:
                return told.unknown(unknown), False
            refused = next((report for report in right if not accepts(report)), None)
            if refused is not None:
                return told.refuses_right(refused), not _slow([refused])
            short = replace(limits, test_s=min(limits.test_s, _hangs_s(right)))
            wrong = await _together(one(each.text, short) for each in unit.programs.wrong)
        unknown = next(filter(says_nothing, wrong), None)
        if unknown is not None:
            return told.unknown(unknown), False
        mistakes: Sequence[WrongProgram] = unit.programs.wrong
        missed = [m for m, report in zip(mistakes, wrong, strict=True) if not catches(report)]
        if missed:
            caught = len(mistakes) - len(missed)
            return told.missed(caught, mistakes, missed[0]), not _slow(wrong)
        spent = sum(report.duration_ms for report in (*right, *wrong))
        return told.passed(spent), not _slow(wrong)

    async def _on(
        self, folder: Path, unit: Asked, program: str, tests: str, limits: RunLimits
    ) -> RawReport:
        """The tests on one program, in the copy that is kept for it."""
        named = text_hash({**unit.base, unit.programs.file: program, "": unit.file})
        copy = folder / hashlib.sha256(named.encode()).hexdigest()[:16]
        keep = {self._toolchain.build_folder} if self._toolchain.build_folder else set()
        await put_files(copy, unit.with_program(program, tests), keep=keep)
        return await self._toolchain.run(copy, limits=limits)


def _hangs_s(right: Iterable[RawReport]) -> float:
    slowest = max((test.duration_ms for report in right for test in report.tests), default=0.0)
    return max(HANGS_S, HANGS_TIMES * slowest / 1000)


def _slow(reports: Iterable[RawReport]) -> bool:
    return any(
        report.outcome is RunOutcome.TIMEOUT
        or any(test.outcome is TestOutcome.TIMEOUT for test in report.tests)
        for report in reports
    )


async def _together(work: Iterable[Awaitable[RawReport]]) -> list[RawReport]:
    async def awaited(each: Awaitable[RawReport]) -> RawReport:
        return await each

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(awaited(each)) for each in work]
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]


def _texts(workspace: Path, units: Sequence[Asked]) -> dict[str, str]:
    """The learner's tests, and the programs that they are about. Blocks."""
    found = {}
    for file in {file for unit in units for file in (unit.file, unit.programs.file)}:
        try:
            found[file] = (workspace / file).read_text("utf-8", errors="replace")
        except OSError:
            continue
    return found


def _is_in(test: RawTest, file: str) -> bool:
    return test.file == file


def _is_of(test: RawTest, mine: Mapping[str, Collection[str]]) -> bool:
    return any(_is_in(test, file) for file in mine)


def _all(names: Iterable[Collection[str]]) -> list[str]:
    return [name for each in names for name in each]
