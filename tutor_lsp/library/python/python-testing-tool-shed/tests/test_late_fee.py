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
