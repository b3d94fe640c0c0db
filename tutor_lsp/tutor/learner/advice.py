"""What to do next, each with its reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from tutor_lsp.core.exercise.standing import finished
from tutor_lsp.core.learner import spacing
from tutor_lsp.core.learner.mastery import open_tags
from tutor_lsp.core.learner.own_topics import with_own_topics
from tutor_lsp.core.learner.recommendation import Kind, Recommendation, recommend
from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import NodeRecord, Session

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

SHOWN = 3
"""Recommendations that are shown at a time."""
UNFINISHED_FOR = timedelta(days=14)
"""How long a session that was left open keeps reviews back after it was last used."""
LOOK_S = 0.3
"""How long a list waits to know which tools work, in seconds: looking starts a process for each,
and is mostly done before; a list in the wrong order leads to an exercise that cannot run."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A node to do next."""

    node: str
    title: str
    reason: str


async def ready_languages(app: "App") -> list[str]:
    """Languages that there are topics for and whose tools all work here, in their order."""
    return await app.tools.working(app.taught)


async def languages_to_offer(app: "App") -> list[str]:
    """All languages that there are topics for, those that cannot run here last."""
    broken = await app.tools.broken(app.taught, LOOK_S)
    return sorted(app.taught, key=lambda name: name in broken)


async def recommendations(
    app: "App",
    language: str,
    *,
    leave_out: str | None = None,
    passed: bool = True,
    ending: str | None = None,
) -> tuple[Advice, ...]:
    """The first recommendations of a language that can be served now.

    `leave_out` is the node of a session that was just worked on; if it was `passed`, an open
    misconception brings it up all the same. At most one review is offered, and none while another
    session than `ending` is unfinished.
    """
    return _shown(await _found(app, language, leave_out, ending, passed=passed))


async def what_next(app: "App", session: Session) -> tuple[Advice, ...]:
    """What comes after a session that is about to end.

    A topic that was not passed comes again where all else builds on more than the learner knows.
    """
    language, own = session.language, session.node
    found = await _found(app, language, own, session.id, passed=session.passed)
    if session.passed or any(item.kind is not Kind.EARLY for item in found):
        return _shown(found)
    every = await _found(app, language, None, session.id, passed=False)
    return _shown([*(item for item in every if item.node == own), *found])


def _shown(found: Sequence[Recommendation]) -> tuple[Advice, ...]:
    return tuple(Advice(item.node, item.title, item.reason) for item in found[:SHOWN])


async def _found(
    app: "App", language: str, leave_out: str | None, ending: str | None, *, passed: bool
) -> tuple[Recommendation, ...]:
    now = app.now()

    def read(tx: Transaction) -> tuple[dict[str, NodeRecord], list[Session]]:
        records = tx.nodes(language)
        # Reading all sessions takes a while, and without a topic that is due they do not matter.
        return records, tx.sessions() if spacing.due_nodes(records, now) else []

    records, sessions = await app.db(read)
    exclude = {leave_out} if leave_out is not None else set()
    if leave_out in records and passed and open_tags(records[leave_out]):
        exclude = set()
    busy = any(unfinished(session, now) for session in sessions if session.id != ending)
    here = [session for session in sessions if session.language == language]
    due = () if busy else due_for_review(records, here, now)[:1]
    servable = await app.servable(language)
    return recommend(
        with_own_topics(app.curriculum, records),
        language,
        records,
        servable=None if servable is None else servable | set(due),
        due=due,
        exclude=exclude,
    )


def due_for_review(
    records: dict[str, NodeRecord], sessions: list[Session], now: str
) -> tuple[str, ...]:
    """Nodes that are due and whose exercise was passed here, the longest overdue first."""
    passed = {session.node for session in sessions if session.passed and not session.review_of}
    return tuple(node for node in spacing.due_nodes(records, now) if node in passed)


def unfinished(session: Session, now: str) -> bool:
    """Whether a session goes on: begun, neither passed nor ended, and used not long ago."""
    if finished(session):
        return False
    used, moment = spacing.read_time(session.updated_at), spacing.read_time(now)
    return used is None or moment is None or moment - used < UNFINISHED_FOR


def easier(app: "App", session: Session) -> Advice | None:
    """An exercise to take before this one, that opens offline: the nearest that its topic builds
    on, else the first of the language; None where there is none."""
    offline = {entry.node for entry in app.library.entries(session.language)}
    here = app.curriculum.node(session.node)
    before = app.curriculum.requirements(session.node) if here is not None else ()
    nearest = next((node for node in before if node.id in offline), None)
    if nearest is not None:
        return Advice(nearest.id, nearest.title, f"{here.title if here else ''} builds on it")
    nodes = [node for node in app.curriculum.of(session.language) if node.id in offline]
    first = min(nodes, key=lambda node: app.curriculum.place(node.id), default=None)
    if first is None or first.id == session.node:
        return None
    return Advice(first.id, first.title, "the first steps")
