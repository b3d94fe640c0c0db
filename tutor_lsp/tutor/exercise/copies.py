"""Hidden copies of exercises, one per session, that stay built.

What is guaranteed:
- A copy has a lock and a build folder of its own; several processes may use it.
- It holds just the files that are put into it and what the last build left: anything else that
  an earlier run left in it is removed first.
- Nothing of the learner's folder is touched.
"""

import asyncio
import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import time
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.writing import remedy
from tutor_lsp.languages.common import late_runs
from tutor_lsp.languages.common.proof.placing import put_files
from tutor_lsp.tutor.exercise.folder.lock import exercise_lock
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.trust_gate import require_trust

REMOVE_S = 2.0
"""How long a copy that is to be removed is waited for, in seconds."""
UNUSED_S = 7 * 24 * 3600.0
"""Copies unused for this long are removed, in seconds."""
PROGRAMS = Path(".cache", "programs")
"""Folder of the hidden programs that learners' tests run on, below the home."""
_MARKER = ".tutor"
_COPY = re.compile(r"[0-9a-f]{16}")


def nobody() -> None:
    """Reports nothing while a copy is waited for."""


class Copies:
    """The copies below one folder. Use from the loop's thread only."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._swept = False

    def of(self, opened: OpenExercise) -> Path:
        """The folder of a session's copy, whether it is there or not."""
        name = hashlib.sha256(opened.session.id.encode()).hexdigest()[:16]
        return self._folder / name

    @contextlib.asynccontextmanager
    async def holding(
        self, opened: OpenExercise, files: Mapping[str, str], waits: Callable[[], None] = nobody
    ) -> AsyncIterator[Path]:
        """The session's copy, holding just these files, for as long as it is needed.

        What is in it is to be run. `waits` is called once if another run holds it for long. Raises
        TutorError `UNTRUSTED`, `HOME` if it cannot be written.
        """
        require_trust(opened.session)
        folder = self.of(opened)
        async with contextlib.AsyncExitStack() as held:
            try:
                await asyncio.to_thread(self._prepare, folder)
                await held.enter_async_context(exercise_lock(folder, waits))
                await self.put(opened, files)
            except OSError as error:
                raise TutorError(
                    "HOME",
                    f"{folder} cannot be written ({error.strerror or error}), so no tests can run "
                    "there. "
                    + remedy(error, "Make it writable, or set another home (tutor.home)."),
                ) from error
            yield folder

    async def put(self, opened: OpenExercise, files: Mapping[str, str]) -> None:
        """Put just these files into the copy, which is held. Raises OSError."""
        folder = self.of(opened)
        kept = {_MARKER, opened.toolchain.build_folder or _MARKER}
        try:
            await put_files(folder, files, keep=kept)
        except OSError:
            # A run may have made it anything: folders that cannot be entered, say.
            await asyncio.to_thread(_empty, folder)
            await put_files(folder, files, keep=kept)

    async def forget_build(self, opened: OpenExercise) -> None:
        """Remove what the last build left in the copy, which is held."""
        if opened.toolchain.build_folder is not None:
            folder = self.of(opened) / opened.toolchain.build_folder
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def remove(self, opened: OpenExercise) -> None:
        """Remove the copy: its session has ended. One that stays in use is kept until it has been
        unused for a week."""
        folder = self.of(opened)
        if await asyncio.to_thread(folder.is_dir):
            with contextlib.suppress(TutorError, TimeoutError):
                async with asyncio.timeout(REMOVE_S), exercise_lock(folder, nobody):
                    await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    def _prepare(self, folder: Path) -> None:
        if not self._swept:
            self._swept = True
            _sweep(self._folder)
        _remove_strays(self._folder)
        marker = folder / _MARKER
        marker.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.utime(marker)


class ProgramCopies(Copies):
    """Where the tests that learners write run on hidden programs: per session a folder with a copy
    for each of them."""

    def __init__(self, home: Path) -> None:
        super().__init__(home / PROGRAMS)
        self._runs: dict[str, late_runs.ProgramRuns] = {}

    async def put(self, opened: OpenExercise, files: Mapping[str, str]) -> None:
        """Nothing: what runs there puts its own files."""

    def asked(self, opened: OpenExercise) -> "tuple[late_runs.Asked, ...]":
        """The units of an exercise that ask for tests."""
        vault = opened.vault
        return late_runs.asked(
            opened.exercise.units, vault.originals, vault.programs, opened.toolchain
        )

    def runs(self, opened: OpenExercise) -> "late_runs.ProgramRuns":
        """What runs them, and knows their verdicts."""
        made = self._runs.get(opened.session.id)
        if made is None:
            made = late_runs.ProgramRuns(lambda: self.holding(opened, {}))
            self._runs[opened.session.id] = made
        return made

    async def remove(self, opened: OpenExercise) -> None:
        """See `Copies.remove`."""
        self._runs.pop(opened.session.id, None)
        await super().remove(opened)


def _remove_strays(folder: Path) -> None:
    """Remove what is not a copy: tools look for settings in the folders above the one they work
    in."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not _COPY.fullmatch(entry.name):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    Path(entry.path).unlink()


def _empty(folder: Path) -> None:
    """Remove everything but the marker, whatever modes the folders in it have."""
    for top, folders, _ in os.walk(folder):
        for name in folders:
            with contextlib.suppress(OSError):
                Path(top, name).chmod(0o700, follow_symlinks=False)
    for path in folder.iterdir():
        if path.name == _MARKER:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _sweep(folder: Path) -> None:
    """Remove copies that nobody has used for long and nobody holds."""
    if not folder.is_dir():
        return
    for copy in list(folder.iterdir()):
        try:
            if time.time() - (copy / _MARKER).stat().st_mtime < UNUSED_S:
                continue
            with (copy / _MARKER / "lock").open("wb") as handle:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(copy, ignore_errors=True)
        except OSError:
            continue
