"""What to do next, each with its reason."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import islice

from tutor_lsp.core.learner import spacing
from tutor_lsp.core.learner.mastery import open_tags
from tutor_lsp.core.learner.own_topics import with_own_topics
from tutor_lsp.core.learner.recommendation import (
    Advice,
    Recommendation,
    RecommendationKind,
    recommend,
)
from tutor_lsp.core.session import NodeRecord, Session
from tutor_lsp.store.transaction import SessionRow, Transaction
from tutor_lsp.tutor.services.services import Services

SHOWN = 3
"""Recommendations that are shown at a time."""
UNFINISHED_FOR = timedelta(days=14)
"""How long a session that was left open holds back reviews after its last use."""
LOOK_S = 0.3
"""How long a list waits to know which tools work, in seconds: looking starts a process for each,
and is mostly done before; a list in the wrong order leads to an exercise that cannot run."""


async def languages_to_offer(services: Services) -> list[str]:
    """All languages that have topics, those that cannot run here last."""
    broken = await services.tools.broken(services.taught, LOOK_S)
    return sorted(services.taught, key=lambda name: name in broken)


async def recommendations(
    services: Services, language: str, *, leave_out: str | None = None, ending: str | None = None
) -> tuple[Advice, ...]:
    """The first recommendations of a language that can be served now.

    `leave_out` is the node of a session that was just passed; an open misconception brings it up
    all the same. At most one review is offered, and none while another
    session than `ending` is unfinished.
    """
    return _shown(await _found(services, language, leave_out, ending, passed=True))


async def what_next(services: Services, session: Session) -> tuple[Advice, ...]:
    """What comes after a session that is about to end.

    A topic that was not passed comes again if everything else builds on more than the learner
    knows.
    """
    language, own = session.language, session.node
    found = await _found(services, language, own, session.id, passed=session.passed)
    if session.passed or any(item.kind is not RecommendationKind.EARLY for item in found):
        return _shown(found)
    every = await _found(services, language, None, session.id, passed=False)
    return _shown([*(item for item in every if item.node == own), *found])


def _shown(found: Sequence[Recommendation]) -> tuple[Advice, ...]:
    return tuple(Advice(item.node, item.title, item.reason) for item in found[:SHOWN])


async def _found(
    services: Services, language: str, leave_out: str | None, ending: str | None, *, passed: bool
) -> tuple[Recommendation, ...]:
    now = services.now()

    def read(tx: Transaction) -> tuple[dict[str, NodeRecord], tuple[str, ...]]:
        records = tx.nodes(language)
        return records, due_for_review(tx, language, records, now, ending)

    records, due = await services.db(read)
    exclude = {leave_out} if leave_out is not None else set()
    if leave_out in records and passed and open_tags(records[leave_out]):
        exclude = set()
    servable = await services.servable(language)
    return recommend(
        with_own_topics(services.curriculum, records),
        language,
        records,
        servable=None if servable is None else servable | set(due),
        due=due,
        exclude=exclude,
    )


def due_for_review(
    tx: Transaction, language: str, records: Mapping[str, NodeRecord], now: str, ending: str | None
) -> tuple[str, ...]:
    """The node whose review is offered: the longest overdue one whose exercise was passed here.

    None while another session than `ending` is unfinished.
    """
    due = spacing.due_nodes(records, now)
    if not due or any(in_use(row, now) for row in tx.rows(going_on=True) if row.id != ending):
        return ()
    return tuple(islice((node for node in due if tx.has_passed(language, node)), 1))


def in_use(row: SessionRow, now: str) -> bool:
    """Whether a session that goes on was used not long ago."""
    used, moment = spacing.read_time(row.updated_at), spacing.read_time(now)
    return used is None or moment is None or moment - used < UNFINISHED_FOR
