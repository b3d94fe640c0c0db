"""The yardstick: a pygls server with one hover and nothing else."""

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

server = LanguageServer("bare", "0")


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def hover(ls: LanguageServer, params: lsp.HoverParams) -> lsp.Hover | None:
    document = ls.workspace.get_text_document(params.text_document.uri)
    word = document.word_at_position(params.position)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, word))


if __name__ == "__main__":
    server.start_io()
