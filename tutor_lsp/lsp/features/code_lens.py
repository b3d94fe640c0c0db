"""textDocument/codeLens."""

from lsprotocol import types as lsp

from tutor_lsp.lsp.context import Context, Waiting
from tutor_lsp.lsp.convert import command
from tutor_lsp.tutor.ide import lenses as ide
from tutor_lsp.tutor.ide.view import Span


def code_lens(ctx: Context, params: lsp.CodeLensParams) -> Waiting[list[lsp.CodeLens]]:
    """State on each stub; on the focus also Hint and Lesson."""
    seen = yield from ctx.view_of(params.text_document.uri)
    if seen is None:
        return []
    view, file = seen
    text = view.texts.get(file, "")
    return [
        lsp.CodeLens(ctx.client.converter.range(text, Span(line, 1, line, 1)), command(action))
        for line, action in ide.lenses(view, file)
    ]
