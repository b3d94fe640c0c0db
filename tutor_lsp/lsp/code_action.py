"""textDocument/codeAction: by range and server state, not by what the client sends along."""

from lsprotocol import types as lsp

from tutor_lsp.lsp.convert import SOURCE, command
from tutor_lsp.lsp.documents import uri_path
from tutor_lsp.lsp.server_type import TutorServer
from tutor_lsp.tutor.ide import actions as ide

START = "tutor.start"
KIND = lsp.CodeActionKind.QuickFix


async def code_action(ls: TutorServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """What can be done with the unit at the range."""
    only = params.context.only
    if only is not None and not any(str(KIND.value).startswith(str(_text(kind))) for kind in only):
        return []
    seen = ls.publisher.view_of(params.text_document.uri)
    practice = await _practice(ls, params)
    if seen is None:
        return practice
    view, file = seen
    text = view.texts.get(file, "")
    first, _ = ls.converter.place(text, params.range.start)
    last, _ = ls.converter.place(text, params.range.end)
    return [
        lsp.CodeAction(
            title=found.title,
            kind=KIND,
            command=command(found),
            is_preferred=found.preferred or None,
        )
        for found in ide.actions(view, file, first, last)
    ] + practice


async def _practice(ls: TutorServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """An exercise on an error that another tool reports at the range, in any project."""
    codes = [
        str(diagnostic.code)
        for diagnostic in params.context.diagnostics
        if diagnostic.code is not None and diagnostic.source != SOURCE
    ]
    path = uri_path(params.text_document.uri)
    if not codes or path is None:
        return []
    found = await ls.app.practice(codes, path)
    if found is None:
        return []
    argument = {"errorCode": found.code, "language": found.language}
    action = ide.Action(f"Practise this error: {found.title} ({found.code})", START, argument)
    return [lsp.CodeAction(title=action.title, kind=KIND, command=command(action))]


def _text(kind: lsp.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, lsp.CodeActionKind) else kind
