"""The server's type for features: pygls looks the annotation up at run time."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tutor_lsp.lsp.server import TutorServer as TutorServer
else:
    TutorServer = Any
