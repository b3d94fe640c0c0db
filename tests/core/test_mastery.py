"""Mastery rules, number by number."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample import reviewed, session

from tutor_lsp.core.learner.curriculum import Curriculum, Node
from tutor_lsp.core.learner.mastery import (
    Help,
    claim,
    count_tags,
    help_taken,
    is_known,
    lifted,
    lowers,
    missing_prerequisites,
    needs_repeat,
    open_tags,
    passed_own_depth,
    record_end,
    record_not_yet,
    record_pass,
)
from tutor_lsp.core.session import NodeRecord, Review, TagRecord, UnitProgress

UNITS = ("ex-1", "ex-2")
BLANK = NodeRecord("python-strings", "python")
REVIEW = Review("PASS", 90, "")
DEPTHS = st.sampled_from(["D1", "D2", "D3"])


def touched(*units, **fields):
    return {unit: UnitProgress(touched=True, **fields) for unit in units}


@pytest.mark.parametrize(
    ("depth", "taken", "reached"),
    [
        ("D1", Help.NONE, 1),
        ("D2", Help.NONE, 2),
        ("D3", Help.NONE, 3),
        ("D1", Help.LAST_HINT, 0),
        ("D2", Help.LAST_HINT, 1),
        ("D3", Help.LAST_HINT, 2),
        ("D3", Help.REVEAL, 0),
    ],
)
def test_a_pass_lifts_from_zero_to(depth, taken, reached):
    assert lifted(0, depth, taken) == reached


@given(st.integers(0, 3), DEPTHS, st.sampled_from(Help))
def test_a_pass_never_lowers_and_more_help_never_lifts_more(before, depth, taken):
    after = lifted(before, depth, taken)
    assert before <= after <= 3
    assert after <= lifted(before, depth, Help.NONE)
    assert lifted(after, depth, taken) == after


def test_help_is_the_strongest_that_was_taken():
    assert help_taken(session(hint_level_used=2)) is Help.NONE
    assert help_taken(session(hint_level_used=3)) is Help.LAST_HINT
    revealed = session(hint_level_used=3, progress=touched("ex-1", revealed=True))
    assert help_taken(revealed) is Help.REVEAL


def test_a_pass_keeps_before_and_after():
    record = record_pass(BLANK, session(depth="D2"), REVIEW, "noon")
    assert (record.mastery, record.passed_depths, record.updated_at) == (2, ("D2",), "noon")
    [line] = record.history
    assert (line.before, line.after, line.session, line.at) == (0, 2, "s1", "noon")


def test_an_unaided_repeat_makes_up_for_the_last_hint_and_for_a_reveal():
    helped = record_pass(BLANK, session(depth="D2", hint_level_used=3), REVIEW, "1")
    shown = record_pass(BLANK, session(progress=touched("ex-1", revealed=True)), REVIEW, "1")
    assert (helped.mastery, shown.mastery) == (1, 0)
    assert record_pass(helped, session(id="s2", depth="D2"), REVIEW, "2").mastery == 2
    assert record_pass(shown, session(id="s2"), REVIEW, "2").mastery == 1


def test_a_second_pass_in_one_session_adds_no_line():
    once = record_pass(BLANK, session(), REVIEW, "1")
    twice = record_pass(once, session(passed=True), REVIEW, "2")
    assert twice.history == once.history


def ended(score=39, units=UNITS, progress=UNITS, **fields):
    return session(attempts=reviewed(80, score), progress=touched(*progress), **fields), units


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (ended(), True),
        (ended(score=40), False),
        (ended(progress=("ex-1",)), False),
        (ended(passed=True), False),
        (ended(lowered=True), False),
        ((session(progress=touched(*UNITS)), UNITS), False),
        (ended(units=()), False),
    ],
)
def test_a_low_score_lowers_only_if_every_unit_was_touched(case, expected):
    assert lowers(*case) is expected


def test_only_a_reviewed_attempt_counts_as_the_last_score():
    case, units = ended(score=39)
    unreviewed = replace(case.attempts[-1], number=3, review=None)
    assert lowers(replace(case, attempts=(*case.attempts, unreviewed)), units)


def test_mastery_goes_down_by_one_once_a_session_and_says_so():
    record = replace(BLANK, mastery=2)
    case, units = ended()
    record, case = record_end(record, case, units, "1")
    assert (record.mastery, case.lowered, record.history[-1].after) == (1, True, 1)
    assert record_end(record, case, units, "2") == (record, case)


def test_mastery_never_goes_below_zero():
    record, _ = record_end(BLANK, *ended(), "1")
    assert record.mastery == 0


@given(
    st.lists(st.tuples(DEPTHS, st.integers(0, 3), st.booleans(), st.integers(0, 100)), max_size=12)
)
def test_over_any_sessions_history_is_a_chain_within_the_bounds(sessions):
    record = BLANK
    for number, (depth, hint, reveal, score) in enumerate(sessions):
        case = session(
            id=f"s{number}",
            depth=depth,
            hint_level_used=hint,
            progress=touched(*UNITS, revealed=reveal),
            attempts=reviewed(score),
        )
        before = record
        if score >= 70:
            record = record_pass(record, case, REVIEW, str(number))
            assert record.mastery >= before.mastery
        else:
            record, case = record_end(record, case, UNITS, str(number))
            assert before.mastery - record.mastery in ({0, 1} if score < 40 else {0})
        assert 0 <= record.mastery <= 3
    values = [0, *(line.after for line in record.history)]
    assert [line.before for line in record.history] == values[:-1]
    assert values[-1] == record.mastery


def test_a_claim_leaves_mastery_alone():
    claimed = claim(replace(BLANK, mastery=1), known=True, at="1")
    assert (claimed.claimed, claimed.mastery) == (True, 1)
    assert claim(claimed, known=False, at="2").claimed is False


def a_node(depth="D2", *needs):
    return Node("python-strings", "", "", "python", depth, 10, prerequisites=needs)


@pytest.mark.parametrize(
    ("own", "passed", "met"),
    [("D1", (), False), ("D1", ("D1",), True), ("D2", ("D1",), False), ("D2", ("D3",), True)],
)
def test_a_prerequisite_is_met_at_its_own_depth(own, passed, met):
    record = replace(BLANK, passed_depths=passed, mastery=3)
    assert passed_own_depth(a_node(own), record) is met
    assert is_known(a_node(own), record) is met
    assert is_known(a_node(own), replace(record, claimed=True))


def test_missing_prerequisites_are_those_not_known():
    first, second = (replace(a_node(), id=name) for name in ("first", "second"))
    target = a_node("D2", "first", "second")
    whole = Curriculum((first, second, target))
    records = {"first": NodeRecord("first", "python", passed_depths=("D2",))}
    assert missing_prerequisites(target, whole, records) == (second,)


def test_a_pass_with_help_needs_a_repeat():
    helped = record_pass(BLANK, session(depth="D2", hint_level_used=3), REVIEW, "1")
    assert needs_repeat(a_node("D2"), helped)
    again = record_pass(helped, session(depth="D2"), REVIEW, "2")
    assert not needs_repeat(a_node("D2"), again)


def test_misconceptions_are_counted_per_review():
    record = BLANK
    for number in range(4):
        assert open_tags(record) == (("off-by-one",) if number >= 2 else ())
        assert open_tags(record, at_least=4) == ()
        record = record_not_yet(record, Review("FAIL", 50, "", tags=("off-by-one",) * 2), "1")
    assert open_tags(record, at_least=4) == ("off-by-one",)


def test_what_a_hint_has_counted_before_a_pass_says_it_counts_once():
    review = Review("PASS", 80, "", tags=("a", "b"))
    after = record_pass(count_tags(BLANK, ["a"], "1"), session(), review, "2", told={"a"})
    assert {tag: kept.count for tag, kept in after.tags.items()} == {"a": 1, "b": 1}
    assert after.tags["a"].clean_passes == 0


def test_two_clean_passes_in_two_sessions_resolve_a_misconception():
    record = count_tags(count_tags(BLANK, ["a", "b"], "1"), ["a", "b"], "2")
    once = record_pass(record, session(), REVIEW, "3")
    assert once.tags["a"].clean_passes == 1
    again = record_pass(once, session(passed=True), REVIEW, "4")
    assert open_tags(again) == ("a", "b")
    seen = Review("PASS", 80, "", tags=("b",))
    twice = record_pass(once, session(id="s2"), seen, "5")
    assert open_tags(twice) == ("b",)
    assert twice.tags["b"] == TagRecord(count=3, clean_passes=0, last_at="5")
    assert open_tags(count_tags(twice, ["a"], "6")) == ("b",)


def test_a_pass_after_a_reveal_is_not_clean():
    record = count_tags(BLANK, ["a"], "1")
    shown = session(progress=touched("ex-1", revealed=True))
    assert record_pass(record, shown, REVIEW, "2").tags["a"].clean_passes == 0
