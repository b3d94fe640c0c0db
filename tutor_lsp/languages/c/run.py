"""Building a C exercise and running its tests: one process per test.

Where tests can reach nothing outside their own containment, a program is loaded once and forks for
each test (`harness/serve.c`); a test whose end it did not report gets a program of its own.
"""

import asyncio
import contextlib
import os
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from tutor_lsp.core.exercise.exercise import Aside
from tutor_lsp.core.exercise.report import (
    BuildError,
    Location,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
)
from tutor_lsp.core.text.translation import marked
from tutor_lsp.languages.c import source
from tutor_lsp.languages.c.build import FOLDER, Builder, Built, Workspace, closure, read_workspace
from tutor_lsp.languages.c.compiler import LIGHT, Compiler, FindCompiler, compiler_spec
from tutor_lsp.languages.c.events import Ran, parse_test, started
from tutor_lsp.languages.c.files import OPTIONS, STUB_HEADER, harness
from tutor_lsp.languages.c.tampering import look, look_at_objects
from tutor_lsp.languages.common.apart import (
    ApartRun,
    Listed,
    Tested,
    built_too_long,
    not_built,
)
from tutor_lsp.languages.common.aside import LeftOut, without_place
from tutor_lsp.languages.common.build_cache import BuildCache
from tutor_lsp.languages.common.output import readable
from tutor_lsp.languages.common.running import TAIL
from tutor_lsp.languages.common.tampering import Tampering, first
from tutor_lsp.languages.common.toolchain import RunRequest
from tutor_lsp.process.box import Area, put_written
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.forking import Fork, ForkingPrograms
from tutor_lsp.process.places import Places
from tutor_lsp.process.run import Capped, Outcome, processors, run
from tutor_lsp.process.scratch import nameless_file
from tutor_lsp.process.spec import Limits, ProgramNotFound, Spec
from tutor_lsp.process.supervised import Guard

COMMAND = "make test"
CHANNEL_BYTES = 64 * 1024
REPORT_BYTES = 64 * 1024
LEAST_S = 0.01
TRIES = 3
"""A sanitizer that cannot lay out its memory ends the program before it begins; with an address
layout by chance, the next try mostly goes well."""


class CRun(ApartRun):
    """One run: read, build, then every test in a process of its own."""

    def __init__(self, request: RunRequest, compiler: FindCompiler, cache: BuildCache) -> None:
        super().__init__(replace(request, workspace=request.workspace.resolve()))
        self._finder = compiler
        self._cache = cache.under(request.containment)
        self._slots = asyncio.Semaphore(processors())
        self._environment = child_environment()
        self._serving = False
        self._aside = request.aside
        self._left_out = LeftOut(request.aside, self._names)

    async def _run(self, scratch: Path) -> RawReport:
        around = self._limits.around
        compiler = await (self._finder.filling() if around else self._finder.get())
        if compiler.sanitizes:  # a sanitizer reserves terabytes, and has a limit of its own
            self._bounds = Limits()
        with self._places(scratch) as places:
            built = await self._build(compiler, scratch, places)
            self._environment |= await self._around(self._cache, self._root / FOLDER)
            self._serving = built.serving
            async with ForkingPrograms(places, self._served) as programs:
                tested = self._refused(built) or await self._tested(built, places, programs)
        outcome, reason, tests = self._left_out.settled(tested)
        return RawReport(
            outcome=outcome,
            tests=tests,
            build_errors=tuple(built.build.errors),
            command=COMMAND,
            reason=reason,
            warnings=len(built.build.warnings),
            aside_errors=self._left_out.errors,
        )

    async def _build(self, compiler: Compiler, scratch: Path, places: Places) -> Built:
        try:
            with self._building_places(compiler, scratch) as building:
                building.make(1)  # ready once the texts are read
                workspace, tampering = await asyncio.to_thread(self._read)
                built = Built(tampering=tampering)
                if built.tampering is None:
                    places.make(processors())
                    whole = workspace
                    if self._left_out.leave_out_gone(self._root):
                        workspace = whole.without(self._left_out.files)
                    built = await self._compiled(workspace, compiler, scratch, building)
                    while not built.timed_out and self._left_out.again(
                        _errors(workspace, built, self._left_out.sources)
                    ):
                        workspace = whole.without(self._left_out.files)
                        built = await self._compiled(workspace, compiler, scratch, building)
                    built.tampering = await asyncio.to_thread(_in_objects, workspace, built)
        except OSError as error:
            built = Built()
            built.build.unplaced.append(f"The tests cannot be built here: {error}")
        else:
            if built.failed:
                built.build.errors = _headers_first(workspace, built, self._left_out.sources)
        return built

    def _read(self) -> tuple[Workspace, Tampering | None]:
        """The texts, and what is wrong with them; else the build folder is there. Raises OSError.
        Blocks."""
        workspace = read_workspace(self._root)
        if self._aside:
            workspace = replace(workspace, included=_included(workspace, self._aside))
        tampering = _in_texts(workspace)
        if tampering is None:
            (self._root / FOLDER).mkdir(parents=True, exist_ok=True)
        return workspace, tampering

    def _keep_in(self, spec: Spec, area: Area, guard: Guard | None) -> Spec:
        return self._containment.apply(spec, area, token=self._token, guard=guard)

    async def _compiled(
        self, workspace: Workspace, compiler: Compiler, scratch: Path, places: Places
    ) -> Built:
        builder = Builder(
            workspace,
            compiler,
            self._deadline,
            self._slots,
            scratch,
            places,
            self._keep_in,
            self._cache,
            # else the heap is not new, or the folder not
            serving=self._containment.guarded and compiler.sanitizes and not self._limits.around,
            more=LIGHT if self._limits.plain and compiler.sanitizes else (),
        )
        try:
            return await builder.build()
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    def _refused(self, built: Built) -> Tested | None:
        if built.tampering is not None:
            return RunOutcome.NOT_RUN, built.tampering.sentence(), ()
        if built.timed_out:
            return built_too_long(self._limits.total_s)
        return not_built(built.build.errors, built.build.unplaced)

    async def _tested(self, built: Built, places: Places, programs: ForkingPrograms) -> Tested:
        listed = [
            Listed(program.path, site.name, Location(program.file, site.line))
            for program in built.programs
            for site in program.tests
        ]
        testing = self._run_listed(listed, lambda test: self._test(test, places, programs))
        return await self._unless_replaced(self._root / FOLDER, testing)

    async def _test(
        self, test: Listed, places: Places, programs: ForkingPrograms
    ) -> RawTest | None:
        """None if there was no time left to run it."""
        async with self._slots:
            for _ in range(TRIES):
                left = self._deadline - time.monotonic()
                if left <= 0:
                    return None
                try:
                    limit_s = min(self._patience.limit_s(test.name), left)
                    end = time.monotonic() + limit_s
                    ran = await self._forked(test, programs, limit_s) or await self._once(
                        test, places, limit_s, end
                    )
                except (OSError, ProgramNotFound):
                    if test.program.exists() and self._root.exists():
                        raise  # the machine's own trouble
                    return _gone(test)
                if started(ran) or ran.timed_out or ran.returncode == 0:
                    break
            if ran.timed_out:
                self._patience.hung(test.name)
        return parse_test(ran, test.place)

    async def _forked(self, test: Listed, programs: ForkingPrograms, limit_s: float) -> Ran | None:
        """By a program that is there already; None if there is none, or none that told how the test
        ended."""
        if not self._serving:
            return None
        with _Said() as said:
            kept = Capped(self._limits.output_bytes + TAIL, TAIL)
            async with programs.one(test.program) as program:
                ended = await program.ask(test.name, said.channel.fileno(), kept, limit_s)
                if ended is None:
                    self._serving = False
                    return None
                if program.clean:
                    return self._ran(test, said, kept, ended, limit_s, "")
                await program.end()
                put_written(program.area)
                reports = _reports(_report(program.area))
                return self._ran(test, said, kept, ended, limit_s, reports)

    async def _once(self, test: Listed, places: Places, limit_s: float, end: float) -> Ran:
        """By a program of its own, until `end`: a fork may have used up some of the time."""
        with _Said() as said, places.one() as (area, guard):
            report = _report(area)
            channel = said.channel.fileno()
            own = {"TUTOR_FD": str(channel), "TEST_ONLY": test.name}
            left_s = min(limit_s, max(end - time.monotonic(), LEAST_S))
            spec = self._spec(test.program, report, own, left_s, channel)
            kept = Capped(spec.output_bytes, spec.tail_bytes)
            outcome = await run(self._keep_in(spec, area, guard), keep=kept)
            put_written(area)
            return self._ran(test, said, kept, outcome, limit_s, _reports(report))

    def _ran(
        self,
        test: Listed,
        said: "_Said",
        kept: Capped,
        ended: Outcome | Fork,
        limit_s: float,
        reports: str,
    ) -> Ran:
        return Ran(
            name=test.name,
            returncode=ended.returncode,
            output=readable(kept),
            channel=os.pread(said.channel.fileno(), CHANNEL_BYTES, 0).decode("utf-8", "replace"),
            report=reports,
            how=self._containment.how_it_ended(ended.returncode),
            timed_out=marked(f"did not finish within {limit_s:g} s") if ended.timed_out else None,
            waited=ended.waited,
            duration_ms=ended.duration_ms,
            word=said.word,
            last=said.last,
        )

    def _building_places(self, compiler: Compiler, scratch: Path) -> Places:
        """Where the compiler works."""
        spec = compiler_spec((compiler.path,), self._root, self._limits.total_s, scratch)
        writable = (self._root / FOLDER,)
        area = Area(self._root, scratch, writable=writable, copied=False)
        return Places(self._containment, spec, lambda: area)

    def _places(self, scratch: Path) -> Places:
        """Where tests work."""
        program = str(self._root / FOLDER / "tests")
        spec = self._test_spec((program,), self._environment, self._limits.test_s)
        return Places(self._containment, spec, lambda: self._area(scratch))

    def _area(self, scratch: Path) -> Area:
        """Where one test works."""
        report = scratch / secrets.token_hex(8)
        written = report.with_name(f"written-{report.name}")
        return Area(
            self._root,
            scratch,
            gathered=(report, _all_reports(report)),
            written=written if self._limits.keeps_files else None,
        )

    def _served(self, program: Path, fd: int, area: Area, guard: Guard | None) -> Spec:
        """A program that forks for the tests that it is asked for."""
        own = {"TUTOR_SERVE": str(fd)}
        spec = self._spec(program, _report(area), own, self._limits.total_s, fd)
        return self._keep_in(spec, area, guard)

    def _spec(
        self, program: Path, report: Path, more: Mapping[str, str], limit_s: float, fd: int
    ) -> Spec:
        own = {
            "TMPDIR": str(report.parent),
            "ASAN_OPTIONS": f'{OPTIONS}{self._filled()}:color=never:log_path="{report}"',
            "UBSAN_OPTIONS": f'color=never:print_stacktrace=1:log_path="{report}"',
        }
        environment = {**self._environment, **own, **more}
        return self._test_spec((str(program),), environment, limit_s, fd)

    def _filled(self) -> str:
        """What a run in other surroundings finds in memory that nobody has written."""
        filled = ":malloc_fill_byte=65:max_malloc_fill_size=65536:verify_asan_link_order=0"
        return filled if self._limits.around else ""


class _Said:
    """What a test says on its private channel, after two words that only it can know."""

    def __init__(self) -> None:
        self.word, self.last = secrets.token_hex(16), secrets.token_hex(16)
        self.channel = nameless_file()
        os.write(self.channel.fileno(), f"{self.word}\t{self.last}\n".encode())
        os.lseek(self.channel.fileno(), 0, os.SEEK_SET)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.channel.close()


def _in_texts(workspace: Workspace) -> Tampering | None:
    texts = ((file, text) for file, text in workspace.files.items() if _is_own(file, text))
    return first(each for file, text in texts for each in look(file, text))


def _is_own(file: str, text: str) -> bool:
    return (
        file.startswith("src/")
        and file.endswith((".c", ".h"))
        and not (file == STUB_HEADER and text == harness("stub.h"))
    )


def _in_objects(workspace: Workspace, built: Built) -> Tampering | None:
    headers = [text for file, text in workspace.files.items() if file.endswith(".h")]
    headers = [text for text in headers if text != harness("test.h")]
    sources = {file: path for file, path in built.objects.items() if file in workspace.sources}
    tests = [path for file, path in built.objects.items() if file.startswith("tests/")]
    own = {file: path for file, path in sources.items() if file.startswith("src/")}
    return first(look_at_objects(own, tests, headers))


def _report(area: Area) -> Path:
    """What begins the paths to which the sanitizers of a test write; their process follows."""
    if area.gathered is None:
        raise ValueError
    return area.gathered[0]


def _all_reports(report: Path) -> Path:
    return report.with_name(f"all-{report.name}")


def _reports(report: Path) -> str:
    """What sanitizers wrote: a file for each process, or where it was gathered."""
    begin, files = f"{report.name}.", [_all_reports(report)]
    with contextlib.suppress(FileNotFoundError):  # a test may remove what is not kept from it
        files += sorted(each for each in report.parent.iterdir() if each.name.startswith(begin))
    texts = []
    for file in files:
        with contextlib.suppress(FileNotFoundError), file.open("rb") as stream:
            texts.append(stream.read(REPORT_BYTES).decode("utf-8", "replace"))
    return "\n".join(texts)


def _headers_first(
    workspace: Workspace, built: Built, left_out: Collection[str]
) -> list[BuildError]:
    """Headers' errors first: the compiler reports those in the file that includes the header."""
    headers = [file for file in workspace.files if file.endswith(".h") and file not in left_out]
    found = (source.syntax_error(file, workspace.files[file]) for file in headers)
    errors = [error for error in found if error is not None]
    return [*errors, *built.build.errors]


def _errors(workspace: Workspace, built: Built, left_out: Collection[str]) -> list[BuildError]:
    """Why it could not be built, also what has no place; nothing if it was."""
    if not built.failed:
        return []
    return _headers_first(workspace, built, left_out) or without_place(built.build.unplaced)


def _included(workspace: Workspace, units: Sequence[Aside]) -> frozenset[tuple[str, str]]:
    """The test files that include the source of their unit, which has no header then."""
    files = workspace.files
    return frozenset(
        (unit.test_file, unit.file)
        for unit in units
        if unit.file.endswith(".c") and unit.test_file in files
        if unit.file in closure(unit.test_file, files)
    )


def _gone(test: Listed) -> RawTest:
    """Another test has removed the program, or the folder that it runs in."""
    error = marked("the run ended before this test: its program was removed")
    return RawTest(test.name, TestOutcome.ERRORED, location=test.place, error=error)
