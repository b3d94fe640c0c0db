"""One learner's work on one exercise, and what is known about the learner per node."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.exercise.report import TestReport

ATTEMPTS_KEPT = 10
"""Attempts kept in the session; the event log keeps them all."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A reviewer's remark anchored to a quote at `file`:`line` (1-based)."""

    file: str
    """File, relative to the workspace."""
    line: int
    """1-based line."""
    end_line: int
    """Last 1-based line."""
    quote: str
    """The lines it is about."""
    claim: str
    """The remark."""
    evidence: str
    """Its evidence; may be empty."""


@dataclass(frozen=True, slots=True)
class Place:
    """A quote at `file`:`line`..`end_line` (1-based)."""

    file: str
    """File, relative to the workspace."""
    line: int
    """1-based line."""
    end_line: int
    """Last 1-based line."""
    quote: str
    """The lines as quoted."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a reviewer's question, determined by execution, and the place it is about."""

    at: Place
    """The place the question is about."""
    setup: tuple[str, ...]
    """Lines to execute first."""
    call: str
    """The expression."""
    value: str
    """Its value."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a misconception shows: lines that the learner wrote, and a test."""

    tag: str
    """The misconception."""
    at: Place
    """The place where it shows."""
    test: str
    """The test that shows it."""


@dataclass(frozen=True, slots=True)
class CounterExample:
    """An executed input for which the reference returned `expected` and the learner's code did not.

    `gave` is what it returned, or a clause on how it ended, which begins with a backtick.
    """

    unit: str
    """Id of the unit."""
    setup: tuple[str, ...]
    """Lines to execute first."""
    call: str
    """The expression."""
    expected: str
    """The reference's result."""
    gave: str
    """The code's result, or a clause on how it ended, which begins with a backtick."""


@dataclass(frozen=True, slots=True)
class Review:
    """A verdict after the verdict rules were applied. `score` is 0–100.

    Every quote in it is at its place; `dropped_findings` counts those that were not. `cited`
    has one citation for each of `tags`.
    """

    verdict: str
    """`PASS` or `FAIL`; people never read the word FAIL."""
    score: int
    """0–100."""
    summary: str
    """The verdict in words."""
    findings: tuple[Finding, ...] = ()
    """Remarks on lines of the code."""
    improvement: str | None = None
    """One thing to improve."""
    question: str | None = None
    """One thing to think about."""
    tags: tuple[str, ...] = ()
    """Misconceptions seen."""
    cited: tuple[Citation, ...] = ()
    """For each tag, where it shows."""
    improvement_at: Place | None = None
    """The place the improvement is about."""
    answer: Answer | None = None
    """The answer to the question."""
    counter_example: CounterExample | None = None
    """An input on which the code differs from the reference."""
    dropped_findings: int = 0
    """How many remarks were dropped because their quote was not found."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint as shown. `test` is the first failing test it was given for ("" for none), or
    what prevented the build (see `ladder.ladder_of`). `text_hash` identifies the unit's text,
    `ran` all texts of the run that it is about, and `source` is who says it (`author`, `model`);
    both are "" in records of older versions. From `trace_at` on `text` is a trace of the program,
    which a newer one replaces; 0 where there is none. `tried` says what of it was run, "" nothing.
    `question` is what it answers, "" for nothing.
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
    question: str = ""
    source: str = ""
    trace_at: int = 0
    tried: str = ""


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
    `touched` is true once the stub differed from the starter in any run. `passes` counts how often
    it came to pass. `checked` is the `Stubs.basis` of its last results, where tests run on request
    only.
    """

    failing_texts: tuple[str, ...] = ()
    first_failing: str = ""
    stuck_runs: int = 0
    touched: bool = False
    passed: bool = False
    revealed: bool = False
    passes: int = 0
    checked: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """Everything about one learner's work on one exercise that survives a restart.

    `last_report` is the newest run whatever its outcome; `last_results` the newest one with
    test results.

    `trusted` is false for a folder from elsewhere until its learner has agreed to
    what running it would execute.
    `review_of` is the session whose exercise a short review repeats one unit of, "" for any other
    session. `cases` are inputs found by reviews, oldest first: they are tests of this session.
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
    passed: bool = False
    lowered: bool = False
    review_of: str = ""
    trusted: bool = True
    cases: tuple[CounterExample, ...] = ()

    def attempt(self, number: int | None) -> Attempt | None:
        """The attempt with that number, or None if it is not kept."""
        return next((item for item in self.attempts if item.number == number), None)

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
    `difficulty` 1–10, both as defined by the scheduler. `reviews` counts the ratings so far.
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
    """What is known about the learner on one node. `mastery` is 0–3.

    `passed_depths` are the depth targets at which the node was passed. `card` exists from the first
    pass on. `own` is set for a topic that is not a node of the curriculum. `constructs` are those
    that units of passed exercises are about, by name, with whether the learner has used them.
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
    constructs: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WrongProgram:
    """A wrong program: the whole text of the file that it replaces.

    `says` is what it does wrong, in one sentence; `call` an input that shows it, and `gives` what
    a right program gives there. `tag` names the misconception, `hint` is an L2 of its own.
    """

    name: str
    text: str
    says: str
    call: str
    gives: str
    tag: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Programs:
    """What a unit's tests are run on, besides the program that is given: right ones, and known
    mistakes. Each replaces `file`."""

    file: str
    right: tuple[str, ...]
    wrong: tuple[WrongProgram, ...]


@dataclass(frozen=True, slots=True)
class Vault:
    """Parts of an exercise that must never enter the learner's folder, except `originals`.

    `originals` are all files as delivered (path to text), for reset and restoring tests.
    `hints` maps a unit id to its authored L1, L2, L3 texts (Markdown), `accepts` to its domain: a
    source file whose function `accepts` tells which inputs the unit promises to handle,
    `programs` to those on which the tests run that the unit asks for, `mistakes` to those that
    are known in it.
    """

    solution: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    originals: Mapping[str, str] = field(default_factory=dict)
    accepts: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[str, Programs] = field(default_factory=dict)
    mistakes: Mapping[str, tuple[Mistake, ...]] = field(default_factory=dict)


ELSEWHERE = "elsewhere"
"""Key in an event's data: its files are texts of a folder other than the session's own."""


@dataclass(frozen=True, slots=True)
class Event:
    """A line of the append-only event log; `data` is JSON."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)
    session: str | None = None
