"""What finds out why code is wrong, imported when it is first used."""

from tutor_lsp.lazy_imports import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
