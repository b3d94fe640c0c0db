"""Merging two records of the same learner: nothing in either of them is lost.

Merging is idempotent and commutative.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any, TypeVar

from tutor_lsp.core.learner import mastery
from tutor_lsp.core.learner.tidying import needed
from tutor_lsp.core.session import MemoryCard, NodeRecord, Session, TagRecord, UnitProgress

T = TypeVar("T")


def merge_nodes(one: NodeRecord, other: NodeRecord) -> NodeRecord:
    """What both records know about a node.

    If one history continues the other its mastery counts, otherwise the higher one. Whether the
    node is claimed, its tags and its card are taken from the latest change.
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
        constructs=mastery.with_constructs(one.constructs, other.constructs),
    )


def merge_sessions(one: Session, other: Session) -> Session:
    """A session from both records: the newer state, with the hints and help of both.

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
    """The events of `given` that `known` lacks, in order; duplicates count as often as they
    occur.
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
    """A cheap key that equal events share."""
    return event["at"], event["kind"], event["session"]


def _identity(event: Mapping[str, Any]) -> str:
    data = needed(event["kind"], event["data"])  # one of them may have been tidied
    return _text([event["at"], event["kind"], event["session"], data])


def _text(value: object) -> str:
    return json.dumps(value, default=asdict, sort_keys=True)


def _newer(one: T, other: T) -> tuple[T, T]:
    """Both, the last changed first; equal times are decided by content."""
    pair = sorted((one, other), key=lambda item: (getattr(item, "updated_at", ""), _text(item)))
    return pair[1], pair[0]


def _united(one: tuple[T, ...], other: tuple[T, ...]) -> tuple[T, ...]:
    """The items of both without duplicates, by time."""
    items = {_text(item): item for item in (*one, *other)}
    return tuple(
        item for _, item in sorted(items.items(), key=lambda pair: (_at(pair[1]), pair[0]))
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
        passes=max(newer.passes, older.passes),
    )
