"""What is known about a learner: topics, mastery, review, help, and merging records."""
