"""Spaced review: how well a node was remembered, and which nodes are due.

The scheduler decides how long to wait; this module prepares its input and reads its output.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from itertools import pairwise

from tutor_lsp.core.learner.mastery import Help, help_taken
from tutor_lsp.core.session import MemoryCard, NodeRecord, Session

REVIEW_MINUTES = 5
"""The longest review, in minutes."""
LONGEST_PAUSE = timedelta(minutes=10)
"""The longest time between two events of a session that counts as work."""
CLOCK_SLACK = timedelta(days=1)
"""How far the clock may be behind a card before the card's times are adjusted."""


class Rating(IntEnum):
    """How a review went, in the scheduler's numbers."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


def rate_pass(session: Session, attempts: int, minutes: float, expected: float) -> Rating:
    """The rating of a pass at the given attempt (from 1) after `minutes` of work.

    AGAIN after the solution was shown; HARD with the last hint, more than three attempts, or more
    than three times the expected minutes; EASY at the first attempt without a hint and within the
    expected minutes; otherwise GOOD.
    """
    taken = help_taken(session)
    if taken is Help.REVEAL:
        return Rating.AGAIN
    if taken is Help.LAST_HINT or attempts > 3 or minutes > 3 * expected:
        return Rating.HARD
    if attempts <= 1 and not session.hint_level_used and minutes <= expected:
        return Rating.EASY
    return Rating.GOOD


def minutes_of_work(times: Iterable[str]) -> float:
    """Minutes between the events of a session (ISO 8601, in order), long pauses left out.

    If the clock went back between two events, nothing is counted for them.
    """
    moments = [moment for text in times if (moment := read_time(text)) is not None]
    total = timedelta()
    for before, after in pairwise(moments):
        if timedelta() < after - before <= LONGEST_PAUSE:
            total += after - before
    return total.total_seconds() / 60


def is_due(card: MemoryCard | None, now: str) -> bool:
    """Whether a node should be reviewed by now; never without a card."""
    if card is None:
        return False
    due, moment = read_time(card.due), read_time(now)
    return due is not None and moment is not None and due <= moment


def due_nodes(records: Mapping[str, NodeRecord], now: str) -> tuple[str, ...]:
    """Ids of the due nodes, the longest overdue first."""
    overdue = [
        (record.card.due, name)
        for name, record in records.items()
        if record.card is not None and is_due(record.card, now)
    ]
    return tuple(name for _, name in sorted(overdue))


def settled(card: MemoryCard, now: str) -> MemoryCard:
    """The card, with its times moved if the clock was set back by more than `CLOCK_SLACK`.

    The interval until it is due stays the same. Applying it twice changes nothing more.
    """
    last, due, moment = read_time(card.last_review), read_time(card.due), read_time(now)
    if last is None or due is None or moment is None or last <= moment + CLOCK_SLACK:
        return card
    return replace(card, last_review=text_of(moment), due=text_of(moment + max(due - last, _NONE)))


_NONE = timedelta()


def read_time(text: str) -> datetime | None:
    """A moment from ISO 8601, UTC if it names no zone; None for any other text."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def text_of(moment: datetime) -> str:
    """A moment as ISO 8601 in UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
