"""Spaced review: ratings, what is due, and clocks that cannot be trusted."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.learner.spacing import (
    Rating,
    due_nodes,
    is_due,
    minutes_of_work,
    rate_pass,
    read_time,
    settled,
    text_of,
)
from tutor_lsp.core.session import MemoryCard, NodeRecord, Session, UnitProgress
from tutor_lsp.tutor.learner.mastery import reviewed

START = datetime(2026, 1, 1, tzinfo=UTC)
MOMENTS = st.integers(-3000, 3000).map(lambda days: text_of(START + timedelta(days=days)))
PLAIN = Session(
    "s", "e", "c-arrays", "Arrays", "c", "D1", "/w", "/w/LESSON.md", text_of(START), text_of(START)
)


@pytest.mark.parametrize(
    ("hint", "revealed", "attempts", "minutes", "rating"),
    [
        (0, False, 1, 5, Rating.EASY),
        (0, False, 1, 15, Rating.GOOD),
        (1, False, 1, 5, Rating.GOOD),
        (2, False, 3, 5, Rating.GOOD),
        (0, False, 4, 5, Rating.HARD),
        (0, False, 1, 31, Rating.HARD),
        (3, False, 1, 5, Rating.HARD),
        (0, True, 1, 5, Rating.AGAIN),
    ],
)
def test_a_pass_is_rated_by_attempts_hints_and_time(hint, revealed, attempts, minutes, rating):
    progress = {"ex-1": UnitProgress(revealed=revealed)}
    worked = replace(PLAIN, hint_level_used=hint, progress=progress)
    assert rate_pass(worked, attempts, minutes, 10) is rating


def test_more_help_more_attempts_or_more_time_never_rate_better():
    grid = [
        (replace(PLAIN, hint_level_used=hint), attempts, minutes)
        for hint in range(4)
        for attempts in range(1, 6)
        for minutes in (1, 11, 31)
    ]
    for worked, attempts, minutes in grid:
        here = rate_pass(worked, attempts, minutes, 10)
        assert rate_pass(worked, attempts + 1, minutes, 10) <= here
        assert rate_pass(worked, attempts, minutes + 10, 10) <= here


def test_pauses_and_a_clock_that_goes_back_are_no_work():
    moments = [0, 2, 5, 60, 61, 30, 33]
    times = [text_of(START + timedelta(minutes=minute)) for minute in moments]
    assert minutes_of_work([*times, "no time"]) == 2 + 3 + 1 + 3
    assert minutes_of_work([]) == 0


@given(MOMENTS, st.lists(st.tuples(st.sampled_from(Rating), MOMENTS), min_size=1, max_size=8))
def test_whatever_the_clock_does_a_card_is_due_later_than_its_review(first, reviews):
    card = reviewed(None, Rating.GOOD, first)
    for rating, at in reviews:
        card = reviewed(card, rating, at)
        assert read_time(card.last_review) == read_time(at)
        assert read_time(card.due) - read_time(at) >= timedelta(days=1)
        assert card.stability > 0
        assert 1 <= card.difficulty <= 10
    assert card.reviews == len(reviews) + 1


def test_a_better_rating_waits_longer():
    card = reviewed(None, Rating.GOOD, text_of(START))
    at = card.due
    waits = [read_time(reviewed(card, rating, at).due) for rating in Rating]
    assert waits == sorted(waits)
    assert waits[0] < waits[-1]


@given(MOMENTS, MOMENTS)
def test_a_clock_set_back_moves_a_card_and_keeps_its_interval(last, now):
    card = MemoryCard(2.0, 5.0, text_of(read_time(last) + timedelta(days=3)), last)
    moved = settled(card, now)
    assert settled(moved, now) == moved
    assert read_time(moved.due) - read_time(moved.last_review) == timedelta(days=3)
    assert read_time(moved.last_review) <= read_time(now) + timedelta(days=1)


def test_the_longest_overdue_node_comes_first():
    def record(name, days):
        at = text_of(START + timedelta(days=days))
        return NodeRecord(name, "c", card=MemoryCard(1.0, 5.0, at, text_of(START)))

    records = {each.node: each for each in (record("b", 2), record("a", 5), record("late", 50))}
    records["never"] = NodeRecord("never", "c")
    now = text_of(START + timedelta(days=10))
    assert due_nodes(records, now) == ("b", "a")
    assert due_nodes(records, text_of(START - timedelta(days=10))) == ()
    assert not is_due(replace(records["a"].card, due="unreadable"), now)
