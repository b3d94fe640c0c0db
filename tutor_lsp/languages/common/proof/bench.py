"""Working copies in which an exercise is executed, several at the same time."""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tutor_lsp.core.exercise.exercise import Aside
from tutor_lsp.core.exercise.report import RawReport
from tutor_lsp.core.ports import Files, RunLimits, Toolchain
from tutor_lsp.languages.common.aside_run import Run, run_of
from tutor_lsp.languages.common.programs.asked import Asked, ProgramRuns
from tutor_lsp.languages.common.proof.placing import put_files
from tutor_lsp.process.box import Area
from tutor_lsp.process.contain import Contain
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import Outcome, run
from tutor_lsp.process.spec import Limits, Spec

COPIES = 2
OUTPUT_BYTES = 64 * 1024
MEMORY = 4 * 1024**3


class Lane:
    """One working copy. Whatever is put into it replaces what was there; what a build left in
    folders beside `src` and `tests` stays, so that the next build is a small one."""

    def __init__(self, folder: Path, limits: RunLimits, run: Run) -> None:
        self.folder = folder
        self._run = run
        self._limits = limits

    async def put(self, files: Files, *, leave: bool = False) -> None:
        """Make the copy hold just these files; `leave` lets what a run left behind stay."""
        await put_files(self.folder, files, leave=leave)

    async def age(self, files: Files, by_s: float) -> None:
        """Let the copy's `files` be as much older as `by_s` seconds."""
        then = time.time() - by_s

        def aged() -> None:
            for name in files:
                os.utime(self.folder / name, (then, then))

        await asyncio.to_thread(aged)

    async def run(
        self,
        tests: Sequence[str] | None = None,
        *,
        keeps_files: bool = False,
        around: Mapping[str, str] | None = None,
        plain: bool = False,
        test_s: float | None = None,
    ) -> RawReport:
        """Build and run what is there; `keeps_files`, `around`, `plain` and `test_s` as in
        `RunLimits`. Raises TutorError `TOOLCHAIN_MISSING`."""
        variables = tuple((around or {}).items())
        limits = replace(
            self._limits,
            test_s=test_s or self._limits.test_s,
            keeps_files=keeps_files,
            around=variables,
            plain=plain,
        )
        return await self._run(self.folder, tests=tests, limits=limits)


class Bench:
    """`COPIES` working copies below `folder`, and a way to run a single program contained."""

    def __init__(
        self,
        toolchain: Toolchain,
        folder: Path,
        limits: RunLimits,
        contain: Contain | None = None,
        aside: Sequence[Aside] = (),
        asked: Sequence[Asked] = (),
    ) -> None:
        """Without `contain`, programs are contained as the toolchain's runs are; runs can do
        without the units `aside`, and try tests that are `asked` for."""
        self.toolchain = toolchain
        self.folder = folder
        self.limits = limits
        self._contain: Contain = contain or getattr(toolchain, "contain", None) or Contain()
        self._free: asyncio.LifoQueue[Lane] = asyncio.LifoQueue()
        self._programs = asyncio.Semaphore(COPIES)
        self._trying = asyncio.Lock()
        run = run_of(toolchain, aside, asked, ProgramRuns(self._programs_folder))
        for number in range(COPIES):
            self._free.put_nowait(Lane(folder / f"copy-{number + 1}", limits, run))

    @contextlib.asynccontextmanager
    async def _programs_folder(self) -> AsyncIterator[Path]:
        async with self._trying:
            yield self.folder / "programs"

    @contextlib.asynccontextmanager
    async def lane(self) -> AsyncIterator[Lane]:
        """A copy of one's own for as long as it is needed."""
        lane = await self._free.get()
        try:
            yield lane
        finally:
            self._free.put_nowait(lane)

    async def run(
        self,
        files: Files,
        tests: Sequence[str] | None = None,
        *,
        around: Mapping[str, str] | None = None,
        plain: bool = False,
        test_s: float | None = None,
    ) -> RawReport:
        """All tests, or those named, of these files, in a copy that is free; `around`, `plain` and
        `test_s` as in `RunLimits`."""
        async with self.lane() as lane:
            await lane.put(files)
            return await lane.run(tests, around=around, plain=plain, test_s=test_s)

    async def execute(
        self,
        argv: Sequence[str],
        folder: Path,
        *,
        limit_s: float,
        environment: Mapping[str, str] | None = None,
        builds: bool = False,
    ) -> Outcome:
        """Run one program to its end in `folder`, contained; what a compiler writes there stays
        (`builds`), what another program writes is thrown away.

        Raises ProgramNotFound.
        """
        spec = Spec(
            argv=tuple(argv),
            cwd=folder,
            env=child_environment({"TMPDIR": str(folder), **(environment or {})}),
            limit_s=limit_s,
            output_bytes=OUTPUT_BYTES,
            limits=Limits() if builds else Limits(memory_bytes=MEMORY),
        )
        async with self._programs:
            place = Area(folder)
            if builds:  # what was built before may be needed: a library for a block of the lesson
                place = Area(self.folder, writable=(folder,), copied=False)
            return await run((await self._contain.get()).apply(spec, place))
