"""The Python toolchain: pytest, run by the learner's interpreter."""

import shlex
import sys
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from tutor_lsp.core.exercise.report import Remark
from tutor_lsp.core.mend import Mend
from tutor_lsp.core.ports import RunLimits, ToolStatus
from tutor_lsp.languages.common.spares import Spares
from tutor_lsp.languages.common.toolchain import BaseToolchain, RunRequest, asked
from tutor_lsp.languages.python import files as python_files
from tutor_lsp.languages.python import lint as python_lint
from tutor_lsp.languages.python import texts
from tutor_lsp.languages.python.run import PythonRun
from tutor_lsp.languages.python.spare import Asked, Spare
from tutor_lsp.process.contain import Contain
from tutor_lsp.process.libraries import own_python
from tutor_lsp.process.spec import ProgramNotFound

PROBE_S = 10.0
"""On a busy machine a tool that works may take seconds; nobody waits that long for the answer."""
OLDEST = (3, 9)
OLDEST_PYTEST = 8


class PythonToolchain(BaseToolchain):
    """Python exercises: package `exercise` under src/, pytest functions under tests/."""

    language = "python"
    texts = texts
    marker = texts
    suffixes = (".py",)
    source_root = "src/exercise"
    complete = staticmethod(python_files.complete)
    own_names = staticmethod(python_files.own_names)
    new_file = staticmethod(python_files.new_file)

    def __init__(self, *, contain: Contain | None = None, interpreter: str | None = None) -> None:
        """`interpreter` is the setting, else this server's Python runs the tests."""
        super().__init__(contain=contain)
        self._setting = interpreter or None
        self._spares: Spares[Asked, Spare] = Spares()

    def interpreter(self) -> str:
        """The Python that runs the tests."""
        if self._setting is None:
            return sys.executable
        return str(Path(self._setting).expanduser()) if "/" in self._setting else self._setting

    def program(self) -> tuple[str, ...]:
        """The beginning of a command line for it; the tutor's own can import pytest."""
        return own_python() if self._setting is None else (self.interpreter(),)

    async def look(self) -> Sequence[ToolStatus]:
        """Whether the interpreter starts, and whether it has pytest 8 or later."""
        return await _probe(*self.program())

    def new_run(self, request: RunRequest) -> PythonRun:
        program = self.program()
        spare = None
        if request.tests is None and not request.limits.keeps_files:
            asked = (program, request.limits, request.containment)
            spare = self._spares.take(request.workspace, asked)
        return PythonRun(request, program, spare)

    async def keep_ready(self, workspace: Path, limits: RunLimits) -> None:
        async def find() -> Asked | None:
            containment = await self.contain.get()
            possible = Spare.possible(containment)
            return (self.program(), limits, containment) if possible else None

        async def start(asked: Asked) -> Spare | None:
            spare = Spare(asked)
            try:
                await spare.start(workspace)
            except (OSError, ProgramNotFound):
                return None  # runs start their own, and say what is wrong
            return spare

        await self._spares.keep(workspace, find, start)

    async def let_go(self, workspace: Path | None = None) -> None:
        await self._spares.let_go(workspace)

    async def lint(self, folder: Path, files: Collection[str], limit_s: float) -> Sequence[Remark]:
        return await python_lint.lint(folder, files, limit_s, await self.contain.get())


_ASK = (
    "import sys; from importlib import metadata; print('%d.%d.%d' % sys.version_info[:3])\n"
    "try: print(metadata.version('pytest'))\n"
    "except metadata.PackageNotFoundError: print()"
)


async def _probe(interpreter: str, *libraries: str) -> tuple[ToolStatus, ...]:
    remedy = "Set tutor.python.interpreter to a Python 3.9 or later that has pytest."
    outcome = await asked(interpreter, *libraries, "-c", _ASK, limit_s=PROBE_S)
    mends = (Mend("setting", setting="python.interpreter"),)
    if outcome is None:
        return (ToolStatus("python", found=False, works=False, remedy=remedy, mends=mends),)
    version, _, tests = outcome.stdout.decode(errors="replace").strip().partition("\n")
    if outcome.returncode != 0 or not version:
        return (ToolStatus("python", found=True, works=False, remedy=remedy, mends=mends),)
    recent = tuple(int(part) for part in version.split(".")[:2]) >= OLDEST
    python = ToolStatus("python", found=True, works=recent, version=version)
    if not recent:
        python = replace(python, remedy=remedy, mends=mends)
    usable = tests.partition(".")[0].isdigit() and int(tests.partition(".")[0]) >= OLDEST_PYTEST
    pytest = ToolStatus("pytest", found=bool(tests), works=usable, version=tests or None)
    if not usable:
        line = f"{shlex.quote(interpreter)} -m pip install 'pytest>={OLDEST_PYTEST}'"
        pytest = replace(pytest, remedy=f"Run: {line}", mends=(Mend("line", line=line),))
    return (python, pytest)
