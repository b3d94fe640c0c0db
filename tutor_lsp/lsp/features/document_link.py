"""textDocument/documentLink: from comment to lesson and tests, from lesson to stubs."""

from lsprotocol import types as lsp

from tutor_lsp.lsp.context import Context, Waiting
from tutor_lsp.tutor.ide import links as ide


def document_link(ctx: Context, params: lsp.DocumentLinkParams) -> Waiting[list[lsp.DocumentLink]]:
    """Links with the line as fragment, the form that editors follow."""
    seen = yield from ctx.view_of(params.text_document.uri)
    if seen is None:
        return []
    view, file = seen
    text = view.texts.get(file, "")
    uris = ctx.publisher.uris(view)
    return [
        lsp.DocumentLink(
            range=ctx.client.converter.range(text, link.span),
            target=f"{uris[link.file]}#L{link.line}",
            tooltip=link.tooltip,
        )
        for link in ide.links(view, file)
        if link.file in uris
    ]
