"""How Python is read and its failing tests are explained: takes a parser, so loads when asked."""

from tutor_lsp.lazy_imports import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
