"""A view is computed once for each change, not for each request."""

from dataclasses import replace

import pytest
from fixture import FILE, STARTER, opened

from tutor_lsp.core.text.positions import line_index
from tutor_lsp.tutor.exercise import open_exercise


class Clock:
    """A clock that a test sets."""

    now = 100.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    found = Clock()
    monkeypatch.setattr(open_exercise, "time", found)
    return found


@pytest.fixture
def exercise(clock, monkeypatch):
    """An open exercise that counts its views."""
    found = opened()
    found.views = 0
    make = open_exercise.view_of

    def view(*given):
        found.views += 1
        return make(*given)

    monkeypatch.setattr(open_exercise, "view_of", view)
    return found


def test_requests_between_two_changes_share_a_view(exercise):
    assert exercise.recent_view(1) is exercise.recent_view(1)
    assert exercise.views == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda it: setattr(it, "session", replace(it.session, updated_at="later")),
        lambda it: setattr(it, "refusal", "no tools"),
        lambda it: setattr(it, "next_title", "More"),
        lambda it: setattr(it, "last_edited", "ex-2"),
        lambda it: it.has_run({FILE: STARTER}),
    ],
    ids=["session", "refusal", "next title", "last edit", "run"],
)
def test_a_change_of_what_is_known_is_seen_at_once(change, exercise):
    before = exercise.recent_view(1)
    change(exercise)
    assert exercise.recent_view(1) is not before
    assert exercise.recent_view(1) == exercise.view()


def test_a_change_of_a_buffer_is_seen_at_once(exercise):
    before = exercise.recent_view(1)
    assert exercise.recent_view(2) is not before


def test_what_changes_on_the_disk_is_seen_soon(exercise, clock):
    before = exercise.recent_view(1)
    exercise.on_disk = replace(exercise.on_disk, check_hash="later")
    clock.now += open_exercise.DISK_S / 2
    assert exercise.recent_view(1) is before
    clock.now += open_exercise.DISK_S
    after = exercise.recent_view(1)
    assert after is not before
    assert exercise.recent_view(1) is after


def test_a_disk_on_which_nothing_changed_costs_no_view(exercise, clock):
    before = exercise.recent_view(1)
    for _ in range(3):
        clock.now += 2 * open_exercise.DISK_S
        assert exercise.recent_view(1) is before
    assert exercise.views == 1


def test_a_text_is_taken_apart_once():
    assert line_index(STARTER) is line_index(STARTER)
