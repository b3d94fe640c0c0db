"""Results about the open exercise: runs, hints, solutions, files."""

from dataclasses import dataclass, field
from typing import Literal

from tutor_lsp.core.exercise.report import TestReport
from tutor_lsp.core.learner.recommendation import Advice
from tutor_lsp.core.session import Review
from tutor_lsp.tutor.interface.units import Way


@dataclass(frozen=True, slots=True)
class Say:
    """A result in words, written once by the server."""

    title: str
    """A few words for a heading or a notification."""
    one_line: str
    """One or two sentences for a message or a status line: at most 200 characters, no line
    break."""
    markdown: str
    """The whole result, in Markdown that also reads well as plain text. Its first line is `# ` and
    the title, so a client that shows the title elsewhere can omit it."""


@dataclass(frozen=True, slots=True)
class Started:
    """`tutor.start`: the job is running; `tutor/sessionReady` or `tutor/sessionFailed` follows."""

    job_id: str
    """Id of the job, for `tutor.cancel` and as in the notification that follows."""
    node: str | None
    """Id of the topic; null for a topic in the learner's own words."""
    language: str
    """Id of the language."""
    depth: str
    """`D1`, `D2` or `D3`."""
    title: str = field(default="", kw_only=True)
    """Title of the topic; empty for one in the learner's own words."""


@dataclass(frozen=True, slots=True)
class NextStarted(Started):
    """`tutor.next`: like `tutor.start`, after ending the previous session."""

    ended: str
    """How the previous session ended, in one or two sentences."""


@dataclass(frozen=True, slots=True)
class FilePlace:
    """`tutor.open`: a place in the workspace, shown if the client can show it."""

    file: str
    """File, relative to the workspace."""
    line: int
    """1-based line."""


@dataclass(frozen=True, slots=True)
class MasteryStep:
    """Mastery of the topic before and after an attempt."""

    node: str
    """Id of the topic."""
    before: int
    """0–3."""
    after: int
    """0–3."""


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """`tutor.attempt`: a run that counts, and its review."""

    attempt: int | None
    """Its number; null if it was not counted."""
    report: TestReport
    """The result of the run."""
    review: Review | None
    """The review; null if there is none (yet)."""
    review_error: str | None
    """Why there is no review; the next attempt on the same text requests it again."""
    mastery: MasteryStep
    """Mastery of the topic."""
    next: tuple[Advice, ...]
    """Recommended next steps, best first."""
    note: str | None = None
    """What the verdict does not say: why the attempt was not counted, that the text has changed
    since, what was left out, why a pass does not count in full, or what a challenge showed."""
    claimed: tuple[str, ...] = ()
    """Topics that count as known because of it."""
    text_of: str | None = None
    """Local time (`14:03`) at which the text that this is about was read; null if that
    is still the one on disk."""
    topic: str = ""
    """Title of the topic; its id if the curriculum no longer has it."""


@dataclass(frozen=True, slots=True)
class KnownMistake:
    """A mistake that is known in an exercise, as the code of its unit makes it, or else where that
    code is wrong."""

    tag: str
    """The misconception behind it; empty where it has no name."""
    says: str
    """What the code does, in one sentence, or where it is wrong."""
    sure: bool
    """Whether it is known and can be nothing else; otherwise only the place is known."""


@dataclass(frozen=True, slots=True)
class HintResult:
    """`tutor.hint`."""

    unit: str
    """Id of the unit."""
    level: int
    """1 (a nudge) to 3 (the answer in words)."""
    text: str
    """The hint, in Markdown."""
    code: str | None
    """Code to show with the text, if any."""
    verified: bool
    """Whether the fix behind the hint was executed and made a test pass, and all that the hint
    states was executed, too."""
    answers_questions: bool
    """Whether a model would answer a question about the code; false below level 3."""
    stub: str = field(default="", kw_only=True)
    """Name of the unit's function."""
    language: str = field(default="", kw_only=True)
    """Language of the code."""
    actions: tuple[Way, ...] = field(default=(), kw_only=True)
    """The ways on after a hint of level 3, best offered as buttons; empty before."""
    mistake: KnownMistake | None = field(default=None, kw_only=True)
    """The known mistake that the code makes, or where it is wrong, which hints of level 1 begin
    with; null where neither is known."""
    source: Literal["author", "model"] = field(default="author", kw_only=True)
    """Whose words it is in: those of the exercise's author with the facts of the tests, or a
    model's."""
    tried: bool = field(default=False, kw_only=True)
    """Whether all that it states was executed: see `verified`, a known mistake, or what mends it.
    """
    tried_out: str = field(default="", kw_only=True)
    """What of a model's words was executed, in a sentence to show beside them; empty for nothing.
    """


@dataclass(frozen=True, slots=True)
class AskResult(HintResult):
    """`tutor.ask`, and `tutor.hint` with a question."""

    title: str
    """A heading, because the answer need not be a hint."""
    answered: bool
    """Whether the question was answered; if not, the text is the best help available without an
    answer."""
    reason: Literal["NO_MODEL", "NO_ANSWER"] | None = None
    """Why it was not: no model was available, or a model gave no usable answer."""


@dataclass(frozen=True, slots=True)
class Revealed:
    """`tutor.reveal`: one way to write a unit."""

    unit: str
    """Id of the unit."""
    file: str
    """File of the stub, relative to the workspace."""
    solution: str
    """The code."""
    stub: str = ""
    """Name of the unit's function."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """`tutor.compare`: a unit beside its reference."""

    unit: str
    """Id of the unit."""
    file: str
    """File of the stub, relative to the workspace."""
    yours: str
    """The learner's own file, as an absolute path."""
    reference: str
    """A read-only copy of that file, with this unit replaced by the reference."""
    diff: str = ""
    """The unit's difference as a unified diff; empty if both are equal."""
    stub: str = ""
    """Name of the unit's function."""


@dataclass(frozen=True, slots=True)
class PutBack:
    """`tutor.reset`, and `tutor.restore` of an exercise."""

    files: tuple[str, ...]
    """Files that were put back, relative to the workspace."""
    kept: tuple[str, ...]
    """Those whose text was kept, so that `tutor.reset` with `undo` brings it back."""
    older: tuple[str, ...] = ()
    """Those of `kept` that had been deleted: the last text seen was kept."""
    undone: bool = False
    """Whether it undid an earlier reset."""
    redone: bool = False
    """Whether what it undid was the last undo, since there is nothing else to undo."""


@dataclass(frozen=True, slots=True)
class RecordRestored:
    """`tutor.restore` with `record`."""

    backup: str | None
    """Name of the backup; null if none was needed."""
    sessions: int
    """Number of restored sessions."""
    topics: int
    """Number of restored topics."""
    events: int
    """Number of restored events."""
    adopted: int = 0
    """Number of exercises added back from their folders."""
    aside: str | None = None
    """Path of the copy of the previous record; null if none was made."""
    dismissed: bool = False
    """Whether the learner chose to continue without what was lost."""
    files: tuple[str, ...] = ()
    """Always empty: exercise files do not change."""


@dataclass(frozen=True, slots=True)
class Cancelled:
    """`tutor.cancel`."""

    cancelled: bool
    """Whether anything was running."""
