"""The Python toolchain: pytest, run by the learner's interpreter."""

import os
import shlex
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from tutor_lsp.core.exercise.report import RawReport, Remark
from tutor_lsp.core.exercise.snapshot import NewFile
from tutor_lsp.core.ports import RunLimits, ToolStatus
from tutor_lsp.core.stage import Role
from tutor_lsp.languages.common import paths
from tutor_lsp.languages.common.lazy_reader import LazyReader
from tutor_lsp.languages.python import files as python_files
from tutor_lsp.languages.python.run import PythonRun
from tutor_lsp.process.child import ProgramNotFound, Spec
from tutor_lsp.process.contain import Contain
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import run

PROBE_S = 10.0
"""On a busy machine a tool that works may take seconds; nobody waits that long for the answer."""
OLDEST = (3, 9)
OLDEST_PYTEST = 8


class PythonToolchain(LazyReader):
    """Python exercises: package `exercise` under src/, pytest functions under tests/."""

    language = "python"
    package = str(__package__)

    def __init__(self, *, contain: Contain | None = None, interpreter: str | None = None) -> None:
        """`interpreter` is the setting, else this server's Python runs the tests."""
        self.contain = contain or Contain()
        self._setting = interpreter or None
        self._probed: tuple[ToolStatus, ...] | None = None

    def interpreter(self) -> str:
        """The Python that runs the tests."""
        if self._setting is None:
            return sys.executable
        return str(Path(self._setting).expanduser()) if "/" in self._setting else self._setting

    async def probe(self) -> Sequence[ToolStatus]:
        """Whether the interpreter starts, and whether it has pytest 8 or later."""
        if self._probed is None:
            self._probed = await _probe(self.interpreter())
        return self._probed

    def normalise_path(self, role: Role, path: str) -> str:
        return paths.normalise(role, path, "src/exercise")

    def complete(self, files: Mapping[str, str]) -> dict[str, str]:
        return python_files.complete(files)

    def own_names(self, files: Mapping[str, str]) -> frozenset[str]:
        return python_files.own_names(files)

    @property
    def build_folder(self) -> str | None:
        return None

    def new_file(self, file: str) -> NewFile:
        return python_files.new_file(file)

    def with_new_files(self, file: str, given: str, found: str) -> str:
        return given

    def put_in_place(self, given: Collection[str]) -> Mapping[str, str]:
        return {}

    async def run(
        self,
        workspace: Path,
        *,
        tests: Sequence[str] | None = None,
        limits: RunLimits | None = None,
        targets: Mapping[str, str] | None = None,
    ) -> RawReport:
        containment = await self.contain.get()
        bounds = limits or RunLimits()
        interpreter = self.interpreter()
        return await PythonRun(interpreter, workspace, tests, bounds, targets, containment).report()

    async def lint(self, folder: Path, files: Collection[str], limit_s: float) -> Sequence[Remark]:
        from tutor_lsp.languages.python import lint as python_lint

        return await python_lint.lint(folder, files, limit_s, await self.contain.get())


_ASK = (
    "import sys; from importlib import metadata; print('%d.%d.%d' % sys.version_info[:3])\n"
    "try: print(metadata.version('pytest'))\n"
    "except metadata.PackageNotFoundError: print()"
)


async def _probe(interpreter: str) -> tuple[ToolStatus, ...]:
    spec = Spec((interpreter, "-c", _ASK), Path(os.sep), child_environment(), PROBE_S)
    remedy = "Set tutor.python.interpreter to a Python 3.9 or later that has pytest."
    try:
        outcome = await run(spec)
    except ProgramNotFound:
        return (ToolStatus("python", found=False, works=False, remedy=remedy),)
    version, _, tests = outcome.stdout.decode(errors="replace").strip().partition("\n")
    if outcome.returncode != 0 or not version:
        return (ToolStatus("python", found=True, works=False, remedy=remedy),)
    recent = tuple(int(part) for part in version.split(".")[:2]) >= OLDEST
    python = ToolStatus("python", True, recent, version, None if recent else remedy)  # noqa: FBT003
    usable = tests.partition(".")[0].isdigit() and int(tests.partition(".")[0]) >= OLDEST_PYTEST
    mend = (
        None
        if usable
        else f"Run: {shlex.quote(interpreter)} -m pip install 'pytest>={OLDEST_PYTEST}'"
    )
    return (python, ToolStatus("pytest", bool(tests), usable, tests or None, mend))
