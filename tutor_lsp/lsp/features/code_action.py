"""textDocument/codeAction: by range and server state, not by what the client sends along."""

from lsprotocol import types as lsp

from tutor_lsp.lsp.convert import SOURCE, command
from tutor_lsp.lsp.documents import uri_path
from tutor_lsp.lsp.server_type import TutorServer
from tutor_lsp.tutor.ide import actions as ide

START = "tutor.start"
KIND = lsp.CodeActionKind.QuickFix


async def code_action(
    ls: TutorServer, params: lsp.CodeActionParams
) -> list[lsp.CodeAction | lsp.Command]:
    """What can be done with the unit at the range; bare commands where the client knows no more."""
    only = params.context.only
    if only is not None and not any(str(KIND.value).startswith(str(_text(kind))) for kind in only):
        return []
    shown = [*_of_unit(ls, params), *await _practice(ls, params)]
    if not ls.flags.action_literals:
        return [command(found) for found in shown]
    return [
        lsp.CodeAction(
            title=found.title,
            kind=KIND,
            command=command(found),
            is_preferred=found.preferred or None,
        )
        for found in shown
    ]


def _of_unit(ls: TutorServer, params: lsp.CodeActionParams) -> list[ide.Action]:
    """What can be done with the unit at the range."""
    seen = ls.publisher.view_of(params.text_document.uri)
    if seen is None:
        return []
    view, file = seen
    text = view.texts.get(file, "")
    first, _ = ls.converter.place(text, params.range.start)
    last, _ = ls.converter.place(text, params.range.end)
    return ide.actions(view, file, first, last)


async def _practice(ls: TutorServer, params: lsp.CodeActionParams) -> list[ide.Action]:
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
    return [ide.Action(f"Practise this error: {found.title} ({found.code})", START, argument)]


def _text(kind: lsp.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, lsp.CodeActionKind) else kind
