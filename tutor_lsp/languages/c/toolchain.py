"""The C toolchain: a compiler, a small header of our own, one process per test."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import RawReport, Remark
from tutor_lsp.core.exercise.snapshot import NewFile
from tutor_lsp.core.ports import RunLimits, ToolStatus
from tutor_lsp.core.stage import Role
from tutor_lsp.languages.c import files as c_files
from tutor_lsp.languages.c import new
from tutor_lsp.languages.c.compiler import REMEDY, FindCompiler
from tutor_lsp.languages.c.run import CRun
from tutor_lsp.languages.common import paths
from tutor_lsp.languages.common.build_cache import BuildCache
from tutor_lsp.languages.common.lazy_reader import LazyReader
from tutor_lsp.process.child import ProgramNotFound, Spec
from tutor_lsp.process.contain import Contain
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import run

PROBE_S = 2.0


class CToolchain(LazyReader):
    """C exercises: src/*.c and src/*.h, tests under tests/, a Makefile, the header test.h.

    A stub uses each parameter as `(void)name;` and ends with `NOT_IMPLEMENTED("name");` from
    src/stub.h, whatever it returns: a test that comes to it ends there. Stubs that return a value
    (`return 0;`) work too, but a test may then pass before anything is written.
    """

    language = "c"
    package = str(__package__)

    def __init__(self, *, contain: Contain | None = None) -> None:
        self.contain = contain or Contain()
        self._compiler = FindCompiler()
        self._cache = BuildCache()
        self._probed: tuple[ToolStatus, ...] | None = None

    async def probe(self) -> Sequence[ToolStatus]:
        """Whether a program can be compiled; and make and the sanitizers, which it does without:
        they count as working where they are not found, and `version` says what is missing."""
        if self._probed is None:
            self._probed = await self._probe()
        return self._probed

    async def _probe(self) -> tuple[ToolStatus, ...]:
        make = await _probe_make()
        try:
            compiler = await self._compiler.get()
        except TutorError as error:
            found = "no C compiler was found" not in error.message
            return (ToolStatus("cc", found=found, works=False, remedy=REMEDY), make)
        checked = compiler.sanitizes
        return (
            ToolStatus("cc", found=True, works=True, version=compiler.version),
            make,
            ToolStatus(
                "sanitizers",
                found=checked,
                works=True,
                version="address, undefined"
                if checked
                else "none: crashes are told in less detail",
                remedy=None if checked else "Install libasan and libubsan, or clang.",
            ),
        )

    def normalise_path(self, role: Role, path: str) -> str:
        if role is Role.STARTER:
            path = path.removeprefix("include/") or path
        return paths.normalise(role, path, "src")

    def complete(self, files: Mapping[str, str]) -> dict[str, str]:
        return c_files.complete(files)

    def own_names(self, files: Mapping[str, str]) -> frozenset[str]:
        return c_files.own_names(files)

    @property
    def build_folder(self) -> str | None:
        return "build"

    def new_file(self, file: str) -> NewFile:
        return new.new_file(file)

    def with_new_files(self, file: str, given: str, found: str) -> str:
        return given

    def put_in_place(self, given: Collection[str]) -> Mapping[str, str]:
        return c_files.put_in_place(given)

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
        running = CRun(workspace, tests, bounds, targets, containment, self._compiler, self._cache)
        return await running.report()

    async def lint(self, folder: Path, files: Collection[str], limit_s: float) -> Sequence[Remark]:
        from tutor_lsp.languages.c import lint as c_lint

        return await c_lint.lint(folder, files, limit_s, self._compiler, await self.contain.get())


async def _probe_make() -> ToolStatus:
    spec = Spec(("make", "--version"), Path("/"), child_environment(), PROBE_S)
    missing = "none: only `make test` by hand needs it"
    try:
        outcome = await run(spec)
    except ProgramNotFound:
        return ToolStatus("make", found=False, works=True, version=missing)
    words = outcome.stdout.decode("utf-8", "replace").split()
    number = next((word for word in words if word[:1].isdigit()), None)
    return ToolStatus("make", found=True, works=True, version=number)
