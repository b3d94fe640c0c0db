"""The time left, from earlier runs."""

import pytest

from tutor_lsp.core.pace import KEPT, left_in_words, seconds_left, with_run

STAGES = ("plan", "starter", "tests", "proof")
KNOWN = {"plan": [10, 12, 90], "starter": [30], "proof": [8, 4]}


@pytest.mark.parametrize(
    ("stage", "elapsed", "left"),
    [
        ("plan", 0, 12 + 30 + 6),
        ("plan", 7, 5 + 30 + 6),
        ("plan", 50, 36),  # longer than usual, but not longer than ever
        ("plan", 91, None),
        ("starter", 0, 36),
        ("proof", 2, 4),
        ("tests", 0, None),  # no earlier run had it
    ],
)
def test_what_is_left_is_the_rest_of_this_stage_and_the_medians_of_the_later_ones(
    stage, elapsed, left
):
    assert seconds_left(KNOWN, STAGES, stage, elapsed) == left


def test_without_an_earlier_run_nothing_is_known():
    assert seconds_left({}, STAGES, "plan", 0) is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""), (0.0, ""), (2.9, ""), (3.1, "about 5 s left"), (41, "about 40 s left"),
        (89, "about 90 s left"), (91, "about 2 min left"), (600, "about 10 min left"),
    ],
)  # fmt: skip
def test_it_is_told_roughly(seconds, words):
    assert left_in_words(seconds) == words


def test_only_the_last_runs_count():
    known = {}
    for number in range(KEPT + 5):
        known = with_run(known, {"plan": float(number)})
    assert known["plan"] == [float(number) for number in range(5, KEPT + 5)]
    assert with_run(known, {"proof": 1.0})["plan"] == known["plan"]
