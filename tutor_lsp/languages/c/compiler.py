"""The C compiler of this machine: which it is and what it can, found out once."""

import asyncio
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.mend import Mend
from tutor_lsp.languages.c.files import FLAGS, LIBRARIES, OPTIONS, SANITIZE
from tutor_lsp.languages.common.toolchain import not_ready
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import Outcome, run
from tutor_lsp.process.scratch import scratch_folder
from tutor_lsp.process.spec import Limits, ProgramNotFound, Spec

NAMES = ("cc", "gcc", "clang")
PROBE_S = 10.0
VERSION_S = 2.0
NO_CACHE = {"CCACHE_DISABLE": "1"}
"""A cache of compilations lies where a build may not write; what has not changed is kept here."""
MEMORY = 4 * 1024**3
FILE_BYTES = 256 * 1024 * 1024
REMEDY = (
    "Install a C compiler: gcc or clang (Debian: apt install gcc; macOS: xcode-select --install)."
)


def mends() -> tuple[Mend, ...]:
    """What of `REMEDY` can be typed on this machine."""
    if sys.platform == "darwin":
        return (Mend("line", line="xcode-select --install"),)
    if shutil.which("apt") is None:
        return ()
    return (Mend("line", line=f"{'' if os.geteuid() == 0 else 'sudo '}apt install gcc"),)


EXTRA = ("-fno-diagnostics-show-caret", "-fdiagnostics-column-unit=byte")
"""Flags for messages that are easy to read, where the compiler knows them."""
FILL = "-ftrivial-auto-var-init=pattern"
"""Fills variables that no code gives a value, in place of what happens to be in memory."""
LINKERS = ("mold", "lld", "gold")
"""Linkers that take a third of the time of the usual one, fastest first; none is required."""
OWN_FLAGS = ("-std=c17", "-D_GNU_SOURCE", "-O1", "-fno-lto")
OBJECTS, TARGET = "objects.o", "target"
LIGHT = ("-fno-sanitize-address-use-after-scope",)
"""For test files with hundreds of tests, where it costs most of the compiler's time: blocks of
assertions are scopes, too."""
_LINKS = re.compile(r"(?:^|/)(?:collect2|ld(?:[.64]\w*)?)$")
_TRIAL = "int main(int count, char **words) { (void)words; int a[2] = {0}; return a[count - 1]; }\n"
_VERSION = re.compile(r"\d+(?:\.\d+)+")


def missing_cc(why: str) -> TutorError:
    """The error for a compiler that is not there or does not work."""
    return not_ready(f"C is not ready to use ({why}). {REMEDY}", "cc")


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler that works. `identity` changes when another one replaces it; `direct` is
    how it would call its linker, `OBJECTS` and `TARGET` in the places of those."""

    path: str
    version: str | None
    identity: str
    sanitizes: bool
    extra: tuple[str, ...] = ()
    linker: tuple[str, ...] = ()
    direct: tuple[str, ...] = ()

    def compile(
        self, source: str, target: str, read: str, workspace: Path, *more: str
    ) -> tuple[str, ...]:
        """The command that compiles a workspace file, and writes to `read` what it was made of;
        with `more` flags."""
        moved = f"-ffile-prefix-map={workspace}=."
        told = ("-MD", "-MF", read)
        paths = ("-Isrc", "-Itests", moved)
        return (self.path, "-pipe", *self.flags, *more, *paths, *told, "-c", source, "-o", target)

    def compile_own(self, source: str, target: str) -> tuple[str, ...]:
        """The command that compiles a file of ours for the test programs."""
        return (self.path, "-pipe", *OWN_FLAGS, "-c", source, "-o", target)

    def link(self, objects: tuple[str, ...], target: str, *, fast: bool = True) -> tuple[str, ...]:
        """The command that links a test program, by the usual linker unless `fast`."""
        if fast and self.direct:
            return linking(self.direct, objects, target)
        linker = self.linker if fast else ()
        return (self.path, *self._sanitize, *linker, *objects, "-o", target, *LIBRARIES)

    @property
    def flags(self) -> tuple[str, ...]:
        """All that decides what a file is compiled to."""
        return (*FLAGS, *self._sanitize, *self.extra)

    @property
    def _sanitize(self) -> tuple[str, ...]:
        return SANITIZE if self.sanitizes else ()


def linking(direct: tuple[str, ...], objects: tuple[str, ...], target: str) -> tuple[str, ...]:
    """A call of the linker with these objects and this target."""
    parts = ((target,) if each == TARGET else (each,) for each in direct if each != OBJECTS)
    at = direct.index(OBJECTS)
    whole = [part for each in parts for part in each]
    return (*whole[:at], *objects, *whole[at:])


def direct_call(said: str, linker: str) -> tuple[str, ...]:
    """The call of the linker in what a compiler answers to `-###`, of that one and without its
    plug-ins, which are for other kinds of objects; empty if it is not to be found. Pure."""
    for line in said.splitlines():
        try:
            program, *words = shlex.split(line) or [""]
        except ValueError:
            continue
        if not _LINKS.search(program) or words.count(OBJECTS) != 1 or words.count(TARGET) != 1:
            continue
        kept: list[str] = []
        for word in words:
            if kept[-1:] == ["-plugin"]:
                kept.pop()
            elif not word.startswith(("-plugin-opt", "-fuse-ld=")):
                kept.append(word)
        return (linker, *kept)
    return ()


def compiler_spec(argv: tuple[str, ...], workspace: Path, limit_s: float, scratch: Path) -> Spec:
    """A bounded run of the compiler: in time, memory and in what it may write.

    It speaks English, with every character as it is; what it leaves when it is killed lies in
    `scratch`.
    """
    return Spec(
        argv=argv,
        cwd=workspace,
        env=child_environment(
            {"LC_ALL": "C.UTF-8", "LANGUAGE": "C", "TMPDIR": str(scratch), **NO_CACHE}
        ),
        limit_s=limit_s,
        output_bytes=256 * 1024,
        merge=True,
        limits=Limits(cpu_s=int(limit_s) + 1, file_bytes=FILE_BYTES, memory_bytes=MEMORY),
    )


class FindCompiler:
    """Finds and tries the compiler once, when first asked; again after another took its place."""

    def __init__(self) -> None:
        self._found: asyncio.Task[Compiler] | None = None
        self._identity = ""
        self._filling: dict[str, Compiler] = {}

    async def filling(self) -> Compiler:
        """The compiler with `FILL`, if it knows that. Raises as `get`."""
        compiler = await self.get()
        if compiler.identity not in self._filling:
            async with scratch_folder("cc") as folder:
                (folder / "trial.c").write_text(_TRIAL, encoding="utf-8")
                knows = await _Trial(compiler.path, folder).knows(FILL)
            extra = (*compiler.extra, FILL) if knows else compiler.extra
            self._filling = {compiler.identity: replace(compiler, extra=extra)}
        return self._filling[compiler.identity]

    async def get(self) -> Compiler:
        """The compiler. Raises TutorError `TOOLCHAIN_MISSING`."""
        path = find()
        identity = _identity(path)
        if self._found is None or identity != self._identity:
            self._identity = identity
            self._found = asyncio.create_task(_try(path, identity))
        try:
            return await asyncio.shield(self._found)
        except TutorError:
            self._identity = ""
            raise


def find() -> str:
    """Path of the compiler. Raises TutorError `TOOLCHAIN_MISSING`."""
    search = child_environment()["PATH"]
    for name in NAMES:
        path = shutil.which(name, path=search)
        if path is not None:
            return path
    raise missing_cc("no C compiler was found")


def _identity(path: str) -> str:
    status = Path(path).resolve().stat()
    return f"{path}:{status.st_size}:{status.st_mtime_ns}"


async def _try(path: str, identity: str) -> Compiler:
    async with scratch_folder("cc") as folder:
        trial = _Trial(path, folder)
        (folder / "trial.c").write_text(_TRIAL, encoding="utf-8")
        try:
            version, works = await asyncio.gather(trial.version(), trial.knows(*SANITIZE, *EXTRA))
            if works and await trial.runs():
                linker = await trial.linker(*SANITIZE, *EXTRA)
                direct = await trial.direct(*SANITIZE, *linker) if linker else ()
                return Compiler(path, version, identity, works, EXTRA, linker, direct)
            await trial.must_work()
            extra = tuple([flag for flag in EXTRA if await trial.knows(flag)])
            works = await trial.knows(*SANITIZE) and await trial.runs()
            linker = await trial.linker(*(SANITIZE if works else ()), *extra)
            return Compiler(path, version, identity, works, extra, linker)
        except ProgramNotFound as error:
            raise missing_cc(f"{path} cannot be started") from error


class _Trial:
    """Tries which flags a compiler accepts, on a small program."""

    def __init__(self, path: str, folder: Path) -> None:
        self._path = path
        self._folder = folder

    async def version(self) -> str | None:
        spec = compiler_spec((self._path, "--version"), self._folder, VERSION_S, self._folder)
        found = _VERSION.search((await run(spec)).stdout.decode("utf-8", "replace"))
        return found[0] if found else None

    async def _compile(self, *flags: str) -> Outcome:
        argv = (self._path, *FLAGS, *flags, "trial.c", "-o", "trial", *LIBRARIES)
        return await run(compiler_spec(argv, self._folder, PROBE_S, self._folder))

    async def knows(self, *flags: str) -> bool:
        """Whether it takes all of them; some compilers only warn of a flag that they do not."""
        ended = await self._compile(*flags)
        return ended.returncode == 0 and not ended.stdout.strip()

    async def linker(self, *flags: str) -> tuple[str, ...]:
        """The flag for the fastest linker that works with the others; none if there is none."""
        search = child_environment()["PATH"]
        for name in LINKERS:
            if shutil.which(f"ld.{name}", path=search) is not None:
                flag = f"-fuse-ld={name}"
                if await self.knows(*flags, flag) and await self.runs():
                    return (flag,)
        return ()

    async def direct(self, *flags: str) -> tuple[str, ...]:
        """How to call the linker of the last flag without the compiler, which takes a quarter of
        the time; empty if that does not work."""
        (self._folder / OBJECTS).touch()
        asked = (self._path, *flags, OBJECTS, "-o", TARGET, *LIBRARIES, "-###")
        said = await run(compiler_spec(asked, self._folder, PROBE_S, self._folder))
        program = shutil.which(
            flags[-1].replace("-fuse-ld=", "ld."), path=child_environment()["PATH"]
        )
        direct = direct_call(said.stdout.decode("utf-8", "replace"), program or "")
        if not program or not direct:
            return ()
        compiling = (self._path, *FLAGS, *SANITIZE, "-c", "trial.c", "-o", OBJECTS)
        for argv in (compiling, linking(direct, (OBJECTS,), "trial")):
            spec = compiler_spec(argv, self._folder, PROBE_S, self._folder)
            if (await run(spec)).returncode != 0:
                return ()
        return direct if await self.runs() else ()

    async def must_work(self) -> None:
        """Raises TutorError `TOOLCHAIN_MISSING` if it compiles nothing at all."""
        ended = await self._compile()
        if ended.returncode != 0:
            said = ended.stdout.decode("utf-8", "replace").strip().splitlines()
            raise missing_cc(said[-1] if said else f"{self._path} ends with {ended.returncode}")

    async def runs(self) -> bool:
        """Whether the program built last does what it should."""
        environment = child_environment({"ASAN_OPTIONS": OPTIONS})
        program = str(self._folder / "trial")
        return (await run(Spec((program,), self._folder, environment, PROBE_S))).returncode == 0
