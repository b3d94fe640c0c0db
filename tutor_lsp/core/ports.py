"""Protocols that other packages implement; the composition root puts them together."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.exercise.report import BuildError, Failure, RawReport, RawTest, Remark
from tutor_lsp.core.exercise.snapshot import Rules
from tutor_lsp.core.learner.loss import Holdings, Loss
from tutor_lsp.core.session import Event, NodeRecord, Session, Vault
from tutor_lsp.core.stage import BackendAnswer, Role, StageRequest, StageResult

T = TypeVar("T")


class Progress(Protocol):
    """Where long work tells how far it is; may always be called."""

    def report(self, percent: int, message: str) -> None:
        """`percent` is 0–100 and never goes back; `message` is one short line."""


@dataclass(frozen=True, slots=True)
class ToolStatus:
    """One tool as `tutor.doctor` shows it; `remedy` says how to mend what does not work."""

    name: str
    found: bool
    works: bool
    version: str | None = None
    remedy: str | None = None


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Bounds of one run: seconds of wall clock in all and per test, bytes of output per test.

    `again_s` bounds further tests of a stub one of whose tests did not finish.
    `keeps_files`: what tests write to the workspace stays there for the next run, even where they
    work in a throw-away copy.
    """

    total_s: float = 60.0
    test_s: float = 5.0
    output_bytes: int = 64 * 1024
    again_s: float = 1.0
    keeps_files: bool = False


@dataclass(frozen=True, slots=True)
class FunctionSite:
    """A function in a text. Lines are 1-based, columns 1-based code points.

    `comment` is its doc comment without comment marks (None if there is none) on
    `comment_line`..`comment_end_line`. `start`..`end` are code point offsets of the whole
    definition without comment (Rust) or with it (Python docstring); `body_start`..`body_end` those
    of what stands for the body. `line`, `column`, `end_column` belong to the name.
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


class SourceReader(Protocol):
    """Reads one language's text by syntax tree. Pure; never raises on broken text."""

    def functions(self, text: str) -> tuple[FunctionSite, ...]:
        """Every named function in order, broken text included as far as it parses."""

    def tests(self, text: str) -> tuple[TestSite, ...]:
        """Every test function in order; `calls` names what it calls, in order, once each."""

    def syntax_error(self, file: str, text: str) -> BuildError | None:
        """The first place that does not parse, or None."""

    def imports(self, text: str) -> tuple[tuple[int, str], ...]:
        """Line and top-level module or crate of every import."""


class Toolchain(SourceReader, Rules, Protocol):
    """What knows a language: files, how to run, how to read results, where functions are."""

    @property
    def language(self) -> str:
        """The language id, such as `rust`."""

    async def probe(self) -> Sequence[ToolStatus]:
        """The tools it needs and what state they are in. Remembered after the first call."""

    def normalise_path(self, role: Role, path: str) -> str:
        """Workspace path of a starter or test section's `file_path` (prefix added once)."""

    def complete(self, files: Mapping[str, str]) -> dict[str, str]:
        """`files` with what the language needs added: build files, crate root, module lines,
        package markers. Files that are there and complete stay as they are, byte for byte."""

    def own_names(self, files: Mapping[str, str]) -> frozenset[str]:
        """Top-level names a test may import besides the standard library and test framework."""

    @property
    def build_folder(self) -> str | None:
        """The folder at the top of a workspace that a build leaves for the next one, if any."""

    async def run(
        self,
        workspace: Path,
        *,
        tests: Sequence[str] | None = None,
        limits: RunLimits | None = None,
        targets: Mapping[str, str] | None = None,
    ) -> RawReport:
        """Build and run all tests, or those named. Cancelling the task kills every process.

        `targets` says by test name which stub it is about: where one of a stub's tests did not
        finish, its others get `RunLimits.again_s`.

        Never raises for what learner code does; raises TutorError `TOOLCHAIN_MISSING`."""

    async def lint(self, folder: Path, files: Collection[str], limit_s: float) -> Sequence[Remark]:
        """What the language's linter says of these files of a folder that builds, by line.

        Empty where there is no linter or it does not answer within `limit_s` seconds. Runs no
        code of the folder and writes only below its build folder."""

    def explain(self, test: RawTest, files: Mapping[str, str], stubs: Sequence[str]) -> Failure:
        """One sentence for a test that did not pass, from the texts that ran."""


class Transaction(Protocol):
    """One atomic change of the store. Reads see what this transaction wrote."""

    def session(self, session_id: str) -> Session | None:
        """The session, or None."""

    def put_session(self, session: Session) -> None:
        """Insert or replace."""

    def drop_session(self, session_id: str) -> None:
        """Take out a session and its exercise; what the event log says of it stays."""

    def put_exercise(self, session_id: str, exercise: Exercise, vault: Vault) -> None:
        """Keep the exercise of a session with what the learner's folder must not hold."""

    def exercise(self, session_id: str) -> tuple[Exercise, Vault] | None:
        """The exercise of a session, or None."""

    def sessions(self) -> list[Session]:
        """All sessions, newest first."""

    def session_of_workspace(self, workspace: str) -> Session | None:
        """The newest session of that folder, or None."""

    def active(self) -> str | None:
        """Id of the session last started or resumed and not ended, or None."""

    def set_active(self, session_id: str | None) -> None:
        """Make it the active session."""

    def stub_texts(self, session_id: str) -> dict[str, str]:
        """The last text that is known of each stub file of a session, by path."""

    def put_stub_texts(self, session_id: str, texts: Mapping[str, str]) -> None:
        """Keep these as the last ones that are known; those of other files stay."""

    def node(self, language: str, node: str) -> NodeRecord:
        """What is known on a node; an empty record if nothing is."""

    def nodes(self, language: str | None = None) -> dict[str, NodeRecord]:
        """All records of a language by node id. Without a language those of all: of own topics
        with the same id in several languages one."""

    def all_nodes(self) -> list[NodeRecord]:
        """Every record, in the order of their making."""

    def put_node(self, record: NodeRecord) -> None:
        """Insert or replace."""

    def log(self, event: Event) -> None:
        """Append to the event log."""

    def log_past(self, at: str, event: Event) -> None:
        """Append an event of another record, with its own time."""

    def events(
        self, *, session: str | None = None, kind: str | None = None
    ) -> list[dict[str, Any]]:
        """Events in order, each with `id`, `at`, `kind`, `session`, `data`."""

    def holdings(self) -> Holdings:
        """What the record holds of its learner."""

    def gone_without(self) -> Holdings:
        """What was lost and its learner goes on without."""


class Store(Protocol):
    """The learner's record. Calls block for at most the busy limit: keep them off the loop.

    Every method raises TutorError `STORE` with what to do when the file is locked or damaged.
    """

    def transaction(self) -> AbstractContextManager[Transaction]:
        """One immediate transaction: committed at the end, rolled back on any exception."""

    def work(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in one transaction, which waits for other writers only before its first write.

        If another program wrote after what `work` had read until then, or the file turns out to be
        damaged and was set aside, it is run again from the start, so it has no effects besides.
        """

    def keep_copy(self, name: str) -> Path:
        """Copy the record as it is now to `tutor.db.<name>-<time>` beside it; its path."""

    @property
    def loss(self) -> Loss | None:
        """What was found missing when the record was opened, be it settled since or not."""

    def take_loss(self) -> Loss | None:
        """`loss` once after each opening, to be told."""

    def put_loss_back(self, loss: Loss | None) -> None:
        """Give a loss that was taken but not settled again, unless a newer one was found."""

    def refresh_backup(self) -> None:
        """Put what was written since into today's backup, unless that would lose anything of it."""

    @property
    def backup_problem(self) -> str | None:
        """Why the last backup could not be made, None if it could or none was due."""

    @property
    def refusal(self) -> TutorError | None:
        """Why nothing can be written, found when the record was last opened; None if it can be."""

    def journal(self) -> "Journal":
        """The stage journal in the same file."""

    def changed_elsewhere(self) -> bool:
        """Whether another program may have written since this was last asked: the first answer is
        yes. Never waits and never raises; what cannot be told now is told the next time."""

    def close(self) -> None:
        """Close all connections; further calls raise."""


@dataclass(frozen=True, slots=True)
class JournalKey:
    """What an interrupted set-up is found by: `subject` is a node id or `topic:<text>`."""

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
        `load` no longer finds them."""


@dataclass(frozen=True, slots=True)
class BackendStatus:
    """Whether a backend can serve, and why (shown by `tutor.status` and `tutor.doctor`)."""

    name: str
    available: bool
    why: str
    version: str | None = None


class Backend(Protocol):
    """Answers stages."""

    @property
    def name(self) -> str:
        """`library`, `codex`, `scripted`, …"""

    @property
    def needs_prompt(self) -> bool:
        """Whether `StageRequest.prompt` must be built for it."""

    async def probe(self) -> BackendStatus:
        """Whether it can serve now; answers within 2 s."""

    async def answer(self, request: StageRequest) -> BackendAnswer:
        """The answer's text. Raises BackendFailed. Cancelling the task leaves no process."""


@runtime_checkable
class HasLogin(Protocol):
    """A backend that the learner logs in to."""

    async def login(self) -> ToolStatus | None:
        """How the login stands, within 2 s; None where nothing can be said. Never raises."""


class StageRunner(Protocol):
    """Runs one stage: backend, limit, validation, policy; never raises except CancelledError."""

    async def run(self, request: StageRequest, backend: Backend) -> StageResult:
        """Accepted with a validated payload, or rejected. Rejections go to the event log."""


EventSink = Callable[[Event], None]
