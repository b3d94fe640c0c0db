"""Building a Rust exercise: taken over if it is known, else by rustc alone, else by cargo."""

import asyncio
import contextlib
import errno
import fcntl
import json
import os
import shutil
import stat
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import NO_TESTS, RunOutcome
from tutor_lsp.languages.common.apart import Tested, built_too_long, not_built
from tutor_lsp.languages.common.build_cache import BuildCache
from tutor_lsp.languages.common.toolchain import not_ready
from tutor_lsp.languages.rust.direct.compiling import Plans, Told
from tutor_lsp.languages.rust.direct.linker import FastLinker, Waiting, names_linker
from tutor_lsp.languages.rust.direct.plan import OUT, is_plain, learn
from tutor_lsp.languages.rust.direct.setup import plan_key, setup
from tutor_lsp.languages.rust.direct.spare import Asked, Compilers, RustSpares
from tutor_lsp.languages.rust.environment import WRAPPER
from tutor_lsp.languages.rust.events import Build, build_from_stderr
from tutor_lsp.languages.rust.exit import ExitObject
from tutor_lsp.languages.rust.refresh import refresh
from tutor_lsp.languages.rust.reuse import RustReuse
from tutor_lsp.languages.rust.settings import Host, own_flags
from tutor_lsp.process.box import Area
from tutor_lsp.process.contain import Containment
from tutor_lsp.process.run import Outcome, stream
from tutor_lsp.process.scratch import PREFIX, scratch_folder
from tutor_lsp.process.spec import ProgramNotFound, Spec

TARGET = "target/tutor"
"""A folder of our own, so that an editor's cargo never keeps us waiting for its lock."""
PROGRAMS = "programs"
BUILD = (
    "test",
    "--no-run",
    "--offline",
    "--quiet",
    "--message-format=json",
    "--target-dir",
    TARGET,
    "--test",
    "*",
)
HELD_S = 0.05
"""How long to wait, in seconds, before asking again whether a folder is free."""
CARGO_FAILED = 101  # what cargo itself ends with; rustup without a toolchain ends with 1
_DONE = Outcome(0, b"", b"", timed_out=False, truncated=False, duration_ms=0)


def missing_cargo(why: str, remedy: str = "Install it from https://rustup.rs") -> TutorError:
    """The error for a cargo that is not there or does not work."""
    return not_ready(f"Rust is not ready to use ({why}). {remedy}, then try again.", "cargo")


@dataclass(frozen=True, slots=True)
class Kept:
    """What a toolchain keeps from one run to the next."""

    exit_object: ExitObject = field(default_factory=ExitObject)
    cache: BuildCache = field(default_factory=BuildCache)
    host: Host = field(default_factory=Host)
    plans: Plans = field(default_factory=Plans)
    linker: FastLinker = field(default_factory=FastLinker)
    spares: RustSpares = field(default_factory=RustSpares)


@dataclass
class RustBuild:
    """One build. `gated` says, once it is built, whether programs tell how they ended."""

    workspace: Path
    limit_s: float
    environment: Mapping[str, str]
    containment: Containment
    token: str
    kept: Kept
    gated: bool = False
    _key: str | None = None
    _own: bool = False

    def __post_init__(self) -> None:
        self._target = self.workspace / TARGET
        cache = self.kept.cache.under(self.containment)
        self.reuse = RustReuse(cache, self.workspace, self._target)

    @contextlib.asynccontextmanager
    async def programs(self) -> AsyncIterator[Path]:
        """An empty folder for the block, for what is not made by cargo.

        It has the same name in every run, since rustc begins anew where a library has moved, and
        is this run's alone until the block ends: where runs may write to what is built the next
        one waits. Else, or where links lead to it, that has some other folder, and cargo builds.
        """
        held = await self._held()
        if held is None:
            async with scratch_folder("programs") as folder:
                yield folder
            return
        try:
            self._own = True
            yield self._target / PROGRAMS
        finally:
            self._own = False
            await asyncio.shield(asyncio.to_thread(_release, held))

    async def _held(self) -> int | None:
        until = time.monotonic() + self.limit_s
        while True:
            try:
                return await _safely_held(self._target)
            except BlockingIOError:
                if self.containment.isolated or time.monotonic() > until:
                    return None
                await asyncio.sleep(HELD_S)
            except OSError:
                return None

    async def build(self, scratch: Path, programs: Path, told: Told) -> tuple[Build, Outcome]:
        """Build the texts as they are now. `programs` is an empty folder for what is not cargo's.

        Raises TutorError `TOOLCHAIN_MISSING`.
        """
        flags = await self._linked()
        with contextlib.suppress(OSError):  # cargo says what is wrong with a file or folder
            if (found := await self.reuse.find(flags, programs)) is not None:
                return found, _DONE
            if self._own:
                self._key = await asyncio.to_thread(self._plan_key, self.reuse.setup)
        build, ended = await self._direct(scratch, told) or await self._cargo(flags, scratch)
        if build.finished and ended.returncode == 0:
            await self.reuse.keep(build)
        return build, ended

    @property
    def _lasts(self) -> bool:
        """Whether a later process may build here by what is learnt here."""
        passing = any(part.startswith(PREFIX) for part in self.workspace.parts)
        return self.containment.isolated and not passing

    def _plan_key(self, said: str | None) -> str | None:
        return None if said is None else plan_key(self.workspace, said, self.environment)

    async def asked(self) -> Asked | None:
        """What a build by rustc alone is for; None where cargo has to build, or the folder is in
        use. Raises OSError and TutorError as `build` does."""
        flags = await self._linked()
        said = await asyncio.to_thread(setup, self.workspace, flags)
        self._key = await asyncio.to_thread(self._plan_key, said)
        _release(await _safely_held(self._target))
        return self._asked()

    def _asked(self) -> Asked | None:
        plan = None if self._key is None else self.kept.plans.get(self._key, lasting=self._lasts)
        if plan is None or self._key is None:
            return None
        out = self._target / PROGRAMS
        fast = self.kept.linker.flags(plan)
        early = None if names_linker(plan) else plan.early()
        flags = (*(() if early is None else Waiting.flags(OUT)), *fast)
        linked = (early or plan).linked(flags)
        return Asked(
            self.workspace,
            self._target,
            out,
            self._key,
            linked,
            early is not None,
            bool(fast),
            self.limit_s,
            self.containment,
        )

    async def _direct(self, scratch: Path, told: Told) -> tuple[Build, Outcome] | None:
        """What rustc makes of it; None where cargo has to build."""
        asked = self._asked()
        if asked is None:
            return None
        spare = self.kept.spares.take(self.workspace, asked)
        try:
            async with spare or Compilers(asked) as compilers:
                if spare is None:
                    await compilers.start(self.environment, self.token, scratch)
                code, ended = await compilers.build(told, self.kept.linker.around)
        except (OSError, ProgramNotFound):
            return None  # cargo says that the disk is full or the folder gone
        if ended.timed_out:
            self.kept.plans.put(asked.key, None)  # should it be the plan that hangs
            return Build(), ended
        with contextlib.suppress(OSError, ValueError):
            found = await asyncio.to_thread(compilers.compiling.told, code)
            if asked.fast and found is not None and found.unplaced:
                self.kept.linker.leave()
                return None  # the usual linker says why
            if found is not None:
                return found, ended
        self.kept.plans.put(asked.key, None)
        return None

    async def _cargo(self, flags: tuple[str, ...], scratch: Path) -> tuple[Build, Outcome]:
        build = Build()
        root = str(self.workspace)
        await asyncio.to_thread(refresh, self.workspace, self._target)
        learns = self._key is not None and not self.kept.plans.unfit(self._key)
        words = ["-vv" if learns and word == "--quiet" else word for word in BUILD]
        area = Area(self.workspace, scratch, writable=(self._target,))
        try:
            ended = await stream(
                self._spec(("cargo", *words, *flags), area),
                lambda line: build.take(line, root),
            )
        except ProgramNotFound as error:
            raise missing_cargo("cargo was not found") from error
        said = ended.stderr.decode("utf-8", "replace")
        if build.finished is None and ended.returncode == CARGO_FAILED:
            build_from_stderr(build, _error(said))
        elif learns and build.finished and not ended.truncated:
            with contextlib.suppress(OSError):
                await asyncio.to_thread(self._learn, flags, build, said)
        return build, ended

    def _learn(self, flags: tuple[str, ...], build: Build, said: str) -> None:
        """Keep what cargo did, unless what it depends on has changed meanwhile."""
        manifest = (self.workspace / "Cargo.toml").read_text(encoding="utf-8", errors="replace")
        if not is_plain(manifest):
            return
        plan = learn(said, build, self._target.resolve(), WRAPPER)
        key = self._plan_key(setup(self.workspace, flags))
        if plan and key and self._key and key.startswith(self._key):  # a new Cargo.lock apart
            self.kept.plans.put(key, plan, lasting=self._lasts)

    def _spec(self, argv: tuple[str, ...], area: Area) -> Spec:
        spec = Spec(argv=argv, cwd=self.workspace, env=self.environment, limit_s=self.limit_s)
        return self.containment.apply(spec, area, token=self.token)

    async def _linked(self) -> tuple[str, ...]:
        """What links the programs with the object that tells how they end."""
        try:
            name = await self.kept.exit_object.put(self._target)
        except OSError:
            return ()  # cargo says why nothing can be written there
        self.gated = name is not None
        if not self.gated:
            return ()
        own = await own_flags(self.workspace, self.environment, self.kept.host)
        # texts of JSON are texts of TOML
        flags = json.dumps([*own, f"-Clink-arg={TARGET}/{name}"], ensure_ascii=False)
        return ("--config", f"target.'cfg(all())'.rustflags={flags}")

    def refused(self, build: Build, ended: Outcome) -> Tested | None:
        """What a build that failed says instead of tests. Raises TutorError `TOOLCHAIN_MISSING`."""
        if ended.timed_out:
            return built_too_long(self.limit_s)
        if build.finished and ended.returncode == 0:
            return None
        if build.no_tests:
            return RunOutcome.NOT_RUN, NO_TESTS, ()
        if build.no_linker:
            raise missing_cargo("there is no C compiler to link with", "Install gcc or clang")
        if failed := not_built(build.errors, build.unplaced):
            return failed
        said = _error(ended.stderr.decode("utf-8", "replace")).partition("\n")[0]
        raise missing_cargo(said.removeprefix("error: ") or f"exit code {ended.returncode}")


def _error(said: str) -> str:
    """What cargo or rustup says from its first error on."""
    at = 0 if said.startswith("error") else said.find("\nerror") + 1
    return said[at:].strip()


async def _safely_held(target: Path) -> int:
    """What `_hold` returns: whoever is cancelled meanwhile holds nothing."""
    holding = asyncio.create_task(asyncio.to_thread(_hold, target))
    try:
        return await asyncio.shield(holding)
    except asyncio.CancelledError:
        with contextlib.suppress(OSError):
            os.close(await holding)
        raise


def _hold(target: Path) -> int:
    """A descriptor that holds the folder for programs, which is empty then. Raises OSError."""
    target.mkdir(parents=True, exist_ok=True)
    if target.is_symlink() or target.parent.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(target))
    (target / PROGRAMS).mkdir(exist_ok=True)
    held = os.open(target / PROGRAMS, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _empty(held)
    except BaseException:
        os.close(held)
        raise
    return held


def _release(held: int) -> None:
    with contextlib.suppress(OSError):
        _empty(held)
    os.close(held)


def _empty(held: int) -> None:
    for entry in os.listdir(held):
        if stat.S_ISDIR(os.lstat(entry, dir_fd=held).st_mode):
            shutil.rmtree(entry, dir_fd=held)
        else:
            os.unlink(entry, dir_fd=held)
