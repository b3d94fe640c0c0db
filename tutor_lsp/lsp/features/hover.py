"""textDocument/hover."""

import re

from lsprotocol import types as lsp

from tutor_lsp.lsp.context import Context, Waiting
from tutor_lsp.tutor.ide import hover as ide


def hover(ctx: Context, params: lsp.HoverParams) -> Waiting[lsp.Hover | None]:
    """State, failing tests, hint and prints of the unit under the cursor."""
    seen = yield from ctx.view_of(params.text_document.uri)
    if seen is None:
        return None
    view, file = seen
    text = view.texts.get(file, "")
    line, column = ctx.client.converter.place(text, params.position)
    beside = ctx.client.flags.diagnostics_in_hover
    found = ide.hover(view, file, line, column, diagnostics_beside=beside)
    if found is None:
        return None
    kind = lsp.MarkupKind.Markdown if ctx.client.flags.hover_markdown else lsp.MarkupKind.PlainText
    markdown = ctx.client.flags.voice.commands.named(found.markdown)
    value = markdown if ctx.client.flags.hover_markdown else plain(markdown)
    return lsp.Hover(lsp.MarkupContent(kind, value), ctx.client.converter.range(text, found.span))


def plain(markdown: str) -> str:
    """Markdown without its marks, for clients that show text only."""
    text = re.sub(r"^```\w*\n?", "", markdown, flags=re.MULTILINE)
    return re.sub(r"\*\*|`", "", text)
