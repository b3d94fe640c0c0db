# `late_fee(days, price)` is what to pay for a tool of that price that comes
# back so many days too late. The first 2 days cost nothing and each day after
# them 1 euro, but it is never more than the price: `late_fee(7, 20)` is 5.
# Days and price are 0 or more. It stands in src/exercise/late_fee.py, and its
# tests go here.
#
# ex-3 - First principle: mistakes live at the edges
# Read: LESSON.md, "At the edges"
# Test: test_late_fee_accepts_right_programs
# Start here: after which day does the fee begin, and on which does it stop?

from exercise.late_fee import late_fee


def test_late_fee_is_nothing_for_two_days() -> None:
    assert late_fee(0, 20) == 0
    assert late_fee(2, 20) == 0


def test_late_fee_counts_the_days_after_them() -> None:
    assert late_fee(3, 20) == 1
    assert late_fee(7, 20) == 5


def test_late_fee_ends_at_the_price() -> None:
    assert late_fee(21, 20) == 19
    assert late_fee(22, 20) == 20
    assert late_fee(90, 20) == 20
