"""Whatever a learner does, in any order: mastery, misconceptions and recommendations keep rules."""

import itertools
from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.learner import mastery
from tutor_lsp.core.learner.curriculum import Curriculum, Node, Track
from tutor_lsp.core.learner.recommendation import RecommendationKind, recommend
from tutor_lsp.core.session import Attempt, NodeRecord, Review, Session, UnitProgress

AT = "2026-01-01T00:00:00Z"
TAGS = ("one", "two", "three")
NODES = {
    "a": Node("a", "A", "", "c", "D1", 5, (), TAGS),
    "b": Node("b", "B", "", "c", "D2", 5, ("a",), TAGS),
    "d": Node("d", "D", "", "c", "D3", 5, ("b",), TAGS),
    "e": Node("e", "E", "", "c", "D1", 5, ("a",), TAGS),
}
CURRICULUM = Curriculum(tuple(NODES.values()), (Track("t", "T", "c", tuple(NODES)),))


@dataclass(frozen=True)
class Doing:
    """One session on a node: the verdicts of its attempts with their tags, and help before."""

    node: str
    attempts: tuple[tuple[bool, frozenset[str]], ...]
    hint: int
    revealed: bool
    score: int
    short: bool


DOINGS = st.lists(
    st.builds(
        Doing,
        st.sampled_from(sorted(NODES)),
        st.lists(st.tuples(st.booleans(), st.frozensets(st.sampled_from(TAGS))), max_size=3).map(
            tuple
        ),
        st.integers(0, 3),
        st.booleans(),
        st.integers(0, 89),
        st.booleans(),
    ),
    max_size=12,
)


def play(records, doing, number):
    """The records after one session; the record before and after each attempt."""
    node = NODES[doing.node]
    session = Session(
        f"s{number}", "e", node.id, "T", "c", node.depth, "/w", "/w/L", AT, AT,
        hint_level_used=doing.hint, review_of="x" if doing.short else "",
        progress={"ex-1": UnitProgress(touched=True, revealed=doing.revealed)},
    )  # fmt: skip
    record = records.get(node.id, NodeRecord(node.id, "c"))
    steps = []
    for count, (passed, tags) in enumerate(doing.attempts, start=1):
        score = 100 if passed else doing.score
        review = Review("PASS" if passed else "FAIL", score, "…", tags=tuple(tags))
        if doing.short:
            after = mastery.record_short_review(record, session, review, AT)
        elif passed:
            after = mastery.record_pass(record, session, review, AT)
        else:
            after = mastery.record_not_yet(record, review, AT)
        steps.append((record, after, passed, tags, session))
        session = replace(
            session, passed=session.passed or passed,
            attempts=(*session.attempts, Attempt(count, AT, None, "h", review)),
        )  # fmt: skip
        record = after
    if not doing.short:
        record, session = mastery.record_end(record, session, ["ex-1"], AT)
    return {**records, node.id: record}, steps


@given(DOINGS)
def test_mastery_moves_only_as_the_rules_say(doings):
    records = {}
    for number, doing in enumerate(doings):
        before = records.get(doing.node, NodeRecord(doing.node, "c")).mastery
        records, steps = play(records, doing, number)
        after = records[doing.node].mastery
        passed = any(passed for passed, _ in doing.attempts)
        target = mastery.DEPTHS[NODES[doing.node].depth]
        assert 0 <= after <= mastery.HIGHEST
        if doing.short or not doing.attempts:
            assert after == before
        elif passed and not doing.revealed:
            assert after == max(before, target - (doing.hint == 3))
        elif passed:
            assert after == before
        else:
            assert after in (before, max(before - 1, 0))
            assert (after == before) or doing.score < mastery.LOW_SCORE
        history = records[doing.node].history
        assert all(one.after == two.before for one, two in itertools.pairwise(history))
        assert all(step[1].mastery >= step[0].mastery for step in steps)


@given(DOINGS)
def test_a_tag_counts_each_sighting_and_two_clean_passes_end_it(doings):
    records, counts, clean = {}, {}, {}
    for number, doing in enumerate(doings):
        records, steps = play(records, doing, number)
        for _, after, passed, tags, session in steps:
            for tag in TAGS:
                key = (doing.node, tag)
                if tag in tags:
                    counts[key], clean[key] = counts.get(key, 0) + 1, 0
                elif passed and not session.passed and not doing.revealed and counts.get(key):
                    clean[key] = clean.get(key, 0) + 1
                    if clean[key] >= mastery.CLEAN_PASSES:
                        counts[key] = 0
                known = after.tags.get(tag)
                assert (known.count if known else 0) == counts.get(key, 0)
            expected = {t for t in TAGS if counts.get((doing.node, t), 0) >= mastery.REMEDIAL_AT}
            assert set(mastery.open_tags(after)) == expected


@given(DOINGS, st.sets(st.sampled_from(sorted(NODES))), st.sets(st.sampled_from(sorted(NODES))))
def test_every_recommendation_has_its_place_and_its_reason(doings, due, servable):
    records = {}
    for number, doing in enumerate(doings):
        records, _ = play(records, doing, number)
    found = recommend(CURRICULUM, "c", records, due=due, servable=servable)
    kinds = [item.kind for item in found]
    assert kinds == sorted(kinds, key=list(RecommendationKind).index)
    assert len({item.node for item in found}) == len(found)
    assert {item.node for item in found} <= servable
    held = {
        other
        for name, record in records.items()
        if mastery.open_tags(record, mastery.MORE_SCAFFOLD_AT)
        for other in CURRICULUM.dependents(name)
    }
    for item in found:
        node, record = NODES[item.node], records.get(item.node, NodeRecord(item.node, "c"))
        assert item.reason.endswith(".")
        if item.kind is RecommendationKind.REMEDIAL:
            assert mastery.open_tags(record)
        elif item.kind is RecommendationKind.REVIEW:
            assert item.node in due
        elif item.kind is RecommendationKind.NEW:
            assert not mastery.missing_prerequisites(node, CURRICULUM, records)
            assert not mastery.is_known(node, record)
        if item.kind in (
            RecommendationKind.NEW,
            RecommendationKind.REPEAT,
            RecommendationKind.EARLY,
        ):
            assert item.node not in held
    open_here = {name for name, record in records.items() if mastery.open_tags(record)}
    assert {
        item.node for item in found if item.kind is RecommendationKind.REMEDIAL
    } == open_here & servable
