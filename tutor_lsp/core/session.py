"""One learner's work on one exercise, and what is known of the learner per node."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tutor_lsp.core.exercise.report import TestReport

ATTEMPTS_KEPT = 10
"""Attempts kept in the session; the event log keeps all of them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A reviewer's remark anchored to a quote that stands at `file`:`line` (1-based)."""

    file: str
    line: int
    end_line: int
    quote: str
    claim: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Place:
    """A quote that stands at `file`:`line`..`end_line` (1-based)."""

    file: str
    line: int
    end_line: int
    quote: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a reviewer's question, known by execution, and what the question is about."""

    at: Place
    setup: tuple[str, ...]
    call: str
    value: str


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a misconception shows: lines that the learner wrote, and a test."""

    tag: str
    at: Place
    test: str


@dataclass(frozen=True, slots=True)
class CounterExample:
    """An input that was executed: the reference gave `expected`, the learner's code did not.

    `gave` is what it gave, or a clause on how it ended, which begins with a backtick.
    """

    unit: str
    setup: tuple[str, ...]
    call: str
    expected: str
    gave: str


@dataclass(frozen=True, slots=True)
class Review:
    """A verdict after the rules of the verdict were applied. `score` is 0–100.

    Every quote in it stands at its place; `dropped_findings` counts those that did not. `cited`
    holds one citation for each of `tags`.
    """

    verdict: str
    score: int
    summary: str
    findings: tuple[Finding, ...] = ()
    improvement: str | None = None
    question: str | None = None
    tags: tuple[str, ...] = ()
    cited: tuple[Citation, ...] = ()
    improvement_at: Place | None = None
    answer: Answer | None = None
    counter_example: CounterExample | None = None
    dropped_findings: int = 0


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint as it was shown. `test` is the first failing test it was given for ("" for none), or
    what kept the code from being built (see `ladder.ladder_of`). `text_hash` identifies the unit's
    text, `ran` all the texts of the run that it speaks of, "" in records of older versions.
    """

    unit: str
    test: str
    level: int
    text: str
    code: str | None
    verified: bool
    at: str
    text_hash: str
    ran: str = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A counted run with its review. `files_hash` identifies the learner's text it ran on."""

    number: int
    at: str
    report: TestReport
    files_hash: str
    review: Review | None = None
    review_error: str | None = None


@dataclass(frozen=True, slots=True)
class UnitProgress:
    """Runs of one unit. `failing_texts` are hashes of distinct learner texts that failed.

    `stuck_runs` counts runs with changed text since the first failing test last changed.
    `touched` holds once the stub differed from the starter in any run.
    """

    failing_texts: tuple[str, ...] = ()
    first_failing: str = ""
    stuck_runs: int = 0
    touched: bool = False
    passed: bool = False
    revealed: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """Everything that survives a restart about one learner's work on one exercise.

    `last_report` is the newest run whatever its outcome; `last_results` the newest one that has
    test results.

    `trusted` is false for a folder that came from elsewhere until its learner agreed to
    what a run of it would execute.
    `polishing` holds once the learner declined to finish at the first all-green run.
    `review_of` is the session whose exercise a short review repeats one unit of, "" for any other
    session. `cases` are inputs that reviews found, oldest first: they are tests of this session.
    """

    id: str
    exercise_id: str
    node: str
    title: str
    language: str
    depth: str
    workspace: str
    lesson: str
    created_at: str
    updated_at: str
    backend: str = "library"
    challenge: bool = False
    ended_at: str | None = None
    attempt_count: int = 0
    attempts: tuple[Attempt, ...] = ()
    hints: tuple[Hint, ...] = ()
    hint_level_used: int = 0
    progress: Mapping[str, UnitProgress] = field(default_factory=dict)
    last_report: TestReport | None = None
    last_results: TestReport | None = None
    polishing: bool = False
    passed: bool = False
    lowered: bool = False
    review_of: str = ""
    trusted: bool = True
    cases: tuple[CounterExample, ...] = ()

    def with_attempt(self, attempt: Attempt) -> "Session":
        """This session with one more attempt; only the last `ATTEMPTS_KEPT` are kept."""
        kept = (*self.attempts, attempt)[-ATTEMPTS_KEPT:]
        return replace(self, attempts=kept, attempt_count=attempt.number)


@dataclass(frozen=True, slots=True)
class MasteryChange:
    """One line of a node's history."""

    at: str
    session: str
    before: int
    after: int
    reason: str


@dataclass(frozen=True, slots=True)
class TagRecord:
    """How often a misconception was seen, and how many clean passes came since."""

    count: int = 0
    clean_passes: int = 0
    last_at: str = ""


@dataclass(frozen=True, slots=True)
class MemoryCard:
    """When a node is due for review. Times are ISO 8601 in UTC; `stability` is in days,
    `difficulty` 1–10, both as the scheduler understands them. `reviews` counts ratings so far.
    """

    stability: float
    difficulty: float
    due: str
    last_review: str
    reviews: int = 1


@dataclass(frozen=True, slots=True)
class OwnTopic:
    """A topic in the learner's own words, with its title and depth target."""

    text: str
    title: str
    depth: str


@dataclass(frozen=True, slots=True)
class NodeRecord:
    """What is known of the learner on one node. `mastery` is 0–3.

    `passed_depths` are depth targets at which the node was passed. `card` is there from the first
    pass on. `own` is set for a topic that is no node of the curriculum.
    """

    node: str
    language: str
    mastery: int = 0
    claimed: bool = False
    passed_depths: tuple[str, ...] = ()
    history: tuple[MasteryChange, ...] = ()
    tags: Mapping[str, TagRecord] = field(default_factory=dict)
    card: MemoryCard | None = None
    own: OwnTopic | None = None
    updated_at: str = ""


@dataclass(frozen=True, slots=True)
class Vault:
    """What belongs to an exercise and must never enter the learner's folder, save `originals`.

    `originals` are all files as delivered (path to text), for reset and restoring tests.
    `hints` maps a unit id to its authored L1, L2, L3 texts (Markdown), `accepts` to the text of its
    domain: a source file whose function `accepts` tells which inputs the unit speaks of.
    """

    solution: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    originals: Mapping[str, str] = field(default_factory=dict)
    accepts: Mapping[str, str] = field(default_factory=dict)


ELSEWHERE = "elsewhere"
"""In the data of an event: its files are texts of another folder than the session's here."""


@dataclass(frozen=True, slots=True)
class Event:
    """A line of the append-only event log; `data` is JSON."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)
    session: str | None = None
