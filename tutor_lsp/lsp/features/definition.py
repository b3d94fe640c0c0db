"""textDocument/definition: what documentLink marks, for the editors that show no links."""

from lsprotocol import types as lsp

from tutor_lsp.lsp.server_type import TutorServer
from tutor_lsp.tutor.ide import links as ide


async def definition(ls: TutorServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
    """Between stub comment, lesson, stubs and tests; names in code are left to another server
    where the settings say that there is one.
    """
    seen = ls.publisher.view_of(params.text_document.uri)
    if seen is None:
        return []
    view, file = seen
    line, column = ls.converter.place(view.texts.get(file, ""), params.position)
    uris = ls.publisher.uris(view)
    alone = ls.app.shows_build_errors()
    return [
        lsp.Location(
            uris[link.file],
            ls.converter.range(view.texts.get(link.file, ""), link.target),
        )
        for link in ide.definitions(view, file, line, column, in_code=alone)
        if link.file in uris
    ]
