# What comes of the drafts in drafts.py. `MARKS` is what
# `run([five_days, two_days, one_day])` gives, `COMPARED` what
# `compared([2, 3, 1, 5])` gives. Write each as a value in the place of the
# dots: `MARKS = "F."` or `COMPARED = 7`. It is looked at when you check.
#
# ex-1 - First principle: a test notices what it compares
# Read: LESSON.md, "What a test notices"
# Test: test_marks_of_three_drafts
# Start here: what does `price` give for 5, 2 and 1 days, and who compares it?

MARKS = ...

COMPARED = ...
