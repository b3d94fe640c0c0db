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
