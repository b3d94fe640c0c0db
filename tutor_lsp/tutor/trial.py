"""Trying texts against an exercise's tests in a hidden copy that stays built.

What is guaranteed:
- The learner's folder, build folder and lock are never touched, read apart from `src/` and `.venv`.
- The copy lies below the tutor home's `.cache/trials`, one per session, with a lock and a build
  folder of its own, so that every build but the first is a small one. Several processes may use it.
- Tests are those that were delivered, whatever the learner made of them.
- A trial is contained and bounded like any run, ends within `limit_s`, and cancelling the task
  leaves no process behind.
- The code of a folder from elsewhere is not run before its learner ran it once.
"""

import asyncio
import contextlib
import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tutor_lsp.authoring.proof.bench import put_files
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise import LESSON
from tutor_lsp.core.judge import judge, plain_name
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.core.report import RawReport, Remark, RunOutcome, TestReport
from tutor_lsp.tutor.files import read_text
from tutor_lsp.tutor.lock import exercise_lock
from tutor_lsp.tutor.opened import OpenExercise
from tutor_lsp.tutor.trust import WAITING, require_trust

FOLDER = Path(".cache", "trials")
LIMIT_S = 20.0
"""Longest trial, building and waiting for the copy included, in seconds."""
REMOVE_S = 2.0
"""How long a copy that is to be removed is waited for, in seconds."""
UNUSED_S = 7 * 24 * 3600.0
"""Copies that were not used for so long are removed, in seconds."""
MORE_FILES = 100
"""Most files of the learner's own below `src/` that are taken along."""


class Trials:
    """The hidden copies below one tutor home. Use from the loop's thread only."""

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER
        self._warm: set[str] = set()
        self._swept = False

    def copy_of(self, opened: OpenExercise) -> Path:
        """The folder of the copy, whether it is there or not."""
        name = hashlib.sha256(opened.session.id.encode()).hexdigest()[:16]
        return self._folder / name

    async def run(
        self,
        opened: OpenExercise,
        files: Mapping[str, str] | None = None,
        tests: Collection[str] | None = None,
        *,
        texts: Mapping[str, str] | None = None,
        limits: RunLimits | None = None,
        limit_s: float = LIMIT_S,
    ) -> TestReport:
        """The judged report of `tests` (all of the exercise by default) with `files` put in place.

        `files` maps workspace paths to whole texts: the learner's files, and test files of one's
        own, whose tests are then named in `tests`. `texts` is what they are put onto: the current
        texts by default, unsaved buffers included. The report holds the asked tests only, each
        with its unit and one sentence; a test that does not exist is left out. It is `timeout`
        after `limit_s` seconds, and `not_run` for a folder that is not trusted. `limits` bounds
        the run further.

        Raises TutorError `TOOLCHAIN_MISSING`, `HOME` if the copy cannot be written.
        """
        if not opened.session.trusted:
            return TestReport("trial", RunOutcome.NOT_RUN, reason=WAITING)
        asked = _all_tests(opened) if tests is None else set(tests)
        placed = await self.base(opened, texts)
        placed.update(files or {})
        try:
            async with asyncio.timeout(limit_s):
                raw = await self.execute(opened, placed, asked, limits or RunLimits())
        except TimeoutError:
            raw = RawReport(RunOutcome.TIMEOUT, reason=f"The trial took longer than {limit_s:g} s.")
        raw = replace(raw, tests=tuple(t for t in raw.tests if plain_name(t.name) in asked))
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
        """What the linter says of `files` among these texts, by line; empty where there is no
        linter, where it takes longer than `limit_s` seconds, and for a folder not trusted.

        Raises TutorError `HOME` if the copy cannot be written.
        """
        if not opened.session.trusted:
            return ()
        placed = await self.base(opened, texts)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit_s), self._copy(opened, placed) as folder:
                return await opened.toolchain.lint(folder, files, limit_s)
        return ()

    async def execute(
        self,
        opened: OpenExercise,
        files: Mapping[str, str],
        tests: Collection[str],
        limits: RunLimits,
    ) -> RawReport:
        """What the toolchain says of just these files, without the guarantees of `run`."""
        async with self._copy(opened, files) as folder:
            await asyncio.to_thread(_link_environment, opened.root, folder)
            return await opened.toolchain.run(folder, tests=sorted(tests), limits=limits)

    async def base(self, opened: OpenExercise, texts: Mapping[str, str] | None) -> dict[str, str]:
        """What belongs into the copy before anything is replaced."""
        found = dict(opened.texts() if texts is None else texts)
        found.pop(LESSON, None)
        for file, original in opened.vault.originals.items():
            if file.startswith("tests/") or (file not in found and not file.startswith("src/")):
                found[file] = original
        for file, text in (await asyncio.to_thread(_more_sources, opened.root)).items():
            found.setdefault(file, text)
        return found

    async def warm(self, opened: OpenExercise) -> None:
        """Build the copy ahead, once per process; does nothing where that is not possible."""
        if opened.session.id in self._warm or not opened.session.trusted:
            return
        self._warm.add(opened.session.id)
        placed = await self.base(opened, None)
        with contextlib.suppress(TutorError, TimeoutError):
            async with asyncio.timeout(LIMIT_S):
                await self.execute(opened, placed, (), RunLimits())

    async def remove(self, opened: OpenExercise) -> None:
        """Remove the copy: its session has ended. One that is in use for long stays until it was
        unused for a week."""
        folder = self.copy_of(opened)
        self._warm.discard(opened.session.id)
        if await asyncio.to_thread(folder.is_dir):
            with contextlib.suppress(TutorError, TimeoutError):
                async with asyncio.timeout(REMOVE_S), exercise_lock(folder, _nobody):
                    await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    @contextlib.asynccontextmanager
    async def _copy(self, opened: OpenExercise, files: Mapping[str, str]) -> AsyncIterator[Path]:
        """The copy, holding just these files, for as long as it is needed; what is in it is to be
        run. Raises TutorError `UNTRUSTED`, `HOME`."""
        require_trust(opened.session)
        folder = self.copy_of(opened)
        try:
            await asyncio.to_thread(self._prepare, folder)
            async with exercise_lock(folder, _nobody):
                await put_files(folder, files)
                yield folder
        except OSError as error:
            raise TutorError(
                "HOME",
                f"{folder} cannot be written ({error.strerror or error}), so nothing can be tried "
                "there. Make it writable, or set another home (tutor.home).",
            ) from error

    def _prepare(self, folder: Path) -> None:
        if not self._swept:
            self._swept = True
            _sweep(self._folder)
        marker = folder / ".tutor"
        marker.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.utime(marker)


def _all_tests(opened: OpenExercise) -> set[str]:
    return {test for unit in opened.exercise.units for test in unit.tests}


def _more_sources(root: Path) -> dict[str, str]:
    """Files of `src/` that the learner may have added."""
    found: dict[str, str] = {}
    for folder, folders, names in os.walk(root / "src"):
        folders[:] = [name for name in folders if not name.startswith((".", "__pycache__"))]
        for name in names:
            if name.startswith(".") or len(found) >= MORE_FILES:
                continue
            path = Path(folder, name)
            text = None if path.is_symlink() else read_text(path)
            if text is not None and "\0" not in text:
                found[path.relative_to(root).as_posix()] = text
    return found


def _link_environment(root: Path, folder: Path) -> None:
    """The learner's own Python runs in the copy too."""
    own = root / ".venv"
    link = folder / ".venv"
    if own.is_dir() and not link.exists():
        link.symlink_to(own, target_is_directory=True)


def _sweep(folder: Path) -> None:
    """Remove copies that nobody has used for long and nobody holds."""
    if not folder.is_dir():
        return
    for copy in list(folder.iterdir()):
        try:
            if time.time() - (copy / ".tutor").stat().st_mtime < UNUSED_S:
                continue
            with (copy / ".tutor" / "lock").open("wb") as handle:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(copy, ignore_errors=True)
        except OSError:
            continue


def _nobody() -> None:
    """A trial that waits for another one is not told of."""
