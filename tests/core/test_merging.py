"""Merging two records: idempotent, in either order, nothing lost."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tutor_lsp.core.learner.merging import merge_nodes, merge_sessions, missing_events
from tutor_lsp.core.session import (
    Hint,
    MasteryChange,
    MemoryCard,
    NodeRecord,
    Session,
    TagRecord,
    UnitProgress,
)

TIMES = st.integers(1, 6).map(lambda n: f"2026-01-0{n}T00:00:00.000+00:00")
LEVELS = st.integers(0, 3)
CHANGES = st.builds(MasteryChange, TIMES, st.just("s"), LEVELS, LEVELS, st.just("passed"))
NODES = st.builds(
    NodeRecord,
    node=st.just("rust-option"),
    language=st.just("rust"),
    mastery=LEVELS,
    claimed=st.booleans(),
    passed_depths=st.sets(st.sampled_from(["D1", "D2", "D3"])).map(lambda d: tuple(sorted(d))),
    history=st.lists(CHANGES, max_size=3).map(
        lambda found: tuple(sorted(set(found), key=lambda line: (line.at, str(line))))
    ),
    tags=st.dictionaries(
        st.sampled_from(["a", "b"]), st.builds(TagRecord, LEVELS, LEVELS, TIMES), max_size=2
    ),
    card=st.none()
    | st.builds(MemoryCard, st.just(1.0), st.just(5.0), TIMES, TIMES, st.integers(1, 9)),
    updated_at=TIMES,
)
HINTS = st.builds(
    Hint, st.just("ex-1"), st.just("t"), st.integers(1, 3), st.text(max_size=3), st.none(),
    st.booleans(), TIMES, st.just("h"),
)  # fmt: skip
PROGRESS = st.builds(
    UnitProgress, touched=st.booleans(), passed=st.booleans(), revealed=st.booleans()
)
SESSIONS = st.builds(
    lambda **more: replace(
        Session("s", "e", "n", "T", "c", "D1", "/w", "/w/L", "2026", "2026"), **more
    ),
    updated_at=TIMES,
    hints=st.lists(HINTS, max_size=3).map(tuple),
    hint_level_used=LEVELS,
    attempt_count=st.integers(0, 5),
    passed=st.booleans(),
    lowered=st.booleans(),
    progress=st.dictionaries(st.sampled_from(["ex-1", "ex-2"]), PROGRESS, max_size=2),
)


@given(NODES, NODES)
def test_nodes_merge_in_either_order_and_once(one, other):
    merged = merge_nodes(one, other)
    assert merge_nodes(other, one) == merged
    assert merge_nodes(merged, one) == merged
    assert merge_nodes(merged, other) == merged
    assert set(merged.passed_depths) == {*one.passed_depths, *other.passed_depths}
    assert set(merged.history) == {*one.history, *other.history}
    assert set(merged.tags) == {*one.tags, *other.tags}
    assert merged.mastery in (one.mastery, other.mastery)
    assert (merged.card is None) == (one.card is None and other.card is None)


@given(NODES, CHANGES)
def test_a_history_that_goes_on_is_believed_even_where_it_went_down(record, change):
    longer = replace(
        record, history=(*record.history, change), mastery=change.after, updated_at=change.at
    )
    assert merge_nodes(record, longer).mastery == change.after


@settings(max_examples=settings.default.max_examples // 4)
@given(SESSIONS, SESSIONS)
def test_sessions_merge_in_either_order_and_keep_hints_and_help(one, other):
    merged = merge_sessions(one, other)
    assert merge_sessions(other, one) == merged
    assert merge_sessions(merged, one) == merged
    assert set(merged.hints) == {*one.hints, *other.hints}
    assert merged.passed == (one.passed or other.passed)
    assert merged.hint_level_used == max(one.hint_level_used, other.hint_level_used)
    for unit, progress in {**one.progress, **other.progress}.items():
        assert merged.progress[unit].revealed >= progress.revealed


EVENTS = st.lists(
    st.fixed_dictionaries(
        {"at": TIMES, "kind": st.just("check"), "session": st.none(), "data": st.just({"n": 1})}
    ),
    max_size=6,
)


@given(EVENTS, EVENTS)
def test_events_are_added_as_often_as_they_lack(known, given_events):
    missing = missing_events(known, given_events)
    both = [*known, *missing]
    for event in given_events:
        assert both.count(event) == max(known.count(event), given_events.count(event))
    assert missing_events(both, given_events) == []


def test_a_session_is_trusted_only_if_both_are():
    session = Session("s", "e", "n", "T", "rust", "D1", "/w", "/w/l", "t", "t")
    for one in (True, False):
        for other in (True, False):
            merged = merge_sessions(replace(session, trusted=one), replace(session, trusted=other))
            assert merged.trusted is (one and other)
