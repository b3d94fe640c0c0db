"""Running the tests of a Rust exercise: one process per test."""

import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tutor_lsp.core.exercise.report import (
    NO_TESTS,
    Location,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
)
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.common.output import readable
from tutor_lsp.languages.common.patience import Patience
from tutor_lsp.languages.common.tampering import (
    REPLACED,
    Stamp,
    Tampering,
    first,
    left_by_build,
    replaced,
    sources,
    stamps,
)
from tutor_lsp.languages.rust.build import TARGET, Kept, RustBuild
from tutor_lsp.languages.rust.environment import cargo_environment
from tutor_lsp.languages.rust.events import Build, Ran, parse_list, parse_test
from tutor_lsp.languages.rust.exit import VARIABLE, Gate
from tutor_lsp.languages.rust.reuse import Names
from tutor_lsp.languages.rust.tampering import look
from tutor_lsp.process.box import Area, put_written
from tutor_lsp.process.child import Limits, Spec
from tutor_lsp.process.contain import Containment
from tutor_lsp.process.places import Places
from tutor_lsp.process.run import Capped, processors, run
from tutor_lsp.process.scratch import scratch_folder
from tutor_lsp.process.supervised import Guard

LIST_S = 10.0
TAIL = 16 * 1024
LOG_BYTES = 64 * 1024
MEMORY = 4 * 1024**3
_FUNCTION = re.compile(r"\bfn\s+(\w+)")


@dataclass(frozen=True, slots=True)
class _Listed:
    """A test of a program; `place` is where it is defined."""

    program: str
    name: str
    place: Location

    @property
    def short(self) -> str:
        return self.name.rpartition("::")[2]


class RustRun:
    """One run: build, list, then every test in a process of its own."""

    def __init__(
        self,
        workspace: Path,
        tests: Sequence[str] | None,
        limits: RunLimits,
        targets: Mapping[str, str] | None,
        containment: Containment,
        kept: Kept,
    ) -> None:
        self._workspace = workspace
        self._names = None if tests is None else set(tests)
        self._limits = limits
        self._patience = Patience(limits, targets)
        self._containment = containment
        self._environment = cargo_environment(
            RUST_BACKTRACE="0",
            CARGO_PROFILE_DEV_DEBUG="0",
            CARGO_PROFILE_DEV_CODEGEN_UNITS="1",
            CARGO_MANIFEST_DIR=str(workspace),
        )
        self._logs = True
        self._token = secrets.token_hex(16)
        self._building = RustBuild(
            workspace, limits.total_s, self._environment, containment, self._token, kept
        )
        self._deadline = 0.0

    async def report(self) -> RawReport:
        """Run all. Raises TutorError `TOOLCHAIN_MISSING`."""
        started = time.monotonic()
        self._deadline = started + self._limits.total_s
        if not self._workspace.is_dir():
            return RawReport(RunOutcome.NOT_RUN, reason=f"The folder {self._workspace} is gone.")
        if (found := await asyncio.to_thread(_tampering, self._workspace)) is not None:
            return RawReport(RunOutcome.NOT_RUN, reason=found.sentence())
        async with scratch_folder("run") as scratch, self._building.programs() as programs:
            self._environment["TMPDIR"] = str(scratch)
            try:
                build, ended = await self._building.build(scratch, programs)
                refused = self._building.refused(build, ended)
                outcome, reason, tests = refused or await self._tested(build, scratch)
            finally:
                await self._containment.clear(self._token)
        return RawReport(
            outcome=outcome,
            tests=tests,
            build_errors=tuple(build.errors),
            duration_ms=(time.monotonic() - started) * 1000,
            command="cargo test",
            reason=reason,
            warnings=build.warnings,
        )

    async def _tested(
        self, build: Build, scratch: Path
    ) -> tuple[RunOutcome, str | None, tuple[RawTest, ...]]:
        before = await asyncio.to_thread(self._stamps)
        try:
            result = await self._run_tests(build, scratch)
        finally:
            await self._containment.clear(self._token)
        if await asyncio.to_thread(replaced, before):
            return RunOutcome.NOT_RUN, REPLACED, ()
        return result

    def _stamps(self) -> dict[Path, Stamp]:
        """What a run may change of what was built."""
        target = self._workspace / TARGET
        return {} if self._containment.isolated else stamps(left_by_build(target))

    async def _run_tests(
        self, build: Build, scratch: Path
    ) -> tuple[RunOutcome, str | None, tuple[RawTest, ...]]:
        with contextlib.ExitStack() as held:
            folders = {Path(program).parent for program in build.programs.values()}
            places = {
                folder: held.enter_context(self._places(folder, scratch)) for folder in folders
            }
            return await self._run_all(build, scratch, places)

    async def _run_all(
        self, build: Build, scratch: Path, places: Mapping[Path, Places]
    ) -> tuple[RunOutcome, str | None, tuple[RawTest, ...]]:
        for each in places.values():
            each.make(processors())
        listed: list[_Listed] = []
        for file, program in sorted(build.programs.items()):
            listed += await self._list(file, program, scratch)
        if not listed:
            return RunOutcome.NOT_RUN, NO_TESTS, ()
        wanted = [test for test in listed if self._wants(test)]
        if not wanted:
            reason = "None of the tests that were asked for exists."
            return RunOutcome.NOT_RUN, reason, tuple(_not_run(test) for test in listed)
        slots = asyncio.Semaphore(processors())
        async with asyncio.TaskGroup() as group:
            running = [group.create_task(self._test(test, places, slots)) for test in wanted]
        results = dict(zip(wanted, (task.result() for task in running), strict=True))
        tests = tuple(results.get(test) or _not_run(test) for test in listed)
        ended = [result for result in results.values() if result is not None]
        if len(ended) < len(wanted):
            reason = (
                f"The tests took longer than {self._limits.total_s:g} s together; "
                f"{len(wanted) - len(ended)} did not run."
            )
            return RunOutcome.TIMEOUT, reason, tests
        fine = (TestOutcome.PASSED, TestOutcome.NOT_RUN)
        green = all(test.outcome in fine for test in ended)
        return (RunOutcome.PASSED if green else RunOutcome.FAILED), None, tests

    def _wants(self, test: _Listed) -> bool:
        return self._names is None or bool(self._names & {test.name, test.short})

    async def _list(self, file: str, program: str, scratch: Path) -> list[_Listed]:
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
        found = [_Listed(program, name, place) for name, place in places.items()]
        return sorted(found, key=lambda test: test.place.line)

    async def _asked(self, program: str, scratch: Path) -> list[str]:
        """The tests that a program says it has."""
        arguments = ["--list", "--format", "terse"]
        if self._logs:
            arguments += ["--logfile", str(scratch / "list")]
        # stderr apart: the note that --logfile is deprecated ends without a newline
        spec = replace(self._spec(program, arguments, LIST_S), merge=False)
        area = Area(self._workspace, scratch, outputs=(scratch / "list",))
        outcome = await run(self._containment.apply(spec, area, token=self._token))
        said = outcome.stdout.decode("utf-8", "replace")
        if self._logs and outcome.returncode != 0 and b"logfile" in outcome.stderr:
            self._logs = False
            return await self._asked(program, scratch)
        return list(parse_list(said)) if outcome.returncode == 0 else []

    def _text(self, file: str) -> str:
        path = self._workspace / file
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    async def _test(
        self, test: _Listed, places: Mapping[Path, Places], slots: asyncio.Semaphore
    ) -> RawTest | None:
        """None if there was no time left to run it."""
        async with slots:
            left = self._deadline - time.monotonic()
            if left <= 0:
                return None
            limit = min(self._patience.limit_s(test.short), left)
            with places[Path(test.program).parent].one() as (area, guard):
                ran = await self._once(test, area, guard, limit)
            if ran.timed_out:
                self._patience.hung(test.short)
        return parse_test(ran, test.place)

    async def _once(self, test: _Listed, area: Area, guard: Guard | None, limit: float) -> Ran:
        log = area.outputs[0]
        # with one thread alone some versions run the test on the first one
        arguments = ["--exact", test.name, "--nocapture", "--format", "terse"]
        arguments += ["--test-threads", "2"]
        if self._logs:
            arguments += ["--logfile", str(log)]
        with Gate() as gate:
            spec = self._spec(test.program, arguments, limit, gate)
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
            timed_out=f"did not finish within {limit:g} s" if outcome.timed_out else None,
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
        return Area(self._workspace, scratch, outputs=(log,), written=written)

    def _spec(
        self, program: str, arguments: list[str], limit_s: float, gate: Gate | None = None
    ) -> Spec:
        own = {} if gate is None else {VARIABLE: str(gate.fd)}
        return Spec(
            argv=(program, *arguments),
            cwd=self._workspace,
            env={**self._environment, **own},
            pass_fds=() if gate is None else (gate.fd,),
            limit_s=limit_s,
            output_bytes=self._limits.output_bytes + TAIL,
            tail_bytes=TAIL,
            merge=True,
            limits=Limits(memory_bytes=MEMORY),
        )


def _tampering(workspace: Path) -> Tampering | None:
    return first(each for file, text in sources(workspace, ".rs") for each in look(file, text))


def _definitions(text: str) -> dict[str, int]:
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for match in _FUNCTION.finditer(line):
            lines.setdefault(match[1], number)
    return lines


def _not_run(test: _Listed) -> RawTest:
    return RawTest(test.short, TestOutcome.NOT_RUN, location=test.place)
