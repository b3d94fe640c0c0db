"""Results about the learner: sessions, topics, installed tools."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NotRequired, TypedDict, cast

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Proof
from tutor_lsp.core.learner.recommendation import Advice
from tutor_lsp.core.mend import Remedy
from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.tutor.interface.choices import Choice
from tutor_lsp.tutor.interface.units import StandingInfo, UnitInfo


@dataclass(frozen=True, slots=True)
class StartedExercise:
    """An exercise in its folder."""

    exercise_id: str
    """Id of the exercise."""
    node: str
    """Id of the topic."""
    title: str
    """Title of the exercise."""
    language: str
    """Id of the language."""
    depth: str
    """`D1`, `D2` or `D3`."""
    workspace: str
    """Folder of the exercise, absolute."""
    lesson: str
    """LESSON.md, absolute."""


@dataclass(frozen=True, slots=True)
class SessionInfo(StartedExercise):
    """One learner's work on one exercise."""

    id: str
    """Id of the session; a unique prefix also names it."""
    created_at: str
    """ISO 8601 in UTC."""
    updated_at: str
    """ISO 8601 in UTC."""
    ended_at: str | None
    """ISO 8601 in UTC; null while it is open."""
    backend: str
    """Name of the backend that made the exercise."""
    challenge: bool
    """Whether it is worked on without the lesson."""
    attempts: int
    """Number of counted attempts."""
    hint_level_used: int
    """The highest hint taken, 0–3."""
    passed: bool
    """Whether an attempt passed."""
    tests: int
    """Number of tests, 0 if unknown."""
    tests_passing: int
    """Number of tests that pass now."""
    standing: StandingInfo | None
    """Its standing; null if there is no record of its exercise."""
    verdict: str | None
    """`PASS` or `FAIL`: the verdict on the last reviewed attempt."""


@dataclass(frozen=True, slots=True)
class AttemptInfo:
    """An attempt in a session's history."""

    number: int
    """1 for the first."""
    at: str
    """ISO 8601 in UTC."""
    text_hash: str
    """Identifies all the texts that it ran on."""
    outcome: str
    """As in a report."""
    tests: int
    """Number of tests."""
    tests_passing: int
    """Number of tests that passed."""
    verdict: str | None
    """`PASS` or `FAIL`; null without a review."""
    score: int | None
    """0–100; null without a review."""
    words: str
    """One line: its local time, how many tests passed, and the review's verdict."""


@dataclass(frozen=True, slots=True)
class OpenSession(SessionInfo):
    """The selected session, with its history."""

    proof: Proof
    """What was executed before the learner saw the exercise."""
    history: tuple[AttemptInfo, ...]
    """The last attempts, oldest first."""


@dataclass(frozen=True, slots=True)
class ListedSession(SessionInfo):
    """A row of `tutor.sessions`."""

    active: bool
    """Whether it is the one that was last started or resumed."""
    missing: bool
    """Whether its folder is gone."""
    continues: bool
    """Whether it can be continued: it has neither passed nor ended, and its folder exists."""
    folder: str
    """Name of its folder, which distinguishes copies of the same exercise."""
    proven: str
    """One line that says what was executed; empty if there is no record of it."""
    units: int
    """Number of units, 0 if unknown."""
    units_passing: int
    """Number of units that pass now."""


@dataclass(frozen=True, slots=True)
class GoingOn:
    """What can be continued: the rows that are shown, language and node of all of them, and how
    many sessions there are in all."""

    shown: tuple[ListedSession, ...]
    topics: frozenset[tuple[str, str]]
    sessions: int


JobState = Literal["running", "done", "failed", "cancelled"]


class ErrorInfo(TypedDict):
    """A refusal or failure inside a result."""

    message: str
    """One or two sentences that end with a remedy."""
    kind: str
    """An upper-case word, such as `NO_WORKSPACE`."""
    stage: NotRequired[str]
    """The stage of a set-up that failed."""
    reason: NotRequired[str]
    """A machine-readable reason."""
    details: NotRequired[Mapping[str, Any]]
    """JSON data."""


def error_info(error: TutorError) -> ErrorInfo:
    """An error as part of a result."""
    return cast("ErrorInfo", {"message": error.message, **error.data()})


@dataclass(frozen=True, slots=True)
class BrokenSession:
    """Returned in place of a session that cannot be opened."""

    error: ErrorInfo
    """Why it cannot be opened."""


@dataclass(frozen=True, slots=True)
class JobInfo:
    """A job that is running or has just ended."""

    job_id: str
    """Its id."""
    title: str
    """What the job makes."""
    node: str | None
    """Id of the topic."""
    language: str
    """Id of the language."""
    state: JobState
    """Its state."""
    stage: str | None
    """Its current stage."""
    percent: int
    """0–100; never decreases."""
    message: str
    """Its current step."""
    error: ErrorInfo | None
    """Why it failed or was cancelled."""
    session_id: str | None
    """Id of its session; null until there is one."""


@dataclass(frozen=True, slots=True)
class BackendInfo:
    """The backend that provides exercises and answers."""

    name: str
    """Such as `library`."""
    why: str
    """Why it was chosen, in one sentence."""
    answers_questions: bool
    """Whether a model would answer a question about this session's code."""


@dataclass(frozen=True, slots=True)
class Status:
    """`tutor.status`."""

    session: OpenSession | BrokenSession | None
    """The selected session; null if none is open."""
    units: tuple[UnitInfo, ...] | None
    """Its units; null if none is open."""
    jobs: tuple[JobInfo, ...]
    """Jobs that are running or have just ended, oldest first."""
    backend: BackendInfo
    """The backend in use."""
    home: str
    """The tutor home, which contains exercises and record."""
    version: str
    """Version of tutor-lsp."""
    layout: str
    """The setting of that name, `focused` or `mine`, from whichever source counts."""
    resume: Choice | None
    """The exercise to continue, as a row of a list: the selected one, else another that is begun
    unless one was named; null where there is none."""
    due: int
    """Number of topics that are due for review."""
    due_words: str
    """That in words; empty for none."""


@dataclass(frozen=True, slots=True)
class Ready(StartedExercise):
    """`tutor.resume`, and `tutor/sessionReady`."""

    job_id: str | None
    """The job that made it, null after `tutor.resume`."""
    session_id: str
    """Id of the session."""
    files: tuple[str, ...]
    """The files of the exercise, relative to the workspace."""
    units: tuple[UnitInfo, ...]
    """Its units."""
    proof: Proof
    """What was executed before the learner saw it."""
    challenge: bool = False
    """Whether it is a challenge: its lesson has no more than the task."""


@dataclass(frozen=True, slots=True)
class Ended:
    """`tutor.end`."""

    summary: str
    """How it went, in one or two sentences."""
    recommendations: tuple[Advice, ...]
    """What to do next, best first."""


@dataclass(frozen=True, slots=True)
class TrackInfo:
    """A named path of topics."""

    id: str
    """Its id."""
    title: str
    """Its title."""
    language: str
    """Id of its language."""
    nodes: tuple[str, ...]
    """Ids of its topics, in order."""


@dataclass(frozen=True, slots=True)
class BundledExercise:
    """An exercise that can be started without a model."""

    id: str
    """Its id."""
    title: str
    """Its title."""
    depth: str
    """`D1`, `D2` or `D3`."""
    minutes: int | None
    """About how long it takes."""
    folder: str = ""
    """The folder of one of the learner's own; empty if it comes with the tutor."""


@dataclass(frozen=True, slots=True)
class LibraryInfo:
    """A folder of the setting `libraries`."""

    path: str
    """The folder, absolute."""
    exercises: int
    """How many exercises in it are used."""
    left_out: tuple[str, ...]
    """One sentence for each exercise that is left out, and for whatever else cannot be used."""


@dataclass(frozen=True, slots=True)
class NodeInfo:
    """A topic of the curriculum, and `tutor.claim`."""

    id: str
    """Its id."""
    title: str
    """Its title."""
    summary: str
    """What it is about."""
    language: str
    """Id of its language."""
    depth: str
    """Its intended depth."""
    mastery: int
    """0–3."""
    passed: bool
    """Whether it was passed at its intended depth."""
    standing: str
    """`not begun`, `begun`, `passed` or `passed with help`."""
    claimed: bool
    """Whether the learner said "I know this"."""
    prerequisites: tuple[str, ...]
    """Ids of the topics that it builds on."""
    missing_prerequisites: tuple[str, ...]
    """Those not yet passed at their intended depth: advice, not a barrier."""
    offline: bool
    """Whether an exercise for it is bundled."""
    openable: bool
    """Whether it can be started now, with the tools, exercises and models available."""
    due: bool
    """Whether it is due for review."""
    due_at: str | None
    """When it is next due, ISO 8601 in UTC."""
    own: bool
    """Whether it is a topic in the learner's own words."""
    misconceptions: Mapping[str, int]
    """Open misconceptions and how often each was seen."""
    minutes: int | None
    """About how long it takes."""
    keywords: tuple[str, ...]
    """Words by which it can be searched."""
    error_codes: tuple[str, ...]
    """Error codes that it gives practice in."""
    exercises: tuple[BundledExercise, ...]
    """Its bundled exercises."""
    unpractised: tuple[str, ...] = ()
    """Constructs that its passed exercises were about and the learner has not used, as words with
    their articles."""


@dataclass(frozen=True, slots=True)
class CurriculumInfo:
    """`tutor.curriculum`."""

    languages: tuple[str, ...]
    """Language ids; those whose tools do not work here come last."""
    tracks: tuple[TrackInfo, ...]
    """Paths through the topics."""
    nodes: tuple[NodeInfo, ...]
    """All topics."""
    recommended: Mapping[str, tuple[Advice, ...]]
    """Recommended next steps by language, best first."""
    with_model: Mapping[str, int]
    """Number of topics that need a model, by language."""
    libraries: tuple[LibraryInfo, ...] = ()
    """The learner's own libraries, in the order of the setting."""


@dataclass(frozen=True, slots=True)
class ReportPage:
    """`tutor.report`."""

    path: str
    """The HTML page, absolute."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`tutor.doctor`."""

    tools: tuple[ToolStatus, ...]
    """Every tool, whether it works, and how to fix it."""
    home: str
    """The tutor home."""
    sessions: int
    """Number of sessions on record."""
    exercises: int
    """Number of exercises in the libraries."""
    problems: tuple[str, ...]
    """Other problems, one sentence each."""
    executable: str
    """The Python that runs the server."""
    remedies: tuple[Remedy, ...] = ()
    """What can be mended by one press of what exercises need, as `say` numbers it."""
