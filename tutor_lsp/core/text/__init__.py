"""Text: places in it, quotes of it, and text of others made harmless."""
