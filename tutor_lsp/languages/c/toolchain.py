"""The C toolchain: a compiler, a small header of our own, one process per test."""

from collections.abc import Collection, Sequence
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import Remark
from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.core.stage import Role
from tutor_lsp.languages.c import files as c_files
from tutor_lsp.languages.c import lint as c_lint
from tutor_lsp.languages.c import new, texts
from tutor_lsp.languages.c.compiler import REMEDY, FindCompiler, mends
from tutor_lsp.languages.c.headers import complete
from tutor_lsp.languages.c.run import CRun
from tutor_lsp.languages.common.build_cache import BuildCache
from tutor_lsp.languages.common.toolchain import BaseToolchain, RunRequest, asked
from tutor_lsp.process.contain import Contain

PROBE_S = 2.0


class CToolchain(BaseToolchain):
    """C exercises: src/*.c and src/*.h, tests under tests/, a Makefile, the header test.h.

    A stub uses each parameter as `(void)name;` and ends with `NOT_IMPLEMENTED("name");` from
    src/stub.h, whatever it returns: a test that comes to it ends there. Stubs that return a value
    (`return 0;`) work too, but a test may then pass before anything is written.
    """

    language = "c"
    texts = texts
    marker = texts
    suffixes = (".c", ".h")
    build_folder = "build"
    complete = staticmethod(complete)
    new_file = staticmethod(new.new_file)
    own_names = staticmethod(c_files.own_names)
    put_in_place = staticmethod(c_files.put_in_place)

    def __init__(self, *, contain: Contain | None = None) -> None:
        super().__init__(contain=contain)
        self._compiler = FindCompiler()
        self._cache = BuildCache()

    async def look(self) -> Sequence[ToolStatus]:
        """Whether a program can be compiled; and make and the sanitizers, which it does without:
        they count as working where they are not found, and `version` says what is missing."""
        make = await _probe_make()
        try:
            compiler = await self._compiler.get()
        except TutorError as error:
            found = "no C compiler was found" not in error.message
            cc = ToolStatus("cc", found=found, works=False, remedy=REMEDY, mends=mends())
            return (cc, make)
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
        return super().normalise_path(role, path)

    def new_run(self, request: RunRequest) -> CRun:
        return CRun(request, self._compiler, self._cache)

    async def lint(self, folder: Path, files: Collection[str], limit_s: float) -> Sequence[Remark]:
        return await c_lint.lint(folder, files, limit_s, self._compiler, await self.contain.get())


async def _probe_make() -> ToolStatus:
    missing = "none: only `make test` by hand needs it"
    outcome = await asked("make", "--version", limit_s=PROBE_S)
    if outcome is None:
        return ToolStatus("make", found=False, works=True, version=missing)
    words = outcome.stdout.decode("utf-8", "replace").split()
    number = next((word for word in words if word[:1].isdigit()), None)
    return ToolStatus("make", found=True, works=True, version=number)
