"""A user's own exercises: created, proven, and checked against the format."""
