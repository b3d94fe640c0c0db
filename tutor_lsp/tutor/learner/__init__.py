"""The learner's progress: mastery, spaced review, what comes next, lists and reports."""
