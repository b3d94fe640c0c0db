"""How runs are executed, imported when the first one is requested or beside what is shown."""

from tutor_lsp.lazy_imports import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
