"""What the runs of all languages share."""

import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tutor_lsp.core.exercise.judge import plain_name
from tutor_lsp.core.exercise.report import BuildError, RawReport, RawTest, RunOutcome
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.common.toolchain import RunRequest
from tutor_lsp.process.scratch import scratch_folder
from tutor_lsp.process.spec import Limits, Spec

MEMORY = 4 * 1024**3
"""Bytes that the process of a test may take."""
TAIL = 16 * 1024
"""Bytes of a test's output that are kept from its end."""


class Patience:
    """Limits of the tests of one run. Without targets every test has the whole limit."""

    def __init__(self, limits: RunLimits, targets: Mapping[str, str] | None) -> None:
        """`targets` says by test name which stub a test is about."""
        self._limits = limits
        self._targets = targets or {}
        self._hung: set[str] = set()

    def limit_s(self, test: str) -> float:
        """Seconds that this test may take from now on."""
        short = min(self._limits.again_s, self._limits.test_s)
        return short if self.is_short(test) else self._limits.test_s

    def is_short(self, test: str) -> bool:
        """Whether the stub of this test has hung already."""
        return self._targets.get(test) in self._hung

    def hung(self, test: str) -> None:
        """This test did not finish in its time."""
        if test in self._targets:
            self._hung.add(self._targets[test])


class BaseRun:
    """One run; `_deadline` is of the monotonic clock, `_token` names what it starts."""

    def __init__(self, request: RunRequest) -> None:
        self._root = request.workspace
        self._names = None if request.tests is None else list(request.tests)
        self._limits = request.limits
        self._early = request.early
        self._patience = Patience(request.limits, request.targets)
        self._containment = request.containment
        self._token = secrets.token_hex(16)
        self._deadline = 0.0
        self._bounds = Limits(memory_bytes=MEMORY)

    async def report(self) -> RawReport:
        """Run all; nothing that was started is left. Raises TutorError `TOOLCHAIN_MISSING`."""
        started = time.monotonic()
        self._deadline = started + self._limits.total_s
        if not self._root.is_dir():
            return RawReport(RunOutcome.NOT_RUN, reason=f"The folder {self._root} is gone.")
        async with scratch_folder("run") as scratch:
            try:
                report = await self._run(scratch)
            finally:
                await self._containment.clear(self._token)
        return replace(report, duration_ms=(time.monotonic() - started) * 1000)

    def _is_early(self, test: str) -> bool:
        """Whether somebody waits for the result of this test."""
        return self._early is not None and bool({test, plain_name(test)} & self._early.tests)

    def _tell_early(self, tests: Iterable[RawTest], *, left: bool) -> None:
        """All that somebody waits for has ended: tell its results from among `tests`, if others
        are `left`."""
        early, self._early = self._early, None
        if early is not None and early.tests and left:
            early.heard([t for t in tests if {t.name, plain_name(t.name)} & early.tests])

    def _tell_wrong(self, errors: Sequence[BuildError]) -> None:
        """The build has failed."""
        if self._early is not None:
            self._early.wrong(errors)

    async def _run(self, scratch: Path) -> RawReport:
        """Build and run all, with temporary files in `scratch`."""
        raise NotImplementedError

    def _test_spec(
        self, argv: Sequence[str], environment: Mapping[str, str], limit_s: float, *fds: int
    ) -> Spec:
        """A program that runs a test in the workspace, with these descriptors."""
        return Spec(
            argv=tuple(argv),
            cwd=self._root,
            env=environment,
            limit_s=limit_s,
            output_bytes=self._limits.output_bytes + TAIL,
            tail_bytes=TAIL,
            pass_fds=fds,
            merge=True,
            limits=self._bounds,
        )
