"""What is known of a learner: topics, mastery, review, help, and merging records."""
