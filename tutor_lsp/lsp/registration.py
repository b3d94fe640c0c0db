"""Which protocol methods are served, and by which file."""

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from tutor_lsp.lsp import lifecycle
from tutor_lsp.lsp.capabilities import as_mapping
from tutor_lsp.lsp.features import (
    code_action,
    code_lens,
    definition,
    document_link,
    hover,
    text_sync,
)
from tutor_lsp.lsp.model import MODEL_CHANGED

if TYPE_CHECKING:
    from tutor_lsp.lsp.server import TutorServer


def register(server: "TutorServer") -> None:
    """Register every feature; `server.server_capabilities` follow from this."""
    feature = server.feature
    feature(lsp.INITIALIZE)(lifecycle.initialize)
    feature(lsp.INITIALIZED)(lifecycle.initialized)
    feature(lsp.SHUTDOWN)(lifecycle.shutdown)
    feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)(lifecycle.configuration_changed)
    feature(MODEL_CHANGED)(lifecycle.model_changed)
    feature(lsp.TEXT_DOCUMENT_DID_OPEN)(text_sync.did_open)
    feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(text_sync.did_change)
    feature(lsp.TEXT_DOCUMENT_DID_SAVE)(text_sync.did_save)
    feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(text_sync.did_close)
    feature(lsp.TEXT_DOCUMENT_HOVER)(hover.hover)
    feature(lsp.TEXT_DOCUMENT_DEFINITION)(definition.definition)
    feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]),
    )(code_action.code_action)
    feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions())(code_lens.code_lens)
    feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK, lsp.DocumentLinkOptions())(document_link.document_link)


def plain_arguments(raw: list[Any]) -> list[Any]:
    """Arguments as plain JSON: pygls gives objects as named tuples in some places."""
    return [as_mapping(item) if hasattr(item, "_asdict") else item for item in raw]
