"""The Rust toolchain: cargo, offline, one process per test."""

import asyncio
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from tutor_lsp.core.exercise.report import RawReport, Remark
from tutor_lsp.core.exercise.snapshot import NewFile
from tutor_lsp.core.ports import RunLimits, ToolStatus
from tutor_lsp.core.stage import Role
from tutor_lsp.languages.common import paths
from tutor_lsp.languages.common.lazy_reader import LazyReader
from tutor_lsp.languages.rust import files as rust_files
from tutor_lsp.languages.rust.build import Kept
from tutor_lsp.languages.rust.run import RustRun
from tutor_lsp.process.child import ProgramNotFound, Spec
from tutor_lsp.process.contain import Contain
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import run

PROBE_S = 10.0
"""On a busy machine a tool that works may take seconds; nobody waits that long for the answer."""
NEW_EDITION = (1, 85)
REMEDY = "Install Rust from https://rustup.rs, then start the server again."


class RustToolchain(LazyReader):
    """Rust exercises: crate `exercise`, tests under tests/, no dependencies."""

    language = "rust"
    package = str(__package__)

    def __init__(self, *, contain: Contain | None = None) -> None:
        self.contain = contain or Contain()
        self._probed: tuple[ToolStatus, ...] | None = None
        self._kept = Kept()

    async def probe(self) -> Sequence[ToolStatus]:
        """Whether cargo and rustc start."""
        if self._probed is None:
            self._probed = tuple(await asyncio.gather(_probe("cargo"), _probe("rustc")))
        return self._probed

    def normalise_path(self, role: Role, path: str) -> str:
        return paths.normalise(role, path, "src")

    def complete(self, files: Mapping[str, str]) -> dict[str, str]:
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

    def own_names(self, files: Mapping[str, str]) -> frozenset[str]:
        return rust_files.own_names(files)

    @property
    def build_folder(self) -> str | None:
        return "target"

    def new_file(self, file: str) -> NewFile:
        return rust_files.new_file(file)

    def with_new_files(self, file: str, given: str, found: str) -> str:
        return rust_files.with_modules_of(given, found) if file.endswith(".rs") else given

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
        running = RustRun(workspace, tests, bounds, targets, containment, self._kept)
        return await running.report()

    async def lint(self, folder: Path, files: Collection[str], limit_s: float) -> Sequence[Remark]:
        from tutor_lsp.languages.rust import lint as rust_lint

        return await rust_lint.lint(folder, files, limit_s, await self.contain.get())


async def _probe(tool: str) -> ToolStatus:
    spec = Spec((tool, "--version"), Path(os.sep), child_environment(), PROBE_S)
    try:
        outcome = await run(spec)
    except ProgramNotFound:
        return ToolStatus(tool, found=False, works=False, remedy=REMEDY)
    words = outcome.stdout.decode(errors="replace").split()
    works = outcome.returncode == 0 and len(words) > 1
    version = words[1] if works else None
    return ToolStatus(
        tool, found=True, works=works, version=version, remedy=None if works else REMEDY
    )
