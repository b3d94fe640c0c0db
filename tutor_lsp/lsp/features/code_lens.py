"""textDocument/codeLens."""

from lsprotocol import types as lsp

from tutor_lsp.lsp.convert import command
from tutor_lsp.lsp.server_type import TutorServer
from tutor_lsp.tutor.ide import lenses as ide
from tutor_lsp.tutor.ide.view import Span


async def code_lens(ls: TutorServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    """State on each stub; on the focus also Hint and Lesson."""
    seen = ls.publisher.view_of(params.text_document.uri)
    if seen is None:
        return []
    view, file = seen
    text = view.texts.get(file, "")
    return [
        lsp.CodeLens(ls.converter.range(text, Span(line, 1, line, 1)), command(action))
        for line, action in ide.lenses(view, file)
    ]
