"""Which words belong to which result."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from tutor_lsp.tutor.interface import notifications
from tutor_lsp.tutor.voice import choices, exercises, hints, record, runs, units
from tutor_lsp.tutor.voice.voice import Voice, Words
from tutor_lsp.wire import to_wire

WORDS: Mapping[str, Callable[[Voice, Any], Words]] = MappingProxyType(
    {
        "tutor.start": exercises.started,
        "tutor.next": exercises.next_started,
        "tutor.open": exercises.opened,
        "tutor.check": runs.check,
        "tutor.attempt": runs.attempt,
        "tutor.hint": hints.hint,
        "tutor.ask": hints.hint,
        "tutor.reveal": hints.reveal,
        "tutor.compare": hints.compare,
        "tutor.review": runs.review,
        "tutor.status": exercises.status,
        "tutor.resume": exercises.ready,
        "tutor.end": exercises.ended,
        "tutor.curriculum": record.curriculum,
        "tutor.claim": record.claim,
        "tutor.cancel": record.cancel,
        "tutor.reset": record.put_back,
        "tutor.restore": record.put_back,
        "tutor.report": record.report,
        "tutor.doctor": record.doctor,
        notifications.SessionReady.METHOD: exercises.ready,
        notifications.SessionFailed.METHOD: exercises.session_failed,
        notifications.UnitsChanged.METHOD: units.units_changed,
        notifications.TestsRan.METHOD: runs.tests_ran,
        notifications.HintReady.METHOD: hints.hint_ready,
        notifications.ReviewReady.METHOD: runs.review_ready,
    }
)
"""Per command whose result is an object, and per notification."""
SHOWN_ELSEWHERE = frozenset({"tutor.start", "tutor.open", "tutor.resume", "tutor.compare"})
"""Commands after which something else is shown: a document or progress."""


def spoken(voice: Voice, command: str, result: Any) -> Any:
    """A result as it is sent: an object with `say`, and commands as they are typed there."""
    wire = to_wire(result)
    if isinstance(wire, dict) and command in WORDS:
        wire["say"] = to_wire(WORDS[command](voice, result).say)
    # A review is a model's, all of it.
    return wire if command == "tutor.review" else voice.named(wire)


def message(voice: Voice, command: str, result: Any) -> str | None:
    """The message for a client that shows no results, None if something else shows them."""
    if command in SHOWN_ELSEWHERE:
        return None
    if command == "tutor.sessions":
        result = choices.sessions(voice, result)
    if command in ("tutor.sessions", "tutor.choices"):
        return choices.message(voice, result)
    teller = WORDS.get(command)
    return teller(voice, result).message if teller is not None else None


def notified(voice: Voice, notification: notifications.Notification) -> Any:
    """The payload of a notification: it has `say`, too."""
    return spoken(voice, notification.METHOD, notification)
