"""Running the tests of a Rust exercise: one process per test."""

import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

from tutor_lsp.core.exercise.report import (
    BuildError,
    Location,
    RawReport,
    RawTest,
    RunOutcome,
)
from tutor_lsp.core.text.translation import marked
from tutor_lsp.languages.common.apart import ApartRun, Listed, Tested
from tutor_lsp.languages.common.aside import LeftOut, without_place
from tutor_lsp.languages.common.output import readable
from tutor_lsp.languages.common.tampering import Tampering, first, sources
from tutor_lsp.languages.common.toolchain import RunRequest
from tutor_lsp.languages.rust.aside import put_copy
from tutor_lsp.languages.rust.build import TARGET, Kept, RustBuild
from tutor_lsp.languages.rust.direct.compiling import Told
from tutor_lsp.languages.rust.environment import run_environment
from tutor_lsp.languages.rust.events import Build, Ran, parse_list, parse_test
from tutor_lsp.languages.rust.exit import VARIABLE, Gate
from tutor_lsp.languages.rust.reuse import Names
from tutor_lsp.languages.rust.tampering import look
from tutor_lsp.process.box import Area, put_written
from tutor_lsp.process.places import Places
from tutor_lsp.process.run import Capped, processors, run
from tutor_lsp.process.spec import Spec
from tutor_lsp.process.supervised import Guard

LIST_S = 10.0
LOG_BYTES = 64 * 1024
_PROBED: Tested = (RunOutcome.PASSED, None, ())
"""In place of results where nothing is asked but whether it builds."""
_FUNCTION = re.compile(r"\bfn\s+(\w+)")


class RustRun(ApartRun):
    """One run: build, list, then every test in a process of its own."""

    def __init__(self, request: RunRequest, kept: Kept) -> None:
        super().__init__(request)
        self._environment = run_environment(self._root)
        self._logs = True
        limit_s, containment = request.limits.total_s, request.containment
        self._building = RustBuild(
            self._root, limit_s, self._environment, containment, self._token, kept
        )
        self._cache = kept.cache.under(request.containment)
        self._elsewhere: dict[str, str] = {}
        self._left_out = LeftOut(request.aside, self._names)

    async def _run(self, scratch: Path) -> RawReport:
        if (found := await asyncio.to_thread(_tampering, self._root)) is not None:
            return RawReport(RunOutcome.NOT_RUN, reason=found.sentence())
        self._environment["TMPDIR"] = str(scratch)
        self._elsewhere = await self._around(self._cache, self._root / TARGET)
        with contextlib.suppress(OSError):  # then the compiler says what is not there
            if self._left_out.leave_out_gone(self._root):
                self._building = await self._without(self._left_out.files)
        build, tested = await self._built(scratch)
        with contextlib.suppress(OSError):  # then the build error stands
            while self._builds_again(build, tested):
                self._building = await self._without(self._left_out.files)
                build, tested = await self._built(scratch)
        outcome, reason, tests = self._left_out.settled(tested)
        return RawReport(
            outcome=outcome,
            tests=tests,
            build_errors=tuple(build.errors),
            command="cargo test",
            reason=reason,
            warnings=build.warnings,
            aside_errors=self._left_out.errors,
        )

    def _builds_again(self, build: Build, tested: Tested) -> bool:
        if tested[0] is RunOutcome.BUILD_ERROR:
            return self._left_out.again(_errors(build))
        return tested == _PROBED and self._left_out.again(())

    async def _without(self, files: Collection[str]) -> RustBuild:
        """What builds the exercise without these files."""
        target = self._root / TARGET
        copy = await asyncio.to_thread(put_copy, self._root, target, files)
        environment = {**run_environment(copy), "TMPDIR": self._environment["TMPDIR"]}
        known = self._building
        return RustBuild(
            copy, known.limit_s, environment, known.containment, known.token, known.kept
        )

    async def _built(self, scratch: Path) -> tuple[Build, Tested]:
        """Build and run the tests of what builds; what was built, and how that ended."""
        async with self._building.programs() as programs:
            try:
                with contextlib.ExitStack() as held:
                    places = _Folders(held, lambda folder: self._places(folder, scratch))
                    # a guard takes milliseconds, in which a processor may have nothing to do
                    told = Told(lambda: places.of(programs), self._tell_wrong)
                    build, ended = await self._building.build(scratch, programs, told)
                    refused = self._building.refused(build, ended)
                    tested = refused or _PROBED
                    if not (refused or self._left_out.probing):
                        tested = await self._tested(build, scratch, places)
            finally:
                await self._containment.clear(self._token)
        return build, tested

    def _tell_wrong(self, errors: Sequence[BuildError]) -> None:
        if not self._left_out.concerns(errors):
            super()._tell_wrong(errors)

    async def _tested(self, build: Build, scratch: Path, places: "_Folders") -> Tested:
        testing = self._run_all(build, scratch, places)
        return await self._unless_replaced(self._root / TARGET, testing)

    async def _run_all(self, build: Build, scratch: Path, places: "_Folders") -> Tested:
        for program in build.programs.values():
            places.of(Path(program).parent)
        listed: list[Listed] = []
        for file, program in sorted(build.programs.items()):
            listed += await self._list(file, program, scratch)
        slots = asyncio.Semaphore(processors())
        return await self._run_listed(listed, lambda test: self._test(test, places, slots))

    async def _list(self, file: str, program: str, scratch: Path) -> list[Listed]:
        text = await asyncio.to_thread(self._text, file)
        known = self._building.reuse.names(file)
        if known is None:
            known = Names(tuple(await self._asked(program, scratch)), self._logs)
            self._building.reuse.keep_names(file, text, known)
        self._logs = known.logs
        lines = _definitions(text)
        places = {
            name: Location(file, lines.get(name.rpartition("::")[2], 1)) for name in known.names
        }
        found = [Listed(Path(program), name, place) for name, place in places.items()]
        return sorted(found, key=lambda test: test.place.line)

    async def _asked(self, program: str, scratch: Path) -> list[str]:
        """The tests that a program says it has."""
        arguments = ["--list", "--format", "terse"]
        if self._logs:
            arguments += ["--logfile", str(scratch / "list")]
        # stderr apart: the note that --logfile is deprecated ends without a newline
        spec = replace(self._spec(program, arguments, LIST_S), merge=False)
        area = Area(self._root, scratch, outputs=(scratch / "list",))
        outcome = await run(self._containment.apply(spec, area, token=self._token))
        said = outcome.stdout.decode("utf-8", "replace")
        if self._logs and outcome.returncode != 0 and b"logfile" in outcome.stderr:
            self._logs = False
            return await self._asked(program, scratch)
        return list(parse_list(said)) if outcome.returncode == 0 else []

    def _text(self, file: str) -> str:
        path = self._root / file
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    async def _test(
        self, test: Listed, places: "_Folders", slots: asyncio.Semaphore
    ) -> RawTest | None:
        """None if there was no time left to run it."""
        async with slots:
            left = self._deadline - time.monotonic()
            if left <= 0:
                return None
            limit = min(self._patience.limit_s(test.short), left)
            with places.of(test.program.parent).one() as (area, guard):
                ran = await self._once(test, area, guard, limit)
            if ran.timed_out:
                self._patience.hung(test.short)
        return parse_test(ran, test.place)

    async def _once(self, test: Listed, area: Area, guard: Guard | None, limit: float) -> Ran:
        log = area.outputs[0]
        # with one thread alone some versions run the test on the first one
        arguments = ["--exact", test.name, "--nocapture", "--format", "terse"]
        arguments += ["--test-threads", "2"]
        if self._logs:
            arguments += ["--logfile", str(log)]
        with Gate() as gate:
            spec = self._spec(str(test.program), arguments, limit, gate)
            kept = Capped(spec.output_bytes, spec.tail_bytes)
            spec = self._containment.apply(spec, area, token=self._token, guard=guard)
            outcome = await run(spec, keep=kept)
            ended = gate.passed() if self._building.gated else None
        put_written(area)
        return Ran(
            name=test.name,
            returncode=outcome.returncode,
            output=readable(kept),
            log=self._read_log(log),
            how=self._containment.how_it_ended(outcome.returncode),
            timed_out=marked(f"did not finish within {limit:g} s") if outcome.timed_out else None,
            waited=outcome.waited,
            duration_ms=outcome.duration_ms,
            ended=ended,
        )

    def _read_log(self, log: Path) -> str | None:
        if not self._logs:
            return None
        if not log.exists():
            return ""
        with log.open("rb") as file:
            return file.read(LOG_BYTES).decode("utf-8", "replace")

    def _places(self, folder: Path, scratch: Path) -> Places:
        """Where tests of the programs in a folder work."""
        spec = self._spec(str(folder / "tests"), [], self._limits.test_s)
        return Places(self._containment, spec, lambda: self._area(scratch))

    def _area(self, scratch: Path) -> Area:
        """Where one test works."""
        log = scratch / secrets.token_hex(8)
        written = log.with_suffix(".written") if self._limits.keeps_files else None
        return Area(self._root, scratch, outputs=(log,), written=written)

    def _spec(
        self, program: str, arguments: list[str], limit_s: float, gate: Gate | None = None
    ) -> Spec:
        if gate is None:
            environment = {**self._environment, **self._elsewhere}
            return self._test_spec((program, *arguments), environment, limit_s)
        environment = {**self._environment, **self._elsewhere, VARIABLE: str(gate.fd)}
        return self._test_spec((program, *arguments), environment, limit_s, gate.fd)


class _Folders:
    """Where tests work, by the folder of their programs: prepared on first use."""

    def __init__(self, held: contextlib.ExitStack, make: Callable[[Path], Places]) -> None:
        self._held = held
        self._make = make
        self._places: dict[Path, Places] = {}

    def of(self, folder: Path) -> Places:
        """Those of the programs in a folder. Raises OSError."""
        places = self._places.get(folder)
        if places is None:
            places = self._places[folder] = self._held.enter_context(self._make(folder))
            places.make(processors())
        return places


def _errors(build: Build) -> list[BuildError]:
    """Why it could not be built, also what has no place."""
    return build.errors or without_place(build.unplaced)


def _tampering(workspace: Path) -> Tampering | None:
    return first(each for file, text in sources(workspace, ".rs") for each in look(file, text))


def _definitions(text: str) -> dict[str, int]:
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for match in _FUNCTION.finditer(line):
            lines.setdefault(match[1], number)
    return lines
