"""Runs texts against an exercise's tests in a hidden copy that stays built.

Guarantees beyond those of `copies.py`:
- The learner's folder, build folder and lock are never touched, read apart from sources.
- Files are those of an attempt (`core/exercise/snapshot.py`): tests are those that were
  delivered, whatever the learner made of them.
- A trial is contained and bounded like any run, ends within `limit_s`, and cancelling the task
  leaves no process behind.
- The code of a folder from elsewhere is not run before its learner ran it once.
"""

import asyncio
import contextlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.judge import judge, names
from tutor_lsp.core.exercise.report import RawReport, Remark, RunOutcome, TestReport
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.common import late_runs
from tutor_lsp.process.power import on_battery
from tutor_lsp.tutor.exercise.copies import Copies, ProgramCopies
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.snapshots import read, whole_of, with_stubs
from tutor_lsp.tutor.exercise.trust_gate import WAITING

FOLDER = Path(".cache", "trials")
LIMIT_S = 20.0
"""Longest trial, building and waiting for the copy included, in seconds."""


class ShadowCopies(Copies):
    """The hidden copies below one tutor home. Use from the loop's thread only."""

    def __init__(self, home: Path, on_battery: Callable[[], bool] = on_battery) -> None:
        super().__init__(home / FOLDER)
        self.programs = ProgramCopies(home)
        self._on_battery = on_battery
        self._warm: set[str] = set()

    async def run(
        self,
        opened: OpenExercise,
        files: Mapping[str, str] | None = None,
        tests: Collection[str] | None = None,
        *,
        texts: Mapping[str, str] | None = None,
        whole: bool = False,
        limits: RunLimits | None = None,
        limit_s: float = LIMIT_S,
    ) -> TestReport:
        """The judged report of `tests` (all of the exercise by default) with `files` put in place.

        `files` maps workspace paths to whole texts: the learner's files, and test files of one's
        own, whose tests are then named in `tests`. What they are put onto is said by `texts` and
        `whole` (see `base`). The report holds the asked tests only, each with its unit and one
        sentence; a test that does not exist is left out. It is `timeout` after `limit_s` seconds,
        and `not_run` for a folder that is not trusted. `limits` bounds the run further.

        Raises TutorError `TOOLCHAIN_MISSING`, `HOME` if the copy cannot be written.
        """
        if not opened.session.trusted:
            return TestReport("trial", RunOutcome.NOT_RUN, reason=WAITING)
        asked = set(opened.exercise.targets if tests is None else tests)
        placed = await self.base(opened, texts, whole=whole)
        placed.update(files or {})
        try:
            async with asyncio.timeout(limit_s):
                raw = await self.execute(opened, placed, asked, limits or RunLimits())
        except TimeoutError:
            raw = RawReport(
                RunOutcome.TIMEOUT, reason=t(f"The trial took longer than {limit_s:g} s.")
            )
        raw = replace(raw, tests=tuple(t for t in raw.tests if asked.intersection(names(t.name))))
        return judge(
            raw,
            opened.exercise,
            placed,
            opened.stubs(placed),
            explain=opened.toolchain.explain,
            run_id="trial",
            only=asked,
        )

    async def lint(
        self, opened: OpenExercise, texts: Mapping[str, str], files: Collection[str], limit_s: float
    ) -> Sequence[Remark]:
        """The linter's remarks on `files` among these texts, by line; empty where there is no
        linter, where it takes longer than `limit_s` seconds, and for a folder not trusted.

        Raises TutorError `HOME` if the copy cannot be written.
        """
        if not opened.session.trusted:
            return ()
        placed = await self.base(opened, texts)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit_s), self.holding(opened, placed) as folder:
                return await opened.toolchain.lint(folder, files, limit_s)
        return ()

    async def execute(
        self,
        opened: OpenExercise,
        files: Mapping[str, str],
        tests: Collection[str],
        limits: RunLimits,
    ) -> RawReport:
        """The toolchain's report on just these files, without the guarantees of `run`."""
        async with self.holding(opened, files) as folder:
            run = self.run_of(opened)
            return await run(folder, tests=sorted(tests), limits=limits)

    def run_of(self, opened: OpenExercise) -> "late_runs.Run":
        """How its tests run, in whatever folder."""
        programs = self.programs
        asked = programs.asked(opened)
        runs = programs.runs(opened) if asked else None
        return late_runs.run_of(opened.toolchain, opened.exercise.aside, asked, runs)

    async def base(
        self, opened: OpenExercise, texts: Mapping[str, str] | None, *, whole: bool = False
    ) -> dict[str, str]:
        """What belongs into the copy before anything is replaced: what an attempt would run on.

        The stubs are those in `texts`, by default the current ones, unsaved buffers included. With
        `whole` all of the learner's files are those in `texts` (of an attempt, say), and nothing
        is read from the disk.
        """
        if whole:
            return whole_of(opened, texts or {})
        current = opened.texts() if texts is None else texts
        disk = await asyncio.to_thread(read, opened)
        return with_stubs(opened, disk.found, current)

    async def saves_power(self) -> bool:
        """Whether what nobody has asked for is to wait until somebody does: on battery."""
        return await asyncio.to_thread(self._on_battery)

    async def warm(self, opened: OpenExercise) -> None:
        """Build the copy in advance, once per process; does nothing if that is not possible, and
        nothing on battery."""
        if opened.session.id in self._warm or not opened.session.trusted:
            return
        if await self.saves_power():
            return
        self._warm.add(opened.session.id)
        placed = await self.base(opened, None)
        with contextlib.suppress(TutorError, TimeoutError):
            async with asyncio.timeout(LIMIT_S):
                await self.execute(opened, placed, (), RunLimits())

    async def remove(self, opened: OpenExercise) -> None:
        """See `Copies.remove`."""
        self._warm.discard(opened.session.id)
        await self.programs.remove(opened)
        await super().remove(opened)
