# `overdue(due, today)` lists the tools that had to come back before today.
# `due` has the day for each; on that very day it is not overdue yet. What is
# late the longest comes first, tools of one day in the order of the alphabet:
# `overdue({"drill": 6, "saw": 4}, 9)` is ["saw", "drill"]. It stands in
# src/exercise/overdue.py, and its tests go here.
#
# ex-4 - First principle: some inputs come out right by chance
# Read: LESSON.md, "Right by chance"
# Test: test_overdue_accepts_right_programs
# Start here: three rules stand above; which input needs the second one?

from exercise.overdue import overdue


def test_overdue_is_nothing_that_is_due_today() -> None:
    assert overdue({"saw": 9, "drill": 10}, 9) == []
    assert overdue({"saw": 8}, 9) == ["saw"]


def test_overdue_begins_with_what_is_late_the_longest() -> None:
    assert overdue({"drill": 6, "saw": 4}, 9) == ["saw", "drill"]
    assert overdue({"saw": 4, "drill": 6}, 9) == ["saw", "drill"]


def test_overdue_has_tools_of_one_day_in_the_order_of_the_alphabet() -> None:
    assert overdue({"saw": 4, "axe": 4}, 9) == ["axe", "saw"]
    assert overdue({"axe": 4, "saw": 4}, 9) == ["axe", "saw"]
