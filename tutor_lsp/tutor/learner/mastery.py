"""Applies reviews, hints and endings to the learner's record, within a caller's transaction; when a
topic is due again is decided by the FSRS model, which loads with its first use."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from tutor_lsp.core.exercise.mistakes import Diagnosis
from tutor_lsp.core.exercise.verdict import PASS
from tutor_lsp.core.learner import mastery
from tutor_lsp.core.learner.curriculum import Curriculum
from tutor_lsp.core.learner.spacing import (
    REVIEW_MINUTES,
    Rating,
    minutes_of_work,
    rate_pass,
    read_time,
    settled,
    text_of,
)
from tutor_lsp.core.session import Attempt, Event, MemoryCard, NodeRecord, OwnTopic, Review, Session
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.ide.view import UnitView
from tutor_lsp.tutor.services.services import Services

DIAGNOSIS = "diagnosis"
"""Who named a misconception: nobody, the code is that of a known mistake."""
USUAL_MINUTES = 20.0
"""Minutes that an exercise is expected to take if nothing is known."""


def keep_review(
    tx: Transaction,
    curriculum: Curriculum,
    session: Session,
    attempt: Attempt,
    review: Review,
    at: str,
    constructs: Mapping[str, bool] | None = None,
) -> None:
    """Store what a settled review of an attempt says about the learner.

    `session` is the session as it was before this review, `constructs` are those that the exercise
    is about, with whether the learner used them. A short review of one unit changes
    misconceptions and the card, but no mastery. What a hint or the run showed in this session and a
    review then says for the first time is one sighting. Blocks for the scheduler's first use.
    """
    record = tx.node(session.language, session.node)
    passed = review.verdict == PASS
    sources = _sources(tx, session)
    told = {tag for tag, told_by in sources.items() if told_by <= {"coach", DIAGNOSIS}}
    if session.review_of:
        after = mastery.record_short_review(record, session, review, at, told)
    elif passed:
        after = mastery.record_pass(record, session, review, at, told)
    else:
        after = mastery.record_not_yet(record, review, at, told)
    if passed and constructs:
        after = replace(after, constructs=mastery.with_constructs(after.constructs, constructs))
    if passed and not session.passed:
        rating = rate_pass(session, attempt.number, _minutes(tx, session), _expected(tx, session))
        after = replace(after, card=reviewed(record.card, rating, at))
        data = {"node": session.node, "rating": rating.name.lower(), "due": _due(after)}
        tx.log(Event("memory", data, session.id))
    tx.put_node(after)
    for each in review.cited:
        cited = {
            "file": each.at.file,
            "line": each.at.line,
            "quote": each.at.quote,
            "test": each.test,
            "attempt": attempt.number,
        }
        tx.log(_sighting(session, each.tag, "review", cited))
    _claim(tx, curriculum, session, attempt, passed=passed, at=at)


def keep_hint_tags(
    tx: Transaction,
    curriculum: Curriculum,
    session: Session,
    tags: Collection[str],
    cited: dict[str, Any],
    at: str,
) -> tuple[str, ...]:
    """Count misconceptions that the coach saw, each at most once a session; those counted.

    Only tags of the node's closed list count. `cited` says where: file, line and test.
    """
    node = curriculum.node(session.node)
    seen = _sources(tx, session)
    fresh = [tag for tag in dict.fromkeys(tags) if node and tag in node.tags and tag not in seen]
    if fresh:
        record = tx.node(session.language, session.node)
        tx.put_node(mastery.count_tags(record, fresh, at))
        for tag in fresh:
            tx.log(_sighting(session, tag, "coach", cited))
    return tuple(fresh)


async def note_hint_tags(
    services: Services, opened: OpenExercise, item: UnitView, tags: Collection[str], test: str
) -> None:
    """Count the misconceptions that a hint for a unit named, where it stands now."""
    if not tags:
        return
    line = item.site.line if item.site is not None else item.unit.line
    cited = {"file": item.unit.file, "line": line, "test": test, "unit": item.unit.id}
    at = services.now()
    await services.db(
        lambda tx: keep_hint_tags(tx, services.curriculum, opened.session, tags, cited, at)
    )


def keep_diagnosis(
    tx: Transaction, curriculum: Curriculum, session: Session, found: Diagnosis, test: str, at: str
) -> bool:
    """Count the misconception of a mistake that a unit's code makes, once a session for each unit;
    whether it counted.

    Only tags of the node's closed list count. One that a coach or a review has seen in this unit
    is not seen once more.
    """
    node = curriculum.node(session.node)
    if node is None or found.tag not in node.tags:
        return False
    for event in tx.events(session=session.id, kind="misconception"):
        data = event["data"]
        if data.get("tag") == found.tag and data.get("unit", found.unit) == found.unit:
            return False
    tx.put_node(mastery.count_tags(tx.node(session.language, session.node), [found.tag], at))
    cited = {"file": found.file, "line": found.line, "quote": found.quote, "unit": found.unit}
    tx.log(_sighting(session, found.tag, DIAGNOSIS, {**cited, "test": test}))
    return True


async def note_diagnosis(
    services: Services, opened: OpenExercise, found: Diagnosis | None, test: str
) -> None:
    """Count what a hint's diagnosis says of the learner."""
    if found is None or not found.tag:
        return
    at = services.now()
    await services.db(
        lambda tx: keep_diagnosis(tx, services.curriculum, opened.session, found, test, at)
    )


def keep_own_topic(tx: Transaction, session: Session, text: str) -> None:
    """Keep a free topic under its language, so that it is listed and started like a node."""
    record = tx.node(session.language, session.node)
    if record.own is None:
        own = OwnTopic(text, session.title, session.depth)
        tx.put_node(replace(record, own=own, updated_at=session.created_at))


def keep_end(tx: Transaction, session: Session, units: Collection[str], at: str) -> Session:
    """Store what ending a session says about the learner; returns the session after it.

    A topic with a card that was tried again without a pass is due again soon. Cards that a clock
    set back has left in the future are moved to it.
    """
    record = tx.node(session.language, session.node)
    if session.review_of:
        after = record
    else:
        after, session = mastery.record_end(record, session, units, at)
    tried = bool(session.attempts) and not session.passed and session.ended_at is None
    if tried and record.card is not None:
        after = replace(after, card=reviewed(record.card, Rating.AGAIN, at))
        data = {"node": session.node, "rating": "again", "due": _due(after)}
        tx.log(Event("memory", data, session.id))
    if after != record:
        tx.put_node(after)
    for other in tx.all_nodes():
        if other.card is not None and (card := settled(other.card, at)) != other.card:
            tx.put_node(replace(other, card=card))
    return session


def _claim(
    tx: Transaction,
    curriculum: Curriculum,
    session: Session,
    attempt: Attempt,
    *,
    passed: bool,
    at: str,
) -> None:
    """A challenge passed unaided at the first attempt claims what its node builds on."""
    helped = session.hint_level_used or mastery.help_taken(session)
    if not (session.challenge and passed and attempt.number == 1) or helped or session.passed:
        return
    records = tx.nodes(session.language)
    for needed in curriculum.requirements(session.node):
        record = records.get(needed.id, NodeRecord(needed.id, needed.language))
        if not mastery.is_known(needed, record):
            tx.put_node(mastery.claim(record, known=True, at=at))
            data = {"node": needed.id, "known": True, "by": "challenge"}
            tx.log(Event("claim", data, session.id))


def _sources(tx: Transaction, session: Session) -> dict[str, set[str]]:
    """Misconceptions of this session's log, each with who named it: `coach`, `review`."""
    found: dict[str, set[str]] = {}
    for event in tx.events(session=session.id, kind="misconception"):
        data = event["data"]
        found.setdefault(str(data.get("tag")), set()).add(str(data.get("source")))
    return found


def _sighting(session: Session, tag: str, source: str, cited: dict[str, Any]) -> Event:
    data = {"node": session.node, "tag": tag, "source": source, **cited}
    return Event("misconception", data, session.id)


def _minutes(tx: Transaction, session: Session) -> float:
    return minutes_of_work(tx.times(session.id))


def _expected(tx: Transaction, session: Session) -> float:
    if session.review_of:
        return float(REVIEW_MINUTES)
    kept = tx.exercise(session.id)
    minutes = kept[0].minutes if kept is not None else None
    return float(minutes or USUAL_MINUTES)


def _due(record: NodeRecord) -> str | None:
    return record.card.due if record.card is not None else None


def reviewed(card: MemoryCard | None, rating: Rating, at: str) -> MemoryCard:
    """The card after a review at `at` (ISO 8601), or a first card.

    It is never due before `at`, and a clock set back counts as no time passed. Blocks for
    the first use: call it off the loop.
    """
    import fsrs

    # Days count, not minutes: an exercise is not a flash card. No randomness, for reproducible
    # tests.
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    now = read_time(at) or datetime.now(UTC)
    if card is None:
        known = fsrs.Card(card_id=0)
    else:
        card = settled(card, at)
        last = min(read_time(card.last_review) or now, now)
        known = fsrs.Card(
            card_id=0,
            state=fsrs.State.Review,
            stability=card.stability,
            difficulty=card.difficulty,
            due=read_time(card.due) or now,
            last_review=last,
        )
    after, _ = scheduler.review_card(known, fsrs.Rating(int(rating)), now)
    return MemoryCard(
        stability=float(after.stability or 0.0),
        difficulty=float(after.difficulty or 0.0),
        due=text_of(max(after.due, now)),
        last_review=text_of(now),
        reviews=(card.reviews if card is not None else 0) + 1,
    )
