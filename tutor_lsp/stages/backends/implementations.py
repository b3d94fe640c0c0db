"""The modules of the bundled backends, each imported when it is first used."""

from tutor_lsp.lazy_imports import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
