"""Running the tests of a Python exercise: one process, another one after a hang or a crash.

The other tests of a stub that hung have a process each, at the same time.
"""

import asyncio
import contextlib
import json
import os
import secrets
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import NO_TESTS, RawReport, RawTest, RunOutcome, TestOutcome
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.common.patience import Patience
from tutor_lsp.languages.python.events import Record, Segments, event_reader, merged
from tutor_lsp.process.box import Area, put_written
from tutor_lsp.process.child import Child, Limits, ProgramNotFound, Spec
from tutor_lsp.process.contain import Containment
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import Lines, processors
from tutor_lsp.process.scratch import scratch_folder

BRIDGE = Path(__file__).parent / "bridge" / "run_tests.py"
LOAD_S = 10.0
EXIT_S = 2.0
MEMORY = 4 * 1024**3
MESSAGES = 64 * 1024 * 1024


def missing_pytest(interpreter: str, version: str | None = None) -> TutorError:
    """The error for an interpreter without a usable pytest."""
    has = f"has pytest {version}, which is too old" if version else "has no pytest"
    return TutorError(
        "TOOLCHAIN_MISSING",
        f"{interpreter} {has}. Run: {shlex.quote(interpreter)} -m pip install 'pytest>=8'",
        details={"tool": "pytest", "interpreter": interpreter},
    )


def broken_interpreter(interpreter: str, why: str) -> TutorError:
    """The error for an interpreter that does not start."""
    return TutorError(
        "TOOLCHAIN_MISSING",
        f"{interpreter} does not run ({why}). Set tutor.python.interpreter to a working Python.",
        details={"tool": "python", "interpreter": interpreter},
    )


class PythonRun:
    """One run. Processes follow each other until every asked test has an outcome."""

    def __init__(
        self,
        interpreter: str,
        workspace: Path,
        tests: Sequence[str] | None,
        limits: RunLimits,
        targets: Mapping[str, str] | None,
        containment: Containment,
    ) -> None:
        self._interpreter = interpreter
        self._workspace = workspace
        self._names = None if tests is None else list(tests)
        self._limits = limits
        self._patience = Patience(limits, targets)
        self._containment = containment
        self._record = Record()
        self._word = secrets.token_hex(16)
        self._mark = secrets.token_hex(16)
        self._token = secrets.token_hex(16)
        self._deadline = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._child: Child | None = None
        self._expired = False

    async def report(self) -> RawReport:
        """Run all. Raises TutorError `TOOLCHAIN_MISSING`."""
        started = time.monotonic()
        if not self._workspace.is_dir():
            return RawReport(RunOutcome.NOT_RUN, reason=f"The folder {self._workspace} is gone.")
        self._deadline = started + self._limits.total_s
        async with scratch_folder("run") as scratch:
            try:
                outcome, reason = await self._all(scratch)
            finally:
                await self._containment.clear(self._token)
        refusal = self._record.refusal()
        if refusal is not None:
            return RawReport(RunOutcome.NOT_RUN, reason=refusal)
        return RawReport(
            outcome=outcome,
            tests=merged(self._record),
            build_errors=tuple(self._record.build_errors),
            duration_ms=(time.monotonic() - started) * 1000,
            command="python -m pytest",
            reason=reason,
        )

    async def _all(self, scratch: Path) -> tuple[RunOutcome, str | None]:
        record = self._record
        only: list[str] | None = None
        while True:
            before = len(record.ended)
            how = await self._process(only, scratch)
            if record.build_errors:
                first = record.build_errors[0]
                where = f"{first.file}, line {first.line}: {first.message}"
                return RunOutcome.BUILD_ERROR, record.load_reason or where
            if not record.listed:
                return self._nothing_ran(how)
            wanted = self._wanted()
            if not wanted:
                return RunOutcome.NOT_RUN, "None of the tests that were asked for exists."
            await self._others_of_hung(
                [test for test in wanted if test not in record.ended], scratch
            )
            only = [test for test in wanted if test not in record.ended]
            if not only:
                break
            if time.monotonic() >= self._deadline:
                return RunOutcome.TIMEOUT, (
                    f"The tests took longer than {self._limits.total_s:g} s together; "
                    f"{len(only)} did not run."
                )
            if len(record.ended) == before:
                for test in only:
                    record.ended[test] = self._died(test, how)
                break
        passed = (TestOutcome.PASSED, TestOutcome.NOT_RUN)
        green = all(record.ended[test].outcome in passed for test in wanted)
        return (RunOutcome.PASSED if green else RunOutcome.FAILED), None

    async def _others_of_hung(self, left: Sequence[str], scratch: Path) -> None:
        """Run those of the tests that are `left` whose stub has hung, each alone, all at once."""
        names = {test: self._record.listed[test].name for test in left}
        others = [test for test in left if self._patience.is_short(names[test])]
        if not others or time.monotonic() >= self._deadline:
            return
        gate = asyncio.Semaphore(processors())
        async with asyncio.TaskGroup() as group:
            for number, test in enumerate(others):
                folder = scratch / f"alone-{number}"
                group.create_task(
                    self._alone(test, self._patience.limit_s(names[test]), folder, gate)
                )

    async def _alone(
        self, test: str, limit_s: float, scratch: Path, gate: asyncio.Semaphore
    ) -> None:
        limits = replace(self._limits, test_s=limit_s)
        run = PythonRun(
            self._interpreter, self._workspace, self._names, limits, None, self._containment
        )
        async with gate:
            run._deadline = self._deadline
            await asyncio.to_thread(scratch.mkdir)
            try:
                await run._process([test], scratch)
            except TutorError:
                return  # as little is known as before: it is run after the others
            finally:
                await self._containment.clear(run._token)
        self._record.join(run._record)

    def _wanted(self) -> list[str]:
        listed = self._record.listed.values()
        return [test.id for test in listed if self._names is None or test.name in self._names]

    def _nothing_ran(self, how: str) -> tuple[RunOutcome, str | None]:
        if self._record.finished:
            said = self._record.skip_reason or NO_TESTS
            return RunOutcome.NOT_RUN, said
        if self._expired:
            return RunOutcome.TIMEOUT, (
                "The code did not finish loading: look for a loop outside of all functions."
            )
        return RunOutcome.BUILD_ERROR, f"The run ended while the code was loading: {how}."

    def _died(self, test: str, how: str) -> RawTest:
        listed = self._record.listed[test]
        outcome, text = TestOutcome.ERRORED, f"the run ended inside this test: {how}"
        if self._expired:
            outcome = TestOutcome.TIMEOUT
            text = f"did not finish within {self._patience.limit_s(listed.name):g} s"
            self._patience.hung(listed.name)
            if time.monotonic() >= self._deadline:
                text = f"did not finish before all tests together took {self._limits.total_s:g} s"
        return RawTest(listed.name, outcome, location=listed.place, error=text)

    def _arm(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        seconds = min(seconds, self._deadline - time.monotonic())
        self._timer = asyncio.get_running_loop().call_later(max(seconds, 0), self._expire)

    def _expire(self) -> None:
        self._expired = True
        if self._child is not None:
            self._child.kill()

    async def _process(self, only: list[str] | None, scratch: Path) -> str:
        """Run one process to its end; returns how it ended, in words."""
        record = self._record
        record.begin()
        self._expired = False
        output = Segments(self._mark, self._limits.output_bytes)
        started = 0.0

        def take(event: Mapping[str, Any]) -> None:
            nonlocal started
            record.take(event)
            if event["kind"] == "start":
                started = time.monotonic()
                self._arm(self._patience.limit_s(record.listed[event["id"]].name))
            elif event["kind"] == "end":
                started = time.monotonic()
                self._arm(self._limits.test_s)
            elif event["kind"] == "done":
                self._arm(EXIT_S)

        read, write = os.pipe()
        with contextlib.ExitStack() as ours:
            ours.callback(os.close, write)
            try:
                child = Child(self._spec(write, only, scratch), output.feed)
            except ProgramNotFound as error:
                os.close(read)
                raise broken_interpreter(self._interpreter, "it was not found") from error
        self._child = child
        try:
            async with child:
                lines = Lines(event_reader(self._word, take), MESSAGES)
                child.read_from(read, lines.feed)
                self._arm(max(LOAD_S, 2 * self._limits.test_s))
                code = await child.wait()
        finally:
            self._child = None
            if self._timer is not None:
                self._timer.cancel()
        put_written(self._area(scratch))
        how = self._containment.how_it_ended(code)
        self._check_tools(output, how)
        running = record.running
        if running is not None:
            duration = (time.monotonic() - started) * 1000
            record.ended[running] = replace(self._died(running, how), duration_ms=duration)
        for test, ended in record.ended.items():
            if not ended.output:
                record.ended[test] = replace(ended, output=output.of_test(test))
        return how

    def _check_tools(self, output: Segments, how: str) -> None:
        record = self._record
        if record.no_pytest:
            raise missing_pytest(self._interpreter, record.pytest_version)
        if not record.greeted and not self._expired:
            said = output.outside().strip().splitlines()
            raise broken_interpreter(self._interpreter, said[-1] if said else how)

    def _spec(self, channel: int, only: list[str] | None, scratch: Path) -> Spec:
        settings = {
            "fd": channel,
            "word": self._word,
            "mark": self._mark,
            "names": self._names,
            "only": only,
            "workspace": str(self._workspace),
            # one byte over what is kept, so that the cut is noticed
            "output_bytes": self._limits.output_bytes + 1,
        }
        environment = child_environment(
            {
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                "PYTHONHASHSEED": "0",
                "PYTHONUTF8": "1",
                "TMPDIR": str(scratch),
            }
        )
        spec = Spec(
            argv=(self._interpreter, str(BRIDGE)),
            cwd=self._workspace,
            env=environment,
            limit_s=self._limits.total_s,
            output_bytes=self._limits.output_bytes,
            stdin=json.dumps(settings).encode(),
            pass_fds=(channel,),
            merge=True,
            limits=Limits(memory_bytes=MEMORY),
        )
        return self._containment.apply(spec, self._area(scratch), token=self._token)

    def _area(self, scratch: Path) -> Area:
        written = scratch / "written" if self._limits.keeps_files else None
        return Area(self._workspace, scratch, written=written)
