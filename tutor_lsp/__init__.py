"""A language server that puts a coding tutor into any editor."""

__version__ = "0.1.0"
