"""textDocument/documentLink: from comment to lesson and tests, from lesson to stubs."""

from lsprotocol import types as lsp

from tutor_lsp.lsp.server_type import TutorServer
from tutor_lsp.tutor.ide import links as ide


async def document_link(ls: TutorServer, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
    """Links with the line as fragment, the form that editors follow."""
    seen = ls.publisher.view_of(params.text_document.uri)
    if seen is None:
        return []
    view, file = seen
    text = view.texts.get(file, "")
    uris = ls.publisher.uris(view)
    return [
        lsp.DocumentLink(
            range=ls.converter.range(text, link.span),
            target=f"{uris[link.file]}#L{link.line}",
            tooltip=link.tooltip,
        )
        for link in ide.links(view, file)
        if link.file in uris
    ]
