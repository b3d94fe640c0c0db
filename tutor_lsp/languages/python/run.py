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
from tutor_lsp.core.exercise.exercise import Aside
from tutor_lsp.core.exercise.judge import plain_name
from tutor_lsp.core.exercise.report import (
    NO_TESTS,
    BuildError,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
)
from tutor_lsp.core.text.translation import marked
from tutor_lsp.languages.common.apart import NOT_FOUND, located, too_long
from tutor_lsp.languages.common.broken import broken_test
from tutor_lsp.languages.common.running import BaseRun
from tutor_lsp.languages.common.toolchain import RunRequest, not_ready
from tutor_lsp.languages.python.events import Record, Segments, event_reader, merged
from tutor_lsp.languages.python.spare import Spare, bridge_spec
from tutor_lsp.process.box import Area, put_written
from tutor_lsp.process.child import Child
from tutor_lsp.process.pipes import Feed
from tutor_lsp.process.run import LineFeed, processors
from tutor_lsp.process.spec import ProgramNotFound

LOAD_S = 10.0
EXIT_S = 2.0
MESSAGES = 64 * 1024 * 1024


def missing_pytest(interpreter: str, version: str | None = None) -> TutorError:
    """The error for an interpreter without a usable pytest."""
    has = f"has pytest {version}, which is too old" if version else "has no pytest"
    said = f"{interpreter} {has}. Run: {shlex.quote(interpreter)} -m pip install 'pytest>=8'"
    return not_ready(said, "pytest", interpreter=interpreter)


def broken_interpreter(interpreter: str, why: str) -> TutorError:
    """The error for an interpreter that does not start."""
    said = f"{interpreter} does not run ({why}). Set tutor.python.interpreter to a working Python."
    return not_ready(said, "python", interpreter=interpreter)


class PythonRun(BaseRun):
    """One run. Processes follow each other until every asked test has an outcome."""

    def __init__(
        self, request: RunRequest, program: Sequence[str], spare: Spare | None = None
    ) -> None:
        """`spare` waits for such a run and is this run's from now on."""
        super().__init__(request)
        self._request = request
        self._spare = spare
        self._program = tuple(program)
        self._interpreter = self._program[0]
        self._record = Record()
        self._word = secrets.token_hex(16)
        self._mark = secrets.token_hex(16)
        self._timer: asyncio.TimerHandle | None = None
        self._expiring: asyncio.Task[None] | None = None
        self._waited = False
        self._child: Child | None = None
        self._expired = False
        self._without: list[str] = []
        self._only_file: str | None = None

    async def report(self) -> RawReport:
        try:
            return await super().report()
        finally:
            if self._spare is not None:  # it waited for this run, and was not needed
                await self._spare.aclose()

    async def _run(self, scratch: Path) -> RawReport:
        outcome, reason = await self._all(scratch)
        refusal = self._record.refusal()
        if refusal is not None:
            return RawReport(RunOutcome.NOT_RUN, reason=refusal)
        return RawReport(
            outcome=outcome,
            tests=(*merged(self._record), *self._not_loaded()),
            build_errors=tuple(self._record.build_errors),
            command="python -m pytest",
            aside_errors=tuple(self._record.aside.values()),
            reason=reason,
        )

    async def _all(self, scratch: Path) -> tuple[RunOutcome, str | None]:
        record = self._record
        only: list[str] | None = None
        while True:
            before = len(record.ended)
            how = await self._process(only, scratch)
            if self._stopped_by_aside():
                how = await self._without_aside(scratch, how)
            if record.build_errors:
                said = record.load_reason or located(record.build_errors[0])
                return RunOutcome.BUILD_ERROR, said
            broken = self._not_loaded()
            if not record.listed and not broken:
                return self._nothing_ran(how)
            wanted = self._wanted()
            if not wanted:
                return (RunOutcome.FAILED, None) if broken else (RunOutcome.NOT_RUN, NOT_FOUND)
            await self._others_of_hung(
                [test for test in wanted if test not in record.ended], scratch
            )
            only = [test for test in wanted if test not in record.ended]
            if not only:
                break
            if time.monotonic() >= self._deadline:
                return RunOutcome.TIMEOUT, too_long(self._limits, len(only))
            if len(record.ended) == before:
                for test in only:
                    record.ended[test] = self._died(test, how)
                break
        passed = (TestOutcome.PASSED, TestOutcome.NOT_RUN)
        green = not broken and all(record.ended[test].outcome in passed for test in wanted)
        return (RunOutcome.PASSED if green else RunOutcome.FAILED), None

    def _not_loaded(self) -> tuple[RawTest, ...]:
        """The asked tests whose own files could not be loaded."""
        return tuple(
            broken_test(name, error)
            for unit in self._request.aside
            if self._only_file in (None, unit.test_file)
            if (error := self._record.aside.get(unit.test_file)) is not None
            for name in unit.tests
            if self._names is None or name in self._names
        )

    def _stopped_by_aside(self) -> bool:
        """Whether loading ended the process, and what the run can do without may be why."""
        own = {file for unit in self._request.aside for file in (unit.file, unit.test_file)}
        wrong, finished = self._record.build_errors, self._record.finished
        if not own or self._record.listed or self._without or (finished and not wrong):
            return False
        return all(error.file in own for error in wrong)

    async def _without_aside(self, scratch: Path, how: str) -> str:
        """Run what else there is, and each unit that the run can do without on its own."""
        record, units = self._record, self._request.aside
        wrong, reason = record.build_errors[:], self._nothing_ran(how)[1] or how
        record.build_errors.clear()
        record.load_reason = None
        self._without = [unit.test_file for unit in units]
        ended = await self._process(None, scratch)
        for number, unit in enumerate(units):
            if unit.test_file in record.aside:
                continue
            if len(units) > 1:
                wrong, reason = await self._by_itself(unit, scratch / f"aside-{number}")
            if wrong or reason:
                told = wrong or [BuildError(unit.file, 1, 1, 1, 2, None, reason)]
                record.aside.setdefault(unit.test_file, told[0])
        return ended

    async def _by_itself(self, unit: Aside, scratch: Path) -> tuple[list[BuildError], str]:
        """Run one test file; why it could not be loaded, if so."""
        run = PythonRun(replace(self._request, early=None), self._program)
        run._deadline, run._only_file = self._deadline, unit.test_file
        run._without = [file for file in self._without if file != unit.test_file]
        await asyncio.to_thread(scratch.mkdir)
        try:
            _, reason = await run._all(scratch)
        finally:
            await self._containment.clear(run._token)
        self._record.listed |= run._record.listed
        self._record.join(run._record)
        error = run._record.aside.get(unit.test_file)
        wrong = run._record.build_errors if error is None else [error]
        loaded = run._record.listed or reason == NO_TESTS
        return wrong, "" if loaded else reason or ""

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
        alone = replace(self._request, limits=limits, targets=None, early=None)
        run = PythonRun(alone, self._program)
        run._without = self._without
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
        return [
            test.id
            for test in listed
            if self._names is None or {test.name, plain_name(test.name)} & set(self._names)
        ]

    def _nothing_ran(self, how: str) -> tuple[RunOutcome, str | None]:
        if self._record.finished:
            said = self._record.skip_reason or NO_TESTS
            return RunOutcome.NOT_RUN, said
        if self._expired:
            return RunOutcome.TIMEOUT, (
                marked("The code did not finish loading: look for a loop outside of all functions.")
            )
        return RunOutcome.BUILD_ERROR, marked(f"The run ended while the code was loading: {how}.")

    def _died(self, test: str, how: str) -> RawTest:
        listed = self._record.listed[test]
        outcome, text = TestOutcome.ERRORED, marked(f"the run ended inside this test: {how}")
        if self._expired:
            outcome = TestOutcome.TIMEOUT
            text = marked(f"did not finish within {self._patience.limit_s(listed.name):g} s")
            self._patience.hung(listed.name)
            if time.monotonic() >= self._deadline:
                text = marked(
                    f"did not finish before all tests together took {self._limits.total_s:g} s"
                )
        waited = self._expired and self._waited
        return RawTest(listed.name, outcome, location=listed.place, error=text, waited=waited)

    def _look_for_early(self) -> None:
        record = self._record
        if self._early is None or record.refusal() is not None:
            return
        wanted = [test for test in record.listed.values() if self._is_early(test.name)]
        if all(test.id in record.ended for test in wanted):
            self._tell_early(merged(record), left=len(record.ended) < len(record.listed))

    def _arm(self, seconds: float) -> None:
        self._disarm()
        seconds = min(seconds, self._deadline - time.monotonic())
        self._timer = asyncio.get_running_loop().call_later(max(seconds, 0), self._expire)

    def _disarm(self) -> None:
        for each in (self._timer, self._expiring):
            if each is not None:
                each.cancel()

    def _expire(self) -> None:
        self._expiring = asyncio.create_task(self._end_late())

    async def _end_late(self) -> None:
        if self._child is not None:
            self._waited = await self._child.waits()
        self._expired = True
        if self._child is not None:
            self._child.kill()

    async def _process(self, only: list[str] | None, scratch: Path) -> str:
        """Run one process to its end; returns how it ended, in words."""
        record = self._record
        record.begin()
        self._expired = self._waited = False
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
                self._look_for_early()
            elif event["kind"] == "done":
                self._arm(EXIT_S)

        results = LineFeed(event_reader(self._word, take), MESSAGES).feed
        spare, self._spare = self._spare, None
        async with contextlib.AsyncExitStack() as stack:
            child = None
            if spare is not None:
                await stack.enter_async_context(spare)
                with contextlib.suppress(OSError):  # it has ended meanwhile
                    child = spare.proceed(self._settings(only), output.feed, results)
            if child is None:
                child = await stack.enter_async_context(
                    self._started(only, scratch, output.feed, results)
                )
            self._child = child
            self._arm(max(LOAD_S, 2 * self._limits.test_s))
            try:
                code = await child.wait()
            finally:
                self._child = None
                self._disarm()
        if spare is not None and not record.greeted and not self._expired:
            return await self._process(only, scratch)  # it could not get ready
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

    def _settings(self, only: list[str] | None) -> dict[str, Any]:
        return {
            "word": self._word,
            "mark": self._mark,
            "names": self._names,
            "only": only,
            "workspace": str(self._root),
            "aside": [(unit.file, unit.test_file) for unit in self._request.aside],
            "without": list(self._without),
            "alone": self._only_file,
            "elsewhere": bool(self._limits.around),
            "plain": self._limits.plain,
            # one byte over what is kept, so that the cut is noticed
            "output_bytes": self._limits.output_bytes + 1,
        }

    def _started(self, only: list[str] | None, scratch: Path, output: Feed, results: Feed) -> Child:
        """A new process that runs the tests. Raises TutorError."""
        read, write = os.pipe()
        settings = {**self._settings(only), "fd": write}
        spec = bridge_spec(
            self._program,
            self._root,
            scratch,
            self._limits,
            stdin=json.dumps(settings).encode(),
            fds=(write,),
        )
        try:
            child = Child(
                self._containment.apply(spec, self._area(scratch), token=self._token), output
            )
        except BaseException as error:
            os.close(read)
            if isinstance(error, ProgramNotFound):
                raise broken_interpreter(self._interpreter, "it was not found") from error
            raise
        finally:
            os.close(write)
        child.read_from(read, results)
        return child

    def _area(self, scratch: Path) -> Area:
        written = scratch / "written" if self._limits.keeps_files else None
        return Area(self._root, scratch, written=written)
