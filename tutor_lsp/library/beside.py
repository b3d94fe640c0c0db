"""What an author writes beside an exercise, read when the first one is loaded whole."""

from tutor_lsp.lazy_imports import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
