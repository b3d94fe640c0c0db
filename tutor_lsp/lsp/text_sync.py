"""Documents opened, changed, saved and closed."""

from lsprotocol import types as lsp

from tutor_lsp.lsp.server_type import TutorServer


async def did_open(ls: TutorServer, params: lsp.DidOpenTextDocumentParams) -> None:
    """Adopt the exercise that the file belongs to and publish its last results, without a run."""
    item = params.text_document
    document = ls.documents.opened(item.uri, item.text, item.version)
    if document is None or not ls.app.in_exercise(document.path):
        return
    ls.documents.last_used = document.path
    app = await ls.app.get()
    opened = await app.adopt(document.path)
    if opened is not None:
        ls.publisher.uri_of_root(opened, document)
        ls.publisher.publish(opened)


async def did_change(ls: TutorServer, params: lsp.DidChangeTextDocumentParams) -> None:
    """Let diagnostics follow the edit."""
    item = params.text_document
    text = ls.workspace.get_text_document(item.uri).source
    document = ls.documents.changed(item.uri, text, item.version)
    opened = ls.publisher.opened_of(document.path) if document is not None else None
    if opened is not None and document is not None:
        ls.documents.last_used = document.path
        opened.edited(document.path)
        ls.publisher.publish_soon(opened)


async def did_save(ls: TutorServer, params: lsp.DidSaveTextDocumentParams) -> None:
    """Check, if the setting says so."""
    document = ls.documents.of_uri(params.text_document.uri)
    if document is None or not ls.app.in_exercise(document.path):
        return
    app = await ls.app.get()
    opened = await app.adopt(document.path)
    if opened is not None:
        ls.documents.last_used = document.path
        app.saved(opened, document.path)


def did_close(ls: TutorServer, params: lsp.DidCloseTextDocumentParams) -> None:
    """Forget the document; its diagnostics stay, as the results do."""
    ls.documents.closed(params.text_document.uri)
