"""Building a C exercise and running its tests: one process per test."""

import asyncio
import contextlib
import os
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tutor_lsp.core.exercise.report import (
    NO_TESTS,
    BuildError,
    Location,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
)
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.c.build import FOLDER, Builder, Built, Program, Workspace, read_workspace
from tutor_lsp.languages.c.compiler import MEMORY, Compiler, FindCompiler, compiler_spec
from tutor_lsp.languages.c.events import Ran, parse_test, started
from tutor_lsp.languages.c.files import OPTIONS, STUB_HEADER, harness
from tutor_lsp.languages.c.tampering import look, look_at_objects
from tutor_lsp.languages.common.build_cache import BuildCache
from tutor_lsp.languages.common.output import readable
from tutor_lsp.languages.common.patience import Patience
from tutor_lsp.languages.common.tampering import (
    REPLACED,
    Stamp,
    Tampering,
    first,
    left_by_build,
    replaced,
    stamps,
)
from tutor_lsp.process.box import Area, put_written
from tutor_lsp.process.child import Limits, ProgramNotFound, Spec
from tutor_lsp.process.contain import Containment
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.places import Places
from tutor_lsp.process.run import Capped, processors, run
from tutor_lsp.process.scratch import nameless_file, scratch_folder
from tutor_lsp.process.supervised import Guard

COMMAND = "make test"
TAIL = 16 * 1024
CHANNEL_BYTES = 64 * 1024
REPORT_BYTES = 64 * 1024
TRIES = 3
"""A sanitizer that cannot lay out its memory ends the program before it begins; with an address
layout by chance, the next try mostly goes well."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """A test of a program; `place` is where it is defined."""

    program: Program
    name: str
    place: Location


class CRun:
    """One run: read, build, then every test in a process of its own."""

    def __init__(
        self,
        workspace: Path,
        tests: Sequence[str] | None,
        limits: RunLimits,
        targets: Mapping[str, str] | None,
        containment: Containment,
        compiler: FindCompiler,
        cache: BuildCache,
    ) -> None:
        self._root = workspace.resolve()
        self._names = None if tests is None else set(tests)
        self._limits = limits
        self._patience = Patience(limits, targets)
        self._containment = containment
        self._finder = compiler
        self._cache = cache.under(containment)
        self._token = secrets.token_hex(16)
        self._slots = asyncio.Semaphore(processors())
        self._deadline = 0.0
        self._environment = child_environment()
        self._bounds = Limits()

    async def report(self) -> RawReport:
        """Run all. Raises TutorError `TOOLCHAIN_MISSING`."""
        begun = time.monotonic()
        self._deadline = begun + self._limits.total_s
        compiler = await self._finder.get()
        if not compiler.sanitizes:  # a sanitizer reserves terabytes, and has a limit of its own
            self._bounds = Limits(memory_bytes=MEMORY)
        async with scratch_folder("run") as scratch:
            try:
                with self._places(scratch) as places:
                    built = await self._build(compiler, scratch, places)
                    tested = self._refused(built) or await self._tested(built, places)
            finally:
                await self._containment.clear(self._token)
        outcome, reason, tests = tested
        return RawReport(
            outcome=outcome,
            tests=tests,
            build_errors=tuple(built.build.errors),
            duration_ms=(time.monotonic() - begun) * 1000,
            command=COMMAND,
            reason=reason,
            warnings=len(built.build.warnings),
        )

    async def _build(self, compiler: Compiler, scratch: Path, places: Places) -> Built:
        try:
            workspace, tampering = await asyncio.to_thread(self._read)
            built = Built(tampering=tampering)
            if built.tampering is None:
                places.make(processors())
                built = await self._compiled(workspace, compiler, scratch)
                built.tampering = await asyncio.to_thread(_in_objects, workspace, built)
        except OSError as error:
            built = Built()
            built.build.unplaced.append(f"The tests cannot be built here: {error}")
        else:
            if built.failed:
                built.build.errors = _headers_first(workspace, built)
        return built

    def _read(self) -> tuple[Workspace, Tampering | None]:
        """The texts, and what is wrong with them; else the build folder is there. Raises OSError.
        Blocks."""
        workspace = read_workspace(self._root)
        tampering = _in_texts(workspace)
        if tampering is None:
            (self._root / FOLDER).mkdir(parents=True, exist_ok=True)
        return workspace, tampering

    def _keep_in(self, spec: Spec, area: Area, guard: Guard | None) -> Spec:
        return self._containment.apply(spec, area, token=self._token, guard=guard)

    async def _compiled(self, workspace: Workspace, compiler: Compiler, scratch: Path) -> Built:
        try:
            with self._building_places(compiler, scratch) as places:
                builder = Builder(
                    workspace,
                    compiler,
                    self._deadline,
                    self._slots,
                    scratch,
                    places,
                    self._keep_in,
                    self._cache,
                )
                return await builder.build()
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    def _refused(self, built: Built) -> tuple[RunOutcome, str | None, tuple[RawTest, ...]] | None:
        if built.tampering is not None:
            return RunOutcome.NOT_RUN, built.tampering.sentence(), ()
        if built.timed_out:
            limit = f"{self._limits.total_s:g} s"
            return RunOutcome.TIMEOUT, f"Building took longer than {limit} and was stopped.", ()
        if built.build.errors:
            first = built.build.errors[0]
            where = f"{first.file}, line {first.line}: {first.message}"
            return RunOutcome.BUILD_ERROR, where, ()
        if built.build.unplaced:
            return RunOutcome.BUILD_ERROR, built.build.unplaced[0], ()
        return None

    async def _tested(
        self, built: Built, places: Places
    ) -> tuple[RunOutcome, str | None, tuple[RawTest, ...]]:
        listed = [
            _Listed(program, site.name, Location(program.file, site.line))
            for program in built.programs
            for site in program.tests
        ]
        if not listed:
            return RunOutcome.NOT_RUN, NO_TESTS, ()
        wanted = [test for test in listed if self._names is None or test.name in self._names]
        if not wanted:
            reason = "None of the tests that were asked for exists."
            return RunOutcome.NOT_RUN, reason, tuple(_not_run(test) for test in listed)
        before = await asyncio.to_thread(self._stamps)
        try:
            async with asyncio.TaskGroup() as group:
                running = [group.create_task(self._test(test, places)) for test in wanted]
        finally:
            await self._containment.clear(self._token)
        if await asyncio.to_thread(replaced, before):
            return RunOutcome.NOT_RUN, REPLACED, ()
        results = dict(zip(wanted, (task.result() for task in running), strict=True))
        tests = tuple(results.get(test) or _not_run(test) for test in listed)
        ended = [result for result in results.values() if result is not None]
        if len(ended) < len(wanted):
            reason = (
                f"The tests took longer than {self._limits.total_s:g} s together; "
                f"{len(wanted) - len(ended)} did not run."
            )
            return RunOutcome.TIMEOUT, reason, tests
        green = all(test.outcome is TestOutcome.PASSED for test in ended)
        return (RunOutcome.PASSED if green else RunOutcome.FAILED), None, tests

    def _stamps(self) -> dict[Path, Stamp]:
        """What a test may change of what was built."""
        built = self._root / FOLDER
        return {} if self._containment.isolated else stamps(left_by_build(built))

    async def _test(self, test: _Listed, places: Places) -> RawTest | None:
        """None if there was no time left to run it."""
        async with self._slots:
            for _ in range(TRIES):
                left = self._deadline - time.monotonic()
                if left <= 0:
                    return None
                try:
                    limit_s = min(self._patience.limit_s(test.name), left)
                    ran = await self._once(test, places, limit_s)
                except (OSError, ProgramNotFound):
                    if test.program.path.exists() and self._root.exists():
                        raise  # the machine's own trouble
                    return _gone(test)
                if started(ran) or ran.timed_out or ran.returncode == 0:
                    break
            if ran.timed_out:
                self._patience.hung(test.name)
        return parse_test(ran, test.place)

    async def _once(self, test: _Listed, places: Places, limit_s: float) -> Ran:
        word, last = secrets.token_hex(16), secrets.token_hex(16)
        with nameless_file() as channel, places.one() as (area, guard):
            os.write(channel.fileno(), f"{word}\t{last}\n".encode())
            os.lseek(channel.fileno(), 0, os.SEEK_SET)
            report = _report(area)
            spec = self._spec(test, channel, report, limit_s)
            kept = Capped(spec.output_bytes, spec.tail_bytes)
            outcome = await run(self._keep_in(spec, area, guard), keep=kept)
            put_written(area)
            return Ran(
                name=test.name,
                returncode=outcome.returncode,
                output=readable(kept),
                channel=os.pread(channel.fileno(), CHANNEL_BYTES, 0).decode("utf-8", "replace"),
                report=_reports(report),
                how=self._containment.how_it_ended(outcome.returncode),
                timed_out=f"did not finish within {limit_s:g} s" if outcome.timed_out else None,
                duration_ms=outcome.duration_ms,
                word=word,
                last=last,
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
        spec = Spec(
            (program,), self._root, self._environment, self._limits.test_s, limits=self._bounds
        )
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

    def _spec(
        self,
        test: _Listed,
        channel: IO[bytes],
        report: Path,
        limit_s: float,
    ) -> Spec:
        own = {
            "TUTOR_FD": str(channel.fileno()),
            "TEST_ONLY": test.name,
            "TMPDIR": str(report.parent),
            "ASAN_OPTIONS": f'{OPTIONS}:color=never:log_path="{report}"',
            "UBSAN_OPTIONS": f'color=never:print_stacktrace=1:log_path="{report}"',
        }
        return Spec(
            argv=(str(test.program.path),),
            cwd=self._root,
            env={**self._environment, **own},
            limit_s=limit_s,
            output_bytes=self._limits.output_bytes + TAIL,
            tail_bytes=TAIL,
            pass_fds=(channel.fileno(),),
            merge=True,
            limits=self._bounds,
        )


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


def _headers_first(workspace: Workspace, built: Built) -> list[BuildError]:
    """What is missing at the end of a header is told by the compiler in the file after it."""
    from tutor_lsp.languages.c import source

    headers = [file for file in workspace.files if file.endswith(".h")]
    found = (source.syntax_error(file, workspace.files[file]) for file in headers)
    errors = [error for error in found if error is not None]
    return [*errors, *built.build.errors]


def _gone(test: _Listed) -> RawTest:
    """Another test has removed the program, or the folder that it runs in."""
    error = "the run ended before this test: its program was removed"
    return RawTest(test.name, TestOutcome.ERRORED, location=test.place, error=error)


def _not_run(test: _Listed) -> RawTest:
    return RawTest(test.name, TestOutcome.NOT_RUN, location=test.place)
