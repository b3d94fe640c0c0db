"""Text: places in it, quotes from it, and making untrusted text harmless."""
