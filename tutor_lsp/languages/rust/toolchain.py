"""The Rust toolchain: cargo, offline, one process per test."""

import asyncio
import contextlib
import secrets
from collections.abc import Collection, Sequence
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import Remark
from tutor_lsp.core.mend import Mend
from tutor_lsp.core.ports import Files, RunLimits, ToolStatus
from tutor_lsp.languages.common.toolchain import BaseToolchain, RunRequest, asked
from tutor_lsp.languages.rust import files as rust_files
from tutor_lsp.languages.rust import lint as rust_lint
from tutor_lsp.languages.rust import texts
from tutor_lsp.languages.rust.build import Kept, RustBuild
from tutor_lsp.languages.rust.direct.compiling import Plans
from tutor_lsp.languages.rust.direct.spare import Asked, Compilers
from tutor_lsp.languages.rust.environment import run_environment, rust_environment
from tutor_lsp.languages.rust.run import RustRun
from tutor_lsp.process.contain import Contain
from tutor_lsp.process.spec import ProgramNotFound

PLANS = "rust-plans"
"""Where in the home it is kept what cargo does for an exercise."""
PROBE_S = 10.0
"""On a busy machine a tool that works may take seconds; nobody waits that long for the answer."""
NEW_EDITION = (1, 85)
REMEDY = (
    "Install Rust from https://rustup.rs, then start your editor or terminal anew: that finds it."
)
MENDS = (Mend("page", url="https://rustup.rs"),)


class RustToolchain(BaseToolchain):
    """Rust exercises: crate `exercise`, tests under tests/, no dependencies."""

    language = "rust"
    texts = texts
    marker = texts
    suffixes = (".rs",)
    build_folder = "target"
    own_names = staticmethod(rust_files.own_names)
    new_file = staticmethod(rust_files.new_file)

    def __init__(self, *, contain: Contain | None = None) -> None:
        super().__init__(contain=contain)
        home = self.contain.home
        self._kept = Kept(plans=Plans(home / PLANS if home else None))

    async def look(self) -> Sequence[ToolStatus]:
        """Whether cargo and rustc start."""
        return await asyncio.gather(_probe("cargo"), _probe("rustc"))

    def complete(self, files: Files) -> dict[str, str]:
        return rust_files.complete(files, self._edition())

    def _edition(self) -> str:
        """2024, save for a compiler that is known to be too old."""
        rustc = next((tool for tool in self._probed or () if tool.name == "rustc"), None)
        if rustc is None or rustc.version is None:
            return rust_files.EDITION
        parts = rustc.version.split(".")
        old = (
            all(part.isdigit() for part in parts[:2])
            and (int(parts[0]), int(parts[1])) < NEW_EDITION
        )
        return "2021" if old else rust_files.EDITION

    def with_new_files(self, file: str, given: str, found: str) -> str:
        return rust_files.with_modules_of(given, found) if file.endswith(".rs") else given

    def new_run(self, request: RunRequest) -> RustRun:
        return RustRun(request, self._kept)

    async def keep_ready(self, workspace: Path, limits: RunLimits) -> None:
        containment = await self.contain.get()
        environment, token = run_environment(workspace), secrets.token_hex(16)
        build = RustBuild(workspace, limits.total_s, environment, containment, token, self._kept)

        async def find() -> Asked | None:
            with contextlib.suppress(OSError, TutorError):
                return await build.asked() if containment.guarded else None
            return None

        async def start(asked: Asked) -> Compilers | None:
            compilers = Compilers(asked)
            try:
                await compilers.start(environment, token)
            except (OSError, ProgramNotFound):
                return None  # a build starts its own, and says what is wrong
            return compilers

        await self._kept.spares.keep(workspace, find, start)

    async def let_go(self, workspace: Path | None = None) -> None:
        await self._kept.spares.let_go(workspace)

    async def lint(self, folder: Path, files: Collection[str], limit_s: float) -> Sequence[Remark]:
        return await rust_lint.lint(folder, files, limit_s, await self.contain.get())


async def _probe(tool: str) -> ToolStatus:
    outcome = await asked(tool, "--version", limit_s=PROBE_S, env=rust_environment())
    if outcome is None:
        return ToolStatus(tool, found=False, works=False, remedy=REMEDY, mends=MENDS)
    words = outcome.stdout.decode(errors="replace").split()
    works = outcome.returncode == 0 and len(words) > 1
    if not works:
        return ToolStatus(tool, found=True, works=False, remedy=REMEDY, mends=MENDS)
    return ToolStatus(tool, found=True, works=True, version=words[1])
