"""The base of every language's proof."""
