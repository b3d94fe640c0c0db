"""Mastery of a node: how passes, low scores, help, claims and misconceptions change it.

A pass at D1, D2 or D3 raises mastery to at least 1, 2 or 3 (the target). After an L3 hint the pass
raises it to at most target - 1, until the node is passed again without; after a reveal it does not
raise it. A pass never lowers mastery.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from enum import IntEnum

from tutor_lsp.core.learner.curriculum import DEPTHS, Curriculum, Node
from tutor_lsp.core.session import MasteryChange, NodeRecord, Review, Session, TagRecord

HIGHEST = 3
LOW_SCORE = 40
"""A last score below this lowers mastery by 1 when the session ends."""
REMEDIAL_AT = 2
"""Sightings of a misconception after which the next lesson has a remedial section."""
MORE_SCAFFOLD_AT = 4
"""Sightings after which the node is repeated with more scaffold and its dependents wait."""
CLEAN_PASSES = 2
"""Passes without a misconception after which it is resolved."""


class Help(IntEnum):
    """The strongest help used in a session, as it affects mastery."""

    NONE = 0
    LAST_HINT = 1
    REVEAL = 2


def help_taken(session: Session) -> Help:
    """The strongest help of a session: a revealed solution, an L3 hint, or neither."""
    if any(unit.revealed for unit in session.progress.values()):
        return Help.REVEAL
    return Help.LAST_HINT if session.hint_level_used >= 3 else Help.NONE


def lifted(before: int, depth: str, taken: Help) -> int:
    """Mastery after a pass at a depth with this help; `before`..3, never less than `before`."""
    target = DEPTHS[depth]
    reach = {Help.NONE: target, Help.LAST_HINT: target - 1, Help.REVEAL: 0}[taken]
    return max(before, reach)


def record_pass(
    record: NodeRecord, session: Session, review: Review, at: str, told: Collection[str] = ()
) -> NodeRecord:
    """The record after a passed attempt and its review.

    `session` is the session before this attempt: of several passes in one session
    only the first counts as a clean pass of a misconception. `told` are misconceptions that a
    hint already counted in this session; the first review to name them does not count again.
    """
    taken = help_taken(session)
    counted = count_tags(record, {*review.tags} - {*told}, at)
    if not session.passed and taken is not Help.REVEAL:
        counted = _count_clean_pass(counted, review.tags)
    depths = sorted({*record.passed_depths, session.depth})
    after = lifted(record.mastery, session.depth, taken)
    how = {Help.LAST_HINT: " with an L3 hint", Help.REVEAL: " after the solution was shown"}
    reason = f"passed {session.depth}{how.get(taken, '')}"
    counted = replace(counted, passed_depths=tuple(depths))
    if session.passed and after == record.mastery:
        return replace(counted, updated_at=at)
    return _changed(counted, session.id, after, reason, at)


def record_not_yet(
    record: NodeRecord, review: Review, at: str, told: Collection[str] = ()
) -> NodeRecord:
    """The record after a reviewed attempt that did not pass: only misconceptions are counted,
    except those in `told` (see `record_pass`)."""
    return count_tags(record, {*review.tags} - {*told}, at)


def record_short_review(
    record: NodeRecord, session: Session, review: Review, at: str, told: Collection[str] = ()
) -> NodeRecord:
    """The record after an attempt at one repeated unit: counts misconceptions, keeps mastery.

    `session` is the session before this attempt; its first pass is a clean one for the
    misconceptions that it did not show. `told` as in `record_pass`.
    """
    counted = record_not_yet(record, review, at, told)
    first_pass = review.verdict == "PASS" and not session.passed
    if first_pass and help_taken(session) is not Help.REVEAL:
        counted = _count_clean_pass(counted, review.tags)
    return counted


def lowers(session: Session, units: Collection[str]) -> bool:
    """Whether ending this session now lowers mastery.

    That is so if its last reviewed score is below 40, every unit was touched, it was never
    passed, and it has not lowered mastery before.
    """
    if session.lowered or session.passed or not units:
        return False
    scores = [attempt.review.score for attempt in session.attempts if attempt.review]
    if not scores or scores[-1] >= LOW_SCORE:
        return False
    return all(unit in session.progress and session.progress[unit].touched for unit in units)


def record_end(
    record: NodeRecord, session: Session, units: Collection[str], at: str
) -> tuple[NodeRecord, Session]:
    """Record and session after the session's end; mastery goes down by at most 1, to at least 0.

    Ending a session twice changes nothing more.
    """
    if not lowers(session, units):
        return record, session
    after = max(record.mastery - 1, 0)
    lowered = _changed(record, session.id, after, f"ended with a score below {LOW_SCORE}", at)
    return lowered, replace(session, lowered=True)


def claim(record: NodeRecord, known: bool, at: str) -> NodeRecord:
    """The record with "I know this" set or taken back; mastery stays as it is."""
    return replace(record, claimed=known, updated_at=at)


def passed_own_depth(node: Node, record: NodeRecord) -> bool:
    """Whether the node was passed at its own depth target or a higher one."""
    return any(DEPTHS[depth] >= DEPTHS[node.depth] for depth in record.passed_depths)


def is_known(node: Node, record: NodeRecord | None) -> bool:
    """Whether a node counts as a met prerequisite: passed at its own depth, or claimed."""
    return record is not None and (record.claimed or passed_own_depth(node, record))


def missing_prerequisites(
    node: Node, curriculum: Curriculum, records: Mapping[str, NodeRecord]
) -> tuple[Node, ...]:
    """The direct prerequisites that are not met. They are advice only and block nothing."""
    needed = (curriculum.node(other) for other in node.prerequisites)
    return tuple(other for other in needed if other and not is_known(other, records.get(other.id)))


def needs_repeat(node: Node, record: NodeRecord) -> bool:
    """Whether the node was passed but its mastery is below what its own depth gives."""
    return passed_own_depth(node, record) and record.mastery < DEPTHS[node.depth]


def with_constructs(known: Mapping[str, bool], more: Mapping[str, bool]) -> dict[str, bool]:
    """Constructs of two records: one that was used once stays used."""
    return {
        name: known.get(name, False) or more.get(name, False) for name in sorted({*known, *more})
    }


def unpractised(record: NodeRecord) -> tuple[str, ...]:
    """The constructs that units of passed exercises were about and the learner never used."""
    return tuple(name for name, used in record.constructs.items() if not used)


def open_tags(record: NodeRecord, at_least: int = REMEDIAL_AT) -> tuple[str, ...]:
    """Unresolved misconceptions seen at least that often, the most frequent first."""
    seen = [(tag, kept.count) for tag, kept in record.tags.items() if kept.count >= at_least]
    return tuple(tag for tag, _ in sorted(seen, key=lambda pair: (-pair[1], pair[0])))


def count_tags(record: NodeRecord, tags: Collection[str], at: str) -> NodeRecord:
    """The record with each of these misconceptions seen once more."""
    if not tags:
        return record
    counted = dict(record.tags)
    for tag in set(tags):
        count = counted.get(tag, TagRecord()).count
        counted[tag] = TagRecord(count=count + 1, clean_passes=0, last_at=at)
    return replace(record, tags=counted, updated_at=at)


def _count_clean_pass(record: NodeRecord, seen: Collection[str]) -> NodeRecord:
    counted = {
        tag: kept if tag in seen or not kept.count else _one_more_clean_pass(kept)
        for tag, kept in record.tags.items()
    }
    return replace(record, tags=counted)


def _one_more_clean_pass(kept: TagRecord) -> TagRecord:
    clean = kept.clean_passes + 1
    return replace(kept, count=0 if clean >= CLEAN_PASSES else kept.count, clean_passes=clean)


def _changed(record: NodeRecord, session_id: str, after: int, reason: str, at: str) -> NodeRecord:
    line = MasteryChange(
        at=at, session=session_id, before=record.mastery, after=after, reason=reason
    )
    return replace(record, mastery=after, history=(*record.history, line), updated_at=at)
