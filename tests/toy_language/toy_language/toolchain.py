"""Toy's toolchain: nothing is built, and every test runs in a process of its own."""

import json
import platform
import sys
import time
from pathlib import Path

from toy_language import source, texts
from tutor_lsp.core.exercise.report import (
    Location,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
)
from tutor_lsp.core.exercise.snapshot import TAKEN, UNSEEN, NewFile
from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.languages.common.toolchain import BaseToolchain
from tutor_lsp.process.box import Area
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import run
from tutor_lsp.process.spec import Spec

INTERPRETER = str(Path(__file__).parent / "interpreter.py")
OUTCOMES = {
    "passed": TestOutcome.PASSED, "failed": TestOutcome.FAILED, "todo": TestOutcome.FAILED,
}  # fmt: skip


class ToyToolchain(BaseToolchain):
    """Toy exercises: functions in src/*.toy, tests in tests/*.toy."""

    language = "toy"
    texts = texts

    async def look(self):
        return (ToolStatus("toy", found=True, works=True, version=platform.python_version()),)

    def complete(self, files):
        return dict(files)

    def new_file(self, file):
        if not file.endswith(".toy"):
            return UNSEEN
        if file.startswith("tests/"):
            return NewFile(why="the tests are those that were given")
        return TAKEN if file.startswith("src/") else UNSEEN

    async def execute(self, request):
        workspace, tests = request.workspace, request.tests
        started = time.monotonic()
        texts = {
            path.relative_to(workspace).as_posix(): path.read_text("utf-8")
            for part in ("src", "tests")
            for path in sorted((workspace / part).rglob("*.toy"))
        }
        errors = (source.syntax_error(path, text) for path, text in texts.items())
        broken = tuple(error for error in errors if error is not None)
        listed = [
            (path, site)
            for path, text in texts.items()
            if path.startswith("tests/")
            for site in source.tests(text)
            if tests is None or site.name in tests
        ]
        if broken:
            waiting = tuple(RawTest(site.name, TestOutcome.NOT_RUN) for _, site in listed)
            return RawReport(RunOutcome.BUILD_ERROR, waiting, broken, command="toy")
        done = []
        for path, site in listed:
            done.append(await self._test(request, path, site.name, sorted(texts)))
        good = all(test.outcome is TestOutcome.PASSED for test in done)
        outcome = RunOutcome.PASSED if good else RunOutcome.FAILED
        return RawReport(
            outcome if done else RunOutcome.NOT_RUN,
            tuple(done),
            duration_ms=(time.monotonic() - started) * 1000,
            command="toy",
            reason=None if done else "There are no tests in tests/.",
        )

    async def _test(self, request, file, name, files):
        workspace, limits = request.workspace, request.limits
        spec = Spec(
            (sys.executable, "-I", "-S", INTERPRETER, "test", name, *files),
            workspace,
            child_environment(),
            limits.test_s,
            output_bytes=limits.output_bytes,
        )
        started = time.monotonic()
        ended = await run(request.containment.apply(spec, Area(workspace)))
        spent = (time.monotonic() - started) * 1000
        printed, _, last = ended.stdout.decode("utf-8", "replace").rstrip("\n").rpartition("\n")
        if ended.timed_out:
            return RawTest(name, TestOutcome.TIMEOUT, error="did not finish", duration_ms=spent)
        if ended.returncode != 0:
            said = ended.stderr.decode("utf-8", "replace").strip()
            return RawTest(
                name, TestOutcome.ERRORED, error=said or "the run ended", duration_ms=spent
            )
        told = json.loads(last)
        raised = told.get("raised")
        return RawTest(
            name,
            OUTCOMES[told["outcome"]],
            location=Location(file, told["line"]) if "line" in told else None,
            raised_at=Location(*raised) if raised else None,
            left=told.get("left"),
            right=told.get("right"),
            error=told.get("error"),
            not_implemented=told["outcome"] == "todo",
            output=printed,
            duration_ms=spent,
        )
