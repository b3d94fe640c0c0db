"""textDocument/definition: the targets of documentLink, for editors that show no links."""

from lsprotocol import types as lsp

from tutor_lsp.lsp.context import Context, Waiting
from tutor_lsp.tutor.ide import links as ide


def definition(ctx: Context, params: lsp.DefinitionParams) -> Waiting[list[lsp.Location]]:
    """Between stub comment, lesson, stubs and tests; names in code are left to another server
    where the settings say that there is one.
    """
    seen = yield from ctx.view_of(params.text_document.uri)
    if seen is None:
        return []
    view, file = seen
    line, column = ctx.client.converter.place(view.texts.get(file, ""), params.position)
    uris = ctx.publisher.uris(view)
    alone = ctx.app.shows_build_errors()
    return [
        lsp.Location(
            uris[link.file],
            ctx.client.converter.range(view.texts.get(link.file, ""), link.target),
        )
        for link in ide.definitions(view, file, line, column, in_code=alone)
        if link.file in uris
    ]
