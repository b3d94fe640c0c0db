"""Two records of the same learner become one: nothing that either of them has is lost.

Merging is idempotent, and it does not matter which record is taken for the first.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from tutor_lsp.core.session import MemoryCard, NodeRecord, Session, TagRecord, UnitProgress
from tutor_lsp.core.wire import to_wire

T = TypeVar("T")


def merge_nodes(one: NodeRecord, other: NodeRecord) -> NodeRecord:
    """What is known of a node from both records.

    Where one history goes on from the other its mastery counts, else the higher one. Whether the
    node is claimed, tags and card are those that changed last.
    """
    newer, older = _newer(one, other)
    return replace(
        newer,
        mastery=_mastery(one, other),
        passed_depths=tuple(sorted({*one.passed_depths, *other.passed_depths})),
        history=_united(one.history, other.history),
        tags={
            tag: _tag(one.tags.get(tag), other.tags.get(tag))
            for tag in sorted({*one.tags, *other.tags})
        },
        card=_card(one.card, other.card),
        own=newer.own or older.own,
    )


def merge_sessions(one: Session, other: Session) -> Session:
    """A session from both records: the newer state, with all hints and the help of both.

    It is trusted only if both are. Attempts that only the older one has stay in the event log.
    """
    newer, older = _newer(one, other)
    hints = _united(one.hints, other.hints)
    units = sorted({*one.progress, *other.progress})
    return replace(
        newer,
        hints=hints,
        hint_level_used=max(one.hint_level_used, other.hint_level_used),
        attempt_count=max(one.attempt_count, other.attempt_count),
        passed=one.passed or other.passed,
        lowered=one.lowered or other.lowered,
        trusted=one.trusted and other.trusted,
        progress={
            unit: _progress(newer.progress.get(unit), older.progress.get(unit)) for unit in units
        },
    )


def missing_events(
    known: Iterable[Mapping[str, Any]], given: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """The events of `given` that `known` lacks, in order; equal ones count as often as they are
    there.
    """
    here = list(known)
    left = Counter(_identity(event) for event in here)
    places = {_place(event) for event in here}
    missing = []
    for event in given:
        if _place(event) not in places:
            missing.append(event)
            continue
        identity = _identity(event)
        if left[identity]:
            left[identity] -= 1
        else:
            missing.append(event)
    return missing


def _place(event: Mapping[str, Any]) -> tuple[Any, ...]:
    """What equal events have in common, told in no time."""
    return event["at"], event["kind"], event["session"]


def _identity(event: Mapping[str, Any]) -> str:
    return _text([event["at"], event["kind"], event["session"], event["data"]])


def _text(value: object) -> str:
    return json.dumps(to_wire(value), sort_keys=True)


def _newer(one: T, other: T) -> tuple[T, T]:
    """Both, the one that changed last first; equal times are decided by what they hold."""
    pair = sorted((one, other), key=lambda item: (getattr(item, "updated_at", ""), _text(item)))
    return pair[1], pair[0]


def _united(one: tuple[T, ...], other: tuple[T, ...]) -> tuple[T, ...]:
    """What stands in either, once, by time."""
    found = {_text(item): item for item in (*one, *other)}
    return tuple(
        item for _, item in sorted(found.items(), key=lambda pair: (_at(pair[1]), pair[0]))
    )


def _at(item: object) -> str:
    return str(getattr(item, "at", ""))


def _mastery(one: NodeRecord, other: NodeRecord) -> int:
    short, long = sorted((one, other), key=lambda record: len(record.history))
    if short.history != long.history and long.history[: len(short.history)] == short.history:
        return long.mastery
    return max(one.mastery, other.mastery)


def _tag(one: TagRecord | None, other: TagRecord | None) -> TagRecord:
    known = [tag for tag in (one, other) if tag is not None]
    return max(known, key=lambda tag: (tag.last_at, tag.count, tag.clean_passes))


def _card(one: MemoryCard | None, other: MemoryCard | None) -> MemoryCard | None:
    known = [card for card in (one, other) if card is not None]
    return max(known, key=lambda c: (c.last_review, c.reviews, c.due, _text(c)), default=None)


def _progress(newer: UnitProgress | None, older: UnitProgress | None) -> UnitProgress:
    if newer is None or older is None:
        return newer or older or UnitProgress()
    return replace(
        newer,
        touched=newer.touched or older.touched,
        passed=newer.passed or older.passed,
        revealed=newer.revealed or older.revealed,
    )
