"""What a model's hint must pass before anybody sees it: leaks and grounding, by execution."""
