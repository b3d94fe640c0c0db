"""The learner's data in a record, and what was found missing from it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from tutor_lsp.core.learner.tidying import DISPENSABLE
from tutor_lsp.core.text.translation import n, t

EVENT = "record-lost"
"""Logged when a loss is noticed; it is reported until one of the next two follows."""
BROUGHT_BACK, DISMISSED = "record-brought-back", "record-loss-dismissed"
OF_THE_RECORD = frozenset({EVENT, BROUGHT_BACK, DISMISSED, "store-restored"})
"""Kinds of events about the record itself, which nobody misses."""

NOT_MISSED = OF_THE_RECORD | DISPENSABLE
"""Kinds of events whose loss is none: tidying removes them."""
WITHOUT = "without"
"""Key in the data of the last two: all that the learner has given up, see `gone_without`."""

Countable = Literal["session", "topic", "event", "text", "exercise folder"]
Topic = tuple[str, str, str]
"""Language, node, and one known fact about it: a line of its history, a depth that was passed,
or "" for the topic as such."""


@dataclass(frozen=True, slots=True)
class Holdings:
    """The learner's data in a record: session ids, facts about topics, and events by
    time, kind and session.
    """

    sessions: frozenset[str] = frozenset()
    topics: frozenset[Topic] = frozenset()
    events: frozenset[tuple[str, str, str]] = frozenset()

    def without(self, other: "Holdings") -> "Holdings":
        """Everything that the other one lacks."""
        return Holdings(
            self.sessions - other.sessions, self.topics - other.topics, self.events - other.events
        )

    def and_those_of(self, other: "Holdings") -> "Holdings":
        """Everything that is in either of them."""
        return Holdings(
            self.sessions | other.sessions, self.topics | other.topics, self.events | other.events
        )

    @property
    def data(self) -> dict[str, list[Any]]:
        """As an event's data, which `gone_without` reads."""
        return {
            "sessions": sorted(self.sessions),
            "topics": sorted(map(list, self.topics)),
            "events": sorted(map(list, self.events)),
        }

    @property
    def counts(self) -> tuple[int, int, int]:
        """The numbers of sessions, topics and events; they compare by size."""
        return len(self.sessions), len({topic[:2] for topic in self.topics}), len(self.events)

    @property
    def size(self) -> int:
        """The total number of items; a part is smaller than the whole."""
        return len(self.sessions) + len(self.topics) + len(self.events)

    @property
    def words(self) -> str:
        """`2 sessions, 1 topic`; events are named only if there is nothing else."""
        sessions, topics, events = self.counts
        parts = [counted(sessions, "session"), counted(topics, "topic")]
        return ", ".join(part for part in parts if part) or counted(events, "event") or t("nothing")

    def __bool__(self) -> bool:
        return any(self.counts)


What = Literal["missing", "empty", "cleared", "damaged"]


@dataclass(frozen=True, slots=True)
class Loss:
    """`empty` was a file without content, `cleared` a record without some of what it had, `damaged`
    one whose readable part was salvaged; `missing` may also be a new home.

    `backup` is the one with the most of what is missing, None if none has any; `lacking` is what it
    has and the record lacks, `whole` whether that is its whole content. `noted` means that the
    event log already records the loss.
    """

    what: What
    backup: str | None = None
    lacking: Holdings = Holdings()
    whole: bool = True
    noted: bool = False


def gone_without(data: object) -> Holdings:
    """What the learner has given up, according to the data of a dismissal or of a later
    restoration; nothing if it is not in the right form.
    """
    noted = data.get(WITHOUT) if isinstance(data, Mapping) else None
    if not isinstance(noted, Mapping):
        return Holdings()
    lists = {kind: _listed(noted.get(kind)) for kind in ("sessions", "topics", "events")}
    topics, events = (
        frozenset(
            (item[0], item[1], item[2])
            for item in lists[kind]
            if isinstance(item, list) and [type(part) for part in item] == [str] * 3
        )
        for kind in ("topics", "events")
    )
    names = frozenset(name for name in lists["sessions"] if isinstance(name, str))
    return Holdings(names, topics, events)


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def topics_of(
    language: str, node: str, changed: str, depths: Iterable[str], history: Iterable[str]
) -> frozenset[Topic]:
    """The known facts about one topic; `history` has the times of its lines. One that was never
    `changed` counts for nothing as such."""
    marks = [*(f"passed {depth}" for depth in depths), *history, *([""] if changed else [])]
    return frozenset((language, node, mark) for mark in marks)


def counted(number: int, what: Countable) -> str:
    """`1 session`, `2 sessions`; "" for none."""
    return _COUNTED[what](number) if number else ""


_COUNTED: Mapping[Countable, Callable[[int], str]] = MappingProxyType(
    {
        "session": lambda count: n("{count} session", "{count} sessions", count),
        "topic": lambda count: n("{count} topic", "{count} topics", count),
        "event": lambda count: n("{count} event", "{count} events", count),
        "text": lambda count: n("{count} text", "{count} texts", count),
        "exercise folder": lambda count: n(
            "{count} exercise folder", "{count} exercise folders", count
        ),
    }
)
