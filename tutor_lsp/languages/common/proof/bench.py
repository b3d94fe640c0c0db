"""Working copies in which an exercise is executed, several at the same time."""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tutor_lsp.core.exercise.exercise import Aside
from tutor_lsp.core.exercise.report import RawReport
from tutor_lsp.core.ports import Files, RunLimits, Toolchain
from tutor_lsp.languages.common.aside_run import run_of
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

    def __init__(
        self, folder: Path, toolchain: Toolchain, limits: RunLimits, aside: Sequence[Aside]
    ) -> None:
        self.folder = folder
        self._run = run_of(toolchain, aside)
        self._limits = limits

    async def put(self, files: Files, *, leave: bool = False) -> None:
        """Make the copy hold just these files; `leave` lets what a run left behind stay."""
        await put_files(self.folder, files, leave=leave)

    async def run(
        self, tests: Sequence[str] | None = None, *, keeps_files: bool = False
    ) -> RawReport:
        """Build and run what is there; `keeps_files` as in `RunLimits`. Raises TutorError
        `TOOLCHAIN_MISSING`."""
        limits = replace(self._limits, keeps_files=keeps_files)
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
    ) -> None:
        """Without `contain`, programs are contained as the toolchain's runs are; runs can do
        without the units `aside`."""
        self.toolchain = toolchain
        self.folder = folder
        self.limits = limits
        self._contain: Contain = contain or getattr(toolchain, "contain", None) or Contain()
        self._free: asyncio.LifoQueue[Lane] = asyncio.LifoQueue()
        self._programs = asyncio.Semaphore(COPIES)
        for number in range(COPIES):
            self._free.put_nowait(Lane(folder / f"copy-{number + 1}", toolchain, limits, aside))

    @contextlib.asynccontextmanager
    async def lane(self) -> AsyncIterator[Lane]:
        """A copy of one's own for as long as it is needed."""
        lane = await self._free.get()
        try:
            yield lane
        finally:
            self._free.put_nowait(lane)

    async def run(self, files: Files, tests: Sequence[str] | None = None) -> RawReport:
        """All tests, or those named, of these files, in a copy that is free."""
        async with self.lane() as lane:
            await lane.put(files)
            return await lane.run(tests)

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


async def put_files(
    folder: Path, files: Files, *, leave: bool = False, keep: Collection[str] | None = None
) -> None:
    """`place` off the loop. A cancel waits for it, so that nothing is written afterwards."""
    placing = asyncio.to_thread(place, folder, files, leave=leave, keep=keep)
    writing = asyncio.ensure_future(placing)
    try:
        await asyncio.shield(writing)
    finally:
        await writing


def place(
    folder: Path, files: Files, *, leave: bool = False, keep: Collection[str] | None = None
) -> None:
    """Make `folder` hold just `files`: what differs is written anew, strays are removed, unless
    they shall stay (`leave`). Bytes of a text that are no UTF-8 are its lone surrogates.

    Folders at the top that hold none of the files belong to builds and stay, all of them or those
    in `keep` alone.
    """
    kept = {name.split("/")[0] for name in files if "/" in name}
    if folder.is_dir() and not leave:
        for path in list(folder.iterdir()):
            if path.is_symlink() or not path.is_dir():
                if path.name not in files:
                    path.unlink()
            elif path.name in kept:
                _sweep(path, folder, files)
            elif keep is not None and path.name not in keep:
                shutil.rmtree(path)
    for name, text in files.items():
        path = folder / name
        data = text.encode("utf-8", "surrogateescape")
        if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(data)


def _sweep(top: Path, folder: Path, files: Files) -> None:
    wanted = {folder / name for name in files}
    folders = {parent for path in wanted for parent in path.parents}
    for path in sorted(top.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            if path not in folders:
                shutil.rmtree(path, ignore_errors=True)
        elif path not in wanted:
            path.unlink(missing_ok=True)
