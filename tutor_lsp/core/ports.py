"""Protocols that other packages implement; the composition root wires them together."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from tutor_lsp.core.exercise.exercise import Aside
from tutor_lsp.core.exercise.report import BuildError, Failure, RawReport, RawTest, Remark
from tutor_lsp.core.exercise.snapshot import Rules
from tutor_lsp.core.mend import Mend
from tutor_lsp.core.session import Event
from tutor_lsp.core.stage import BackendAnswer, Role, StageRequest, StageResult

T = TypeVar("T")
Files = Mapping[str, str]
"""Texts of an exercise by their paths in it."""


class Progress(Protocol):
    """Receives the progress of long work; may be called at any time."""

    def report(self, percent: int, message: str) -> None:
        """`percent` is 0–100 and never decreases; `message` is one short line."""


@dataclass(frozen=True, slots=True)
class ToolStatus:
    """One tool as `tutor.doctor` shows it; `remedy` says how to fix what does not work."""

    name: str
    """Its name."""
    found: bool
    """Whether it is there."""
    works: bool
    """Whether it can be used."""
    version: str | None = None
    """Its version, or another word on it."""
    remedy: str | None = None
    """How to mend what does not work."""
    needed: bool = True
    """False for a tool of a language that was neither begun nor set."""
    optional: bool = False
    """Whether all exercises can be done without it, as with a model that no setting names."""
    mends: tuple[Mend, ...] = ()
    """What of `remedy` can be done by pressing a button."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Limits of one run: seconds of wall clock in total and per test, bytes of output per test.

    `again_s` limits the other tests of a stub after one of its tests did not finish.
    `keeps_files`: what tests write to the workspace stays there for the next run, even if they
    work in a throw-away copy. `around` are variables of the environment that tests get in other
    surroundings: where there are any, the working directory, what the clock says and memory that
    nobody wrote are others, too, as far as a toolchain can.
    `plain`: it only matters how each test ends, not which values it compared.
    """

    total_s: float = 60.0
    test_s: float = 5.0
    output_bytes: int = 64 * 1024
    again_s: float = 1.0
    keeps_files: bool = False
    around: tuple[tuple[str, str], ...] = ()
    plain: bool = False


@dataclass(frozen=True, slots=True)
class FunctionSite:
    """A function in a text. Lines are 1-based, columns 1-based code points.

    `comment` is its doc comment without comment markers (None if there is none) on
    `comment_line`..`comment_end_line`. `start`..`end` are code point offsets of the whole
    definition, with its comment only if that is inside it; `body_start`..`body_end` those
    of the stub's placeholder body. `line`, `column`, `end_column` belong to the name.
    """

    name: str
    line: int
    column: int
    end_column: int
    signature: str
    comment: str | None
    comment_line: int
    comment_end_line: int
    start: int
    end: int
    body_start: int
    body_end: int


@dataclass(frozen=True, slots=True)
class TestSite:
    """A test function in a test file's text; `line` is that of its name, 1-based."""

    __test__ = False
    name: str
    line: int
    end_line: int
    calls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Early:
    """Tests whose results somebody waits for, by name, if any. `heard` is called once, on the loop,
    with the results of all of them, unless nothing else is left by then or the run does not get to
    them; `wrong` with the errors of a build as soon as all are known, at most once. What else a
    run finds may still overrule them."""

    tests: frozenset[str]
    heard: Callable[[Sequence[RawTest]], None]
    wrong: Callable[[Sequence[BuildError]], None] = lambda _: None


class SourceReader(Protocol):
    """Reads one language's text by syntax tree. Pure; never raises on broken text."""

    def functions(self, text: str) -> tuple[FunctionSite, ...]:
        """Every named function in order, also in broken text as far as it parses."""

    def tests(self, text: str) -> tuple[TestSite, ...]:
        """Every test function in order; `calls` names what it calls, in order, once each."""

    def syntax_error(self, file: str, text: str) -> BuildError | None:
        """The first place that does not parse, or None."""

    def imports(self, text: str) -> tuple[tuple[int, str], ...]:
        """Line and top-level module or crate of every import."""

    def import_lines(self, text: str) -> tuple[tuple[int, int], ...]:
        """First and last line of every import that means the same anywhere in its file."""


class Toolchain(SourceReader, Rules, Protocol):
    """Knows a language: its files, how to run tests, how to read results, where functions are."""

    @property
    def language(self) -> str:
        """The language id, such as `rust`."""

    async def probe(self) -> Sequence[ToolStatus]:
        """The tools it needs and their state. Remembered after the first call."""

    def normalise_path(self, role: Role, path: str) -> str:
        """Workspace path of a starter or test section's `file_path` (prefix added once)."""

    def complete(self, files: Files) -> dict[str, str]:
        """`files` with what the language needs added: build files, crate root, module lines,
        package markers. Files that are complete already stay as they are, byte for byte."""

    def own_names(self, files: Files) -> frozenset[str]:
        """Top-level names a test may import besides the standard library and test framework."""

    @property
    def build_folder(self) -> str | None:
        """The folder at the top of a workspace that a build keeps for the next one, if any."""

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
        """Build and run all tests, or those named. Cancelling the task kills every process.

        `targets` maps a test's name to its stub: if one of a stub's tests did not
        finish, its others get `RunLimits.again_s`. Tests in `early` go first where that cannot
        change their results. Where a file of a unit in `aside` does not build, the rest is built
        and run without it, and the unit's tests have that as `RawTest.broken`; the argument is
        only given where there are such units.

        Never raises because of learner code; raises TutorError `TOOLCHAIN_MISSING`."""

    async def keep_ready(self, workspace: Path, limits: RunLimits) -> None:
        """Prepare what makes the next run of all tests of this workspace faster, such as a process
        that waits for it, until that run or `let_go`. The run's results are those of any other.
        Nothing of the workspace is executed. Returns before all is prepared; never raises."""

    async def let_go(self, workspace: Path | None = None) -> None:
        """Release what `keep_ready` prepared for this workspace, or for all."""

    async def lint(self, folder: Path, files: Collection[str], limit_s: float) -> Sequence[Remark]:
        """The remarks of the language's linter on these files of a folder that builds, by line.

        Empty if there is no linter or it does not finish within `limit_s` seconds. Runs no
        code of the folder and writes only to its build folder."""

    def explain(self, test: RawTest, files: Files, stubs: Sequence[str]) -> Failure:
        """One sentence for a test that did not pass, from the texts that ran."""


@dataclass(frozen=True, slots=True)
class JournalKey:
    """Identifies an interrupted set-up: `subject` is a node id or `topic:<text>`."""

    subject: str
    language: str
    depth: str
    backend: str


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One accepted stage of a set-up."""

    role: Role
    iteration: int
    payload: Mapping[str, Any]


class Journal(Protocol):
    """Accepted stage payloads of set-ups that are not finished. Thread-safe."""

    def load(self, key: JournalKey) -> list[JournalEntry]:
        """Entries of the open set-up of that key, in order; empty if there is none."""

    def append(self, key: JournalKey, entry: JournalEntry) -> None:
        """Add an accepted payload."""

    def close(self, key: JournalKey, outcome: str) -> None:
        """End the open set-up (`ready`, `fresh`, `proof-failed`, …); its entries are kept, but
        `load` no longer returns them."""


@dataclass(frozen=True, slots=True)
class BackendStatus:
    """Whether a backend can serve, and why (shown by `tutor.status` and `tutor.doctor`)."""

    name: str
    available: bool
    why: str
    version: str | None = None
    mends: tuple[Mend, ...] = ()


class Backend(Protocol):
    """Answers stages."""

    @property
    def name(self) -> str:
        """`library`, `codex`, `scripted`, …"""

    @property
    def is_model(self) -> bool:
        """Whether a model answers: what it gives is checked, repaired and journalled. What else
        answers gives texts of authors, as they are."""

    @property
    def needs_prompt(self) -> bool:
        """Whether `StageRequest.prompt` must be built for it."""

    async def probe(self) -> BackendStatus:
        """Whether it can serve now; answers within 2 s."""

    async def answer(self, request: StageRequest) -> BackendAnswer:
        """The text of the answer. Raises BackendFailed. Cancelling the task leaves no process."""


@runtime_checkable
class HasLogin(Protocol):
    """A backend that the learner logs in to."""

    async def login(self) -> ToolStatus | None:
        """The state of the login, within 2 s; None if unknown. Never raises."""


@runtime_checkable
class Selective(Protocol):
    """A backend that knows which roles it cannot answer."""

    def can_answer(self, role: Role) -> bool:
        """Whether it may be asked for what an exercise can do without."""


@runtime_checkable
class Recorded(Protocol):
    """A backend that may play answers of before, which are the same when they are asked for
    again."""

    @property
    def recorded(self) -> bool:
        """Whether it does."""


class StageRunner(Protocol):
    """Runs one stage: backend, limit, validation, policy; never raises except CancelledError."""

    async def run(self, request: StageRequest, backend: Backend) -> StageResult:
        """Accepted with a validated payload, or rejected. Rejections go to the event log."""


EventSink = Callable[[Event], None]
