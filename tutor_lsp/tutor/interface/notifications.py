"""Notifications to the client. `METHOD` is the name of the notification."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tutor_lsp.core.exercise.report import TestReport
from tutor_lsp.core.session import Review
from tutor_lsp.tutor.interface.learner import Ready
from tutor_lsp.tutor.interface.results import AskResult, HintResult
from tutor_lsp.tutor.interface.units import StandingInfo, UnitInfo


@dataclass(frozen=True, slots=True)
class SessionReady(Ready):
    """An exercise is ready to be worked on."""

    METHOD: ClassVar[str] = "tutor/sessionReady"


@dataclass(frozen=True, slots=True)
class SessionFailed:
    """A set-up failed or was cancelled; nothing of it is left."""

    METHOD: ClassVar[str] = "tutor/sessionFailed"
    job_id: str
    """Id of the job."""
    stage: str | None
    """The stage that failed."""
    reason: str
    """An upper-case word, such as `EXECUTION_FAILED` or `CANCELLED`."""
    message: str
    """What happened and what to do."""
    details: Mapping[str, Any]
    """JSON data."""


@dataclass(frozen=True, slots=True)
class UnitsChanged:
    """Units of an open exercise changed state."""

    METHOD: ClassVar[str] = "tutor/unitsChanged"
    session_id: str
    """Id of the session."""
    workspace: str
    """Folder of the exercise, absolute."""
    units: tuple[UnitInfo, ...]
    """All its units."""
    standing: StandingInfo
    """The exercise's standing."""


@dataclass(frozen=True, slots=True)
class TestsRan:
    """A run has ended; sent only if `initializationOptions.reports` is true."""

    __test__ = False
    METHOD: ClassVar[str] = "tutor/testsRan"
    session_id: str
    """Id of the session."""
    report: TestReport
    """The result of the run."""


@dataclass(frozen=True, slots=True)
class HintReady:
    """A hint is available; a model may still be working on a better one. Also an answer that is
    still being written, as far as it goes: the next one has more of it."""

    METHOD: ClassVar[str] = "tutor/hintReady"
    session_id: str
    """Id of the session."""
    hint: HintResult | AskResult
    """The hint, or the answer by now."""
    final: bool
    """False if a better one may follow, or more of an answer."""


@dataclass(frozen=True, slots=True)
class ReviewReady:
    """The review of an attempt is available."""

    METHOD: ClassVar[str] = "tutor/reviewReady"
    session_id: str
    """Id of the session."""
    attempt: int
    """Number of the attempt."""
    review: Review
    """The review."""


@dataclass(frozen=True, slots=True)
class TextsTranslated:
    """Translations of what the plugins for Neovim and Emacs say themselves; sent once, as the first
    message after `initialized`, only if `initializationOptions.texts` is true and the learner's
    language is not English."""

    METHOD: ClassVar[str] = "tutor/texts"
    language: str
    """The language, such as `de`."""
    texts: Mapping[str, str]
    """Each translation by the English text; places such as `{name}` are in both."""


Notification = (
    SessionReady
    | SessionFailed
    | UnitsChanged
    | TestsRan
    | HintReady
    | ReviewReady
    | TextsTranslated
)
