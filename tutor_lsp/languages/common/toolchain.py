"""What most toolchains have in common, to build one on."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Aside
from tutor_lsp.core.exercise.judge import plain_name
from tutor_lsp.core.exercise.report import BuildError, Failure, RawReport, RawTest, Remark
from tutor_lsp.core.ports import (
    Early,
    Files,
    FunctionSite,
    RunLimits,
    SourceReader,
    TestSite,
    ToolStatus,
)
from tutor_lsp.core.stage import Role
from tutor_lsp.core.text.remembered import remembering
from tutor_lsp.languages.common import look as second_look
from tutor_lsp.languages.common import paths
from tutor_lsp.process.box import Area
from tutor_lsp.process.contain import Contain, Containment
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import Outcome, run
from tutor_lsp.process.spec import ProgramNotFound, Spec


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The arguments of `core.ports.Toolchain.run`, and the containment of the run."""

    workspace: Path
    tests: Sequence[str] | None
    limits: RunLimits
    targets: Mapping[str, str] | None
    containment: Containment
    early: Early | None = None
    aside: Sequence[Aside] = ()


class Texts(SourceReader, Protocol):
    """Reads a language's texts, and explains its failing tests. A module can be that."""

    def explain(self, test: RawTest, files: Files, stubs: Sequence[str]) -> Failure:
        """See `core.ports.Toolchain.explain`."""


class Run(Protocol):
    """Building and running an exercise once."""

    async def report(self) -> RawReport:
        """Run all; nothing that was started is left."""


class BaseToolchain:
    """Implements `core.ports.Toolchain` but for `look`, `complete`, `new_file`, and `execute` or
    `new_run`."""

    language: str
    texts: Texts
    source_root = "src"
    """Where sources lie that name no folder."""
    build_folder: str | None = None
    suffixes: tuple[str, ...] = ()
    """How its source files end, dot included."""
    marker: "second_look.Marker | None" = None
    """What has tests tell their calls where a failure does not say which it was: in runs with
    targets, which are those that somebody reads."""

    def __init__(self, *, contain: Contain | None = None) -> None:
        self.contain = contain or Contain()
        self._probed: tuple[ToolStatus, ...] | None = None

    async def probe(self) -> Sequence[ToolStatus]:
        if self._probed is None:
            self._probed = tuple(await self.look())
        return self._probed

    async def look(self) -> Sequence[ToolStatus]:
        """The tools it needs and their state; called once."""
        raise NotImplementedError

    def normalise_path(self, role: Role, path: str) -> str:
        return paths.normalise(role, path, self.source_root)

    def own_names(self, files: Files) -> frozenset[str]:
        return frozenset()

    def with_new_files(self, file: str, given: str, found: str) -> str:
        return given

    def put_in_place(self, given: Collection[str]) -> Files:
        return {}

    async def run(
        self,
        workspace: Path,
        *,
        tests: Sequence[str] | None = None,
        limits: RunLimits | None = None,
        targets: Mapping[str, str] | None = None,
        early: Early | None = None,
        aside: Sequence[Aside] = (),
    ) -> RawReport:
        bounds, containment = limits or RunLimits(), await self.contain.get()
        heard = Heard(early)
        raw = await self.execute(
            RunRequest(workspace, tests, bounds, targets, containment, heard.early, aside)
        )
        if self.marker is None or targets is None:
            return raw

        async def again(folder: Path, names: Sequence[str], short: RunLimits) -> RawReport:
            heard.tell(raw.tests)
            request = RunRequest(folder, names, short, None, containment, aside=aside)
            return await self.execute(request)

        return await second_look.looked_again(
            self, self.marker, raw, workspace, targets, bounds, again
        )

    async def keep_ready(self, workspace: Path, limits: RunLimits) -> None:
        """Nothing to keep."""

    async def let_go(self, workspace: Path | None = None) -> None:
        """Nothing was kept."""

    async def execute(self, request: RunRequest) -> RawReport:
        """See `core.ports.Toolchain.run`; everything of the exercise runs in its containment."""
        return await self.new_run(request).report()

    def new_run(self, request: RunRequest) -> Run:
        """What `execute` lets report, where that is not overridden."""
        raise NotImplementedError

    async def lint(self, folder: Path, files: Collection[str], limit_s: float) -> Sequence[Remark]:
        return ()

    def functions(self, text: str) -> tuple[FunctionSite, ...]:
        return _functions(text, self.texts)

    def tests(self, text: str) -> tuple[TestSite, ...]:
        return self.texts.tests(text)

    def syntax_error(self, file: str, text: str) -> BuildError | None:
        return self.texts.syntax_error(file, text)

    def imports(self, text: str) -> tuple[tuple[int, str], ...]:
        return self.texts.imports(text)

    def import_lines(self, text: str) -> tuple[tuple[int, int], ...]:
        return self.texts.import_lines(text)

    def explain(self, test: RawTest, files: Files, stubs: Sequence[str]) -> Failure:
        return self.texts.explain(test, files, stubs)


@remembering
def _functions(text: str, texts: Texts) -> tuple[FunctionSite, ...]:
    return texts.functions(text)


class Heard:
    """Who waits for early results, and whether they were told; for those `without` nobody can."""

    def __init__(self, early: Early | None, without: Collection[str] = ()) -> None:
        self._hears = early
        self.early = early and Early(early.tests - {*without}, self._hear, early.wrong)
        self._told = self.early is None or not self.early.tests

    def _hear(self, tests: Sequence[RawTest]) -> None:
        self._told = True
        if self._hears is not None:
            self._hears.heard(tests)

    def tell(self, tests: Sequence[RawTest]) -> None:
        """Tell them before something else is done."""
        if not self._told and self.early is not None:
            names = self.early.tests
            self._hear([each for each in tests if {each.name, plain_name(each.name)} & names])


async def asked(*argv: str, limit_s: float, env: Mapping[str, str] | None = None) -> Outcome | None:
    """How a short call of a tool ended, None if the tool does not exist. `env` is its environment,
    by default that of every child."""
    try:
        return await run(Spec(argv, Path("/"), env or child_environment(), limit_s))
    except ProgramNotFound:
        return None


async def contained(spec: Spec, area: Area, containment: Containment) -> Outcome | None:
    """How a tool ended that looks at code of an exercise; None where it is not there, or did not
    end in time."""
    try:
        ended = await run(containment.apply(spec, area))
    except ProgramNotFound:
        return None
    return None if ended.timed_out else ended


def not_ready(message: str, tool: str, **details: str) -> TutorError:
    """The error for a tool that is missing or does not work; the message says what to do."""
    return TutorError("TOOLCHAIN_MISSING", message, details={"tool": tool, **details})
