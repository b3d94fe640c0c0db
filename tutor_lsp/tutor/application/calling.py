"""What calls a backend or plays a record of calls, imported when that is first done."""

from tutor_lsp.lazy_imports import attach_stub

__getattr__, __dir__ = attach_stub(__name__)
