"""textDocument/hover."""

import re

from lsprotocol import types as lsp

from tutor_lsp.lsp.server_type import TutorServer
from tutor_lsp.tutor.ide import hover as ide


async def hover(ls: TutorServer, params: lsp.HoverParams) -> lsp.Hover | None:
    """State, failing tests, hint and prints of the unit under the cursor."""
    seen = ls.publisher.view_of(params.text_document.uri)
    if seen is None:
        return None
    view, file = seen
    text = view.texts.get(file, "")
    line, column = ls.converter.place(text, params.position)
    found = ide.hover(view, file, line, column)
    if found is None:
        return None
    kind = lsp.MarkupKind.Markdown if ls.flags.hover_markdown else lsp.MarkupKind.PlainText
    value = found.markdown if ls.flags.hover_markdown else plain(found.markdown)
    return lsp.Hover(lsp.MarkupContent(kind, value), ls.converter.range(text, found.span))


def plain(markdown: str) -> str:
    """Markdown without its marks, for clients that show text only."""
    text = re.sub(r"^```\w*\n?", "", markdown, flags=re.MULTILINE)
    return re.sub(r"\*\*|`", "", text)
