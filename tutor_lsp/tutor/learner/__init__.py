"""How far the learner is: mastery, spaced review, what comes next, lists and reports."""
