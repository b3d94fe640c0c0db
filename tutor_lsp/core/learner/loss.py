"""What a record holds of its learner, and what was found missing from it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

EVENT = "record-lost"
"""Logged when a loss was found; it is said until one of the next two follows."""
BROUGHT_BACK, DISMISSED = "record-brought-back", "record-loss-dismissed"
OF_THE_RECORD = frozenset({EVENT, BROUGHT_BACK, DISMISSED, "store-restored"})
"""Kinds of events that are about the record itself: nobody misses them."""

WITHOUT = "without"
"""In the data of the last two: all that the learner goes on without, see `gone_without`."""

Topic = tuple[str, str, str]
"""Language, node, and one thing that is known of it: a line of its history, a depth that was
passed, or "" for the topic as such."""


@dataclass(frozen=True, slots=True)
class Holdings:
    """What is the learner's in a record: ids of sessions, what is known of topics, and events by
    time, kind and session.
    """

    sessions: frozenset[str] = frozenset()
    topics: frozenset[Topic] = frozenset()
    events: frozenset[tuple[str, str, str]] = frozenset()

    def without(self, other: "Holdings") -> "Holdings":
        """What the other one lacks."""
        return Holdings(
            self.sessions - other.sessions, self.topics - other.topics, self.events - other.events
        )

    def and_those_of(self, other: "Holdings") -> "Holdings":
        """What either of them holds."""
        return Holdings(
            self.sessions | other.sessions, self.topics | other.topics, self.events | other.events
        )

    @property
    def data(self) -> dict[str, list[Any]]:
        """As data of an event; `gone_without` reads it."""
        return {
            "sessions": sorted(self.sessions),
            "topics": sorted(map(list, self.topics)),
            "events": sorted(map(list, self.events)),
        }

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many sessions, topics and events; of two records the larger one holds more."""
        return len(self.sessions), len({topic[:2] for topic in self.topics}), len(self.events)

    @property
    def size(self) -> int:
        """How many things it is; a part of something is smaller than the whole."""
        return len(self.sessions) + len(self.topics) + len(self.events)

    @property
    def words(self) -> str:
        """`2 sessions, 1 topic`; events are named where there is nothing else."""
        sessions, topics, events = self.counts
        said = [counted(sessions, "session"), counted(topics, "topic")]
        return ", ".join(part for part in said if part) or counted(events, "event") or "nothing"

    def __bool__(self) -> bool:
        return any(self.counts)


What = Literal["missing", "empty", "cleared", "damaged"]


@dataclass(frozen=True, slots=True)
class Loss:
    """`empty` was a file of no bytes, `cleared` a record without some of what it held, `damaged`
    one of which what could be read was taken over; `missing` may also be a new home.

    `backup` is the one with the most of what is missing, None if none has any; `lacking` is what it
    has and the record lacks, `whole` whether that is all that it has. `noted` holds if the event
    log knows of it already.
    """

    what: What
    backup: str | None = None
    lacking: Holdings = Holdings()
    whole: bool = True
    noted: bool = False


def gone_without(data: object) -> Holdings:
    """What the data of a dismissal, or of what was brought back later, says that its learner goes
    on without; nothing where it does not say so in the right form.
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
    """What is known of one topic; `history` has the times of its lines, and one that was never
    `changed` holds nothing as such."""
    marks = [*(f"passed {depth}" for depth in depths), *history, *([""] if changed else [])]
    return frozenset((language, node, mark) for mark in marks)


def counted(number: int, what: str) -> str:
    """`1 session`, `2 sessions`; "" for none."""
    return f"{number} {what}{'s' * (number != 1)}" if number else ""
