"""Building the tests of a C exercise: what has not changed since is not compiled again.

An object is named after all that it is made of (its text, the headers that it includes, compiler
and flags), so that no time of a file matters and no old object is ever taken for a new one.
"""

import asyncio
import contextlib
import hashlib
import posixpath
import re
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from tutor_lsp.core.ports import Files, TestSite
from tutor_lsp.languages.c import source
from tutor_lsp.languages.c.compiler import Compiler, compiler_spec, missing_cc
from tutor_lsp.languages.c.diagnostics import Build, compiler_said, linker_said, tools_said
from tutor_lsp.languages.c.elf import object_at
from tutor_lsp.languages.c.files import PROGRAM, STUB_HEADER, TEST_HEADER, harness, included
from tutor_lsp.languages.c.tampering import may_fork
from tutor_lsp.languages.common.build_cache import BuildCache, put_file, sign
from tutor_lsp.languages.common.tampering import Tampering
from tutor_lsp.process.box import Area
from tutor_lsp.process.places import Places
from tutor_lsp.process.run import Outcome, run
from tutor_lsp.process.spec import ProgramNotFound, Spec
from tutor_lsp.process.supervised import Guard

FOLDER = "build/tutor"
KEPT = 64
"""Files of earlier builds that may stay, so that going back to a text costs nothing."""
LARGEST = 1024 * 1024
"""Files over this many bytes are not read."""

_COMPUTED = re.compile(r"^[ \t]*#[ \t]*include[ \t]+[A-Za-z_]", re.MULTILINE)
_ASKED = re.compile(r"__has_include\s*\(\s*[\"<]([^\">\n]+)")
_OF_THE_SYSTEM = ("/usr/", "/lib/", "/opt/", "/nix/store/", "/Library/", "/Applications/")
"""Where headers lie that are the same for every folder."""
_LOOKS = re.compile(r"__has_(?:include|embed)")
"""What may make an object of that no file is there."""
_MAIN = re.compile(r"\bmain\s*\(")


@dataclass(frozen=True, slots=True)
class Program:
    """A test program: its test file, where it lies, and the tests in it."""

    file: str
    path: Path
    tests: tuple[TestSite, ...]


@dataclass(slots=True)
class Built:
    """The result of a build. `programs` are complete if `build` has no errors and time was left;
    then `objects` are what they were made of, by source file. `serving`: with `harness/serve.c`."""

    build: Build = field(default_factory=Build)
    programs: list[Program] = field(default_factory=list)
    objects: dict[str, Path] = field(default_factory=dict)
    timed_out: bool = False
    serving: bool = False
    tampering: Tampering | None = None

    @property
    def failed(self) -> bool:
        """Whether compiling or linking failed."""
        return bool(self.build.errors or self.build.unplaced)


@dataclass(frozen=True, slots=True)
class Workspace:
    """The texts of src/ and tests/ with signs of the files from before they were read, and the
    test files with their tests."""

    root: Path
    files: Files
    tests: Mapping[str, tuple[TestSite, ...]]
    signs: Mapping[str, tuple[int, ...]]
    included: frozenset[tuple[str, str]] = frozenset()
    """Test files with the source that each includes as a whole, and is not linked with."""

    def without(self, files: Collection[str]) -> "Workspace":
        """The same without these test files and sources; headers stay where they are included."""
        gone = {file for file in files if not file.endswith(".h")}
        kept = {file: text for file, text in self.files.items() if file not in gone}
        tests = {file: sites for file, sites in self.tests.items() if file not in gone}
        return replace(self, files=kept, tests=tests)

    def unchanged(self, files: Iterable[str]) -> bool:
        """Whether these are still the files that were read. Blocks."""
        try:
            return all(sign(self.root / file) == self.signs[file] for file in files)
        except OSError:
            return False

    @property
    def sources(self) -> list[str]:
        """What is linked into every test program."""
        return [
            path
            for path in self.files
            if path.endswith(".c") and path != PROGRAM and path not in self.tests
        ]


def read_workspace(root: Path) -> Workspace:
    """Read the texts, after putting test.h and a stub.h that is missing back. Blocks."""
    files: dict[str, str] = {}
    signs: dict[str, tuple[int, ...]] = {}
    for folder in ("src", "tests"):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file():
                name = path.relative_to(root).as_posix()
                signs[name] = sign(path)
                files[name] = _text(path)
    for name in _put_back(root, files):
        signs[name] = sign(root / name)
    tests: dict[str, tuple[TestSite, ...]] = {}
    for name, text in files.items():
        if name.startswith("tests/") and name.endswith(".c"):
            found = source.tests(text)
            if found or _MAIN.search(text):
                tests[name] = found
    return Workspace(root, files, tests, signs)


def _text(path: Path) -> str:
    """The file's text, byte for byte; of one that is no source by its size, what tells it."""
    status = path.stat()
    if status.st_size > LARGEST:
        return f"{status.st_size} {status.st_mtime_ns}"
    return path.read_bytes().decode("utf-8", "surrogateescape")


def _put_back(root: Path, files: dict[str, str]) -> list[str]:
    """An older or edited test.h would not speak to us. Returns what was put back."""
    wanted = {TEST_HEADER: harness("test.h")} if any(f.startswith("tests/") for f in files) else {}
    if STUB_HEADER not in files and any("stub.h" in included(text) for text in files.values()):
        wanted[STUB_HEADER] = harness("stub.h")
    other = [name for name, text in wanted.items() if files.get(name) != text]
    for name in other:
        put_file(root, root / name, wanted[name].encode())
        files[name] = wanted[name]
    return other


def closure(path: str, files: Files) -> list[str]:
    """The file and every workspace file that it may include, sorted.

    Names are looked up without folders, so that it does not matter in which a compiler looks
    first; an include whose name is computed may mean any of them.
    """
    by_name: dict[str, list[str]] = {}
    for file in files:
        by_name.setdefault(PurePosixPath(file).name, []).append(file)
    found, todo = {path}, [path]
    while todo:
        text = files[todo.pop()]
        if _COMPUTED.search(text):
            return sorted({path, *(file for file in files if not file.endswith(".c"))})
        for name in (*included(text), *_ASKED.findall(text)):
            new = set(by_name.get(PurePosixPath(name).name, ())) - found
            found |= new
            todo += new
    return sorted(found)


def _is_made_of(files: Collection[str], told: Path) -> bool:
    """Whether a compiler read just these files and the system's; it told in a file, which is
    removed. Blocks."""
    try:
        text = told.read_text(encoding="utf-8", errors="surrogateescape")
        told.unlink()
    except OSError:
        return False
    _, _, read = text.replace("\\\n", " ").partition(":")
    paths = [posixpath.normpath(path) for path in read.split()]
    return all(path in files or path.startswith(_OF_THE_SYSTEM) for path in paths)


def digest(parts: Sequence[str]) -> str:
    """Identifies a list of texts."""
    hashed = hashlib.blake2b(digest_size=12)
    for part in parts:
        data = part.encode("utf-8", "surrogateescape")
        hashed.update(len(data).to_bytes(8) + data)
    return hashed.hexdigest()


@dataclass(slots=True)
class Builder:
    """One build of a workspace.

    `deadline` is of the monotonic clock; `slots` bound what runs at once; temporary files of the
    compiler go to `scratch`; it works in `places`; `keep_in` contains what is run; `cache` holds
    what was built for another folder; `serving` links `harness/serve.c` with the tests, which are
    compiled with `more` flags.
    """

    workspace: Workspace
    compiler: Compiler
    deadline: float
    slots: asyncio.Semaphore
    scratch: Path
    places: Places
    keep_in: Callable[[Spec, Area, Guard | None], Spec]
    cache: BuildCache
    serving: bool = False
    more: tuple[str, ...] = ()
    _built: Built = field(default_factory=Built)
    _used: set[str] = field(default_factory=set)

    async def build(self) -> Built:
        """Compile what changed, then link, in the build folder, which is there. Raises TutorError
        `TOOLCHAIN_MISSING`, OSError where that folder cannot be written."""
        workspace = self.workspace
        async with asyncio.TaskGroup() as group:
            objects = {
                path: group.create_task(self._object(path))
                for path in (*workspace.sources, *workspace.tests)
            }
            server = group.create_task(self._server())
        if not self._stopped(said for _, said in (task.result() for task in objects.values())):
            names = {path: task.result()[0] for path, task in objects.items()}
            shared = {path: names[path] for path in workspace.sources}
            self._built.objects = {path: workspace.root / name for path, name in names.items()}
            if await asyncio.to_thread(self._may_serve, server.result()):
                self._built.serving = True
                shared[""] = server.result()
            async with asyncio.TaskGroup() as group:
                programs = [
                    group.create_task(self._program(file, [names[file], *shared.values()]))
                    for file, shared in self._linked(shared)
                ]
            if not self._stopped(said for _, said in (task.result() for task in programs)):
                self._built.programs = [task.result()[0] for task in programs]
                await asyncio.to_thread(self._sweep)
        return self._built

    def _linked(self, shared: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, str]]]:
        """Each test file with the objects that are linked with its own, by their sources."""
        included = self.workspace.included
        for file in self.workspace.tests:
            whole = {source for test, source in included if test == file}
            mine = {path: name for path, name in shared.items() if path not in whole}
            yield file, mine if whole else shared

    def _stopped(self, said: Iterable[Build]) -> bool:
        for build in said:
            self._built.build.add(build)
        return self._built.failed or self._built.timed_out

    async def _object(self, path: str) -> tuple[str, Build]:
        """The object of a source file, made anew if nothing has the same key."""
        files, compiler = self.workspace.files, self.compiler
        parts = closure(path, files)
        texts = [text for part in parts for text in (part, files[part])]
        more = self.more if path in self.workspace.tests else ()
        key = digest([compiler.identity, *compiler.flags, *more, path, *texts])
        name, log = f"{FOLDER}/{key}.o", self.workspace.root / FOLDER / f"{key}.log"
        self._used |= {f"{key}.o", log.name}
        if await self._there(name):
            await self._there(f"{FOLDER}/{log.name}")
            kept = log.read_text(encoding="utf-8") if log.exists() else ""
            return name, compiler_said(kept, files)
        root, new = self.workspace.root, f"{FOLDER}/{key}.{secrets.token_hex(6)}"
        ended = await self._tool(compiler.compile(path, f"{new}.o", f"{new}.d", root, *more))
        text = ended.stdout.decode("utf-8", "replace")
        said = compiler_said(text, files)
        whole = await asyncio.to_thread(_is_made_of, parts, root / f"{new}.d")
        if not self._worked(ended, said):
            return name, said
        if not await asyncio.to_thread(self.workspace.unchanged, parts):
            return f"{new}.o", said  # of a text that nobody has read: it keeps that name
        if said.warnings:
            await asyncio.to_thread(put_file, root, log, text.encode())
            self.cache.put(log.name, text.encode())
        if whole and not any(_LOOKS.search(files[part]) for part in parts):
            data = await asyncio.to_thread((root / f"{new}.o").read_bytes)
            self.cache.put(f"{key}.o", data)
        (root / f"{new}.o").replace(root / name)
        return name, said

    async def _server(self) -> str:
        """The object of `harness/serve.c`, empty if there is none."""
        text, compiler, root = harness("serve.c"), self.compiler, self.workspace.root
        key = digest([compiler.identity, *compiler.compile_own("", ""), text])
        name, source = f"{FOLDER}/serve-{key}.o", f"{FOLDER}/serve-{key}.c"
        if not self.serving or not self.workspace.tests:
            return ""
        self._used |= {f"serve-{key}.o", f"serve-{key}.c"}
        if await self._there(name):
            return name
        await asyncio.to_thread(put_file, root, root / source, text.encode())
        new = f"{FOLDER}/serve-{key}.{secrets.token_hex(6)}.o"
        if (await self._tool(compiler.compile_own(source, new))).returncode != 0:
            return ""
        self.cache.put(f"serve-{key}.o", await asyncio.to_thread((root / new).read_bytes))
        (root / new).replace(root / name)
        return name

    def _may_serve(self, server: str) -> bool:
        """Whether it is there, calls nothing that the exercise has put in its place, and a fork is
        to each of the exercise's objects what a new program is. Blocks."""
        own = object_at(self.workspace.root / server) if server else None
        if own is None:
            return False
        others = [object_at(path) for path in self._built.objects.values()]
        needed = own.names(defined=False)
        return all(each is not None and may_fork(each, needed) for each in others)

    async def _program(self, file: str, objects: Sequence[str]) -> tuple[Program, Build]:
        compiler, root = self.compiler, self.workspace.root
        key = digest([compiler.identity, *compiler.link((), ""), *objects])
        name = f"{FOLDER}/{PurePosixPath(file).stem}-{key}"
        program = Program(file, root / name, self.workspace.tests[file])
        self._used.add(program.path.name)
        if await self._there(name):
            return program, Build()
        new = f"{name}.{secrets.token_hex(6)}"
        known = {each: self.cache.get(PurePosixPath(each).name) for each in objects}
        ended = await self._tool(compiler.link(tuple(objects), new))
        if ended.returncode != 0 and compiler.linker and not ended.timed_out:
            ended = await self._tool(compiler.link(tuple(objects), new, fast=False))
        output = ended.stdout.decode("utf-8", "replace")
        said = linker_said(output, self.workspace.files, file)
        if self._worked(ended, said):
            if await asyncio.to_thread(_are, [(root / each, known.get(each)) for each in objects]):
                data = await asyncio.to_thread((root / new).read_bytes)
                self.cache.put(program.path.name, data)
            (root / new).replace(program.path)
        return program, said

    async def _there(self, name: str) -> bool:
        """Whether a file is in the build folder, if need be copied there from the cache."""
        path = self.workspace.root / name
        if path.exists():
            return True
        data = self.cache.get(path.name)
        if data is None:
            return False
        mode = 0o644 if path.suffix else 0o755
        await asyncio.to_thread(put_file, self.workspace.root, path, data, mode)
        return True

    def _worked(self, ended: Outcome, said: Build) -> bool:
        if ended.timed_out:
            self._built.timed_out = True
        elif ended.returncode == 0:
            said.errors = []
            return True
        elif not said.errors:
            otherwise = [f"the compiler ended with code {ended.returncode}"]
            said.unplaced = tools_said(ended.stdout.decode("utf-8", "replace")) or otherwise
        return False

    async def _tool(self, argv: tuple[str, ...]) -> Outcome:
        async with self.slots:
            left = max(self.deadline - time.monotonic(), 0.01)
            try:
                spec = compiler_spec(argv, self.workspace.root, left, self.scratch)
                with self.places.one() as (area, guard):
                    return await run(self.keep_in(spec, area, guard))
            except ProgramNotFound as error:
                if argv[0] != self.compiler.path:  # a linker, which can be done without
                    return Outcome(127, b"", b"", timed_out=False, truncated=False, duration_ms=0)
                raise missing_cc(f"{argv[0]} was not found") from error

    def _sweep(self) -> None:
        """Remove the oldest of what this build did not use."""
        folder = self.workspace.root / FOLDER
        unused = [path for path in folder.iterdir() if path.name not in self._used]
        aged: list[tuple[float, Path]] = []
        for path in unused:
            with contextlib.suppress(FileNotFoundError):
                aged.append((path.stat().st_mtime, path))
        for _, path in sorted(aged)[: max(len(aged) - KEPT, 0)]:
            path.unlink(missing_ok=True)


def _are(files: Iterable[tuple[Path, bytes | None]]) -> bool:
    """Whether each file is just these bytes: what is known of another folder, and not changed."""
    try:
        return all(data is not None and path.read_bytes() == data for path, data in files)
    except OSError:
        return False
