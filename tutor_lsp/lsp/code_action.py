"""textDocument/codeAction: by range and server state, not by what the client sends along."""

from lsprotocol import types as lsp

from tutor_lsp.lsp.convert import command
from tutor_lsp.lsp.server_type import TutorServer
from tutor_lsp.tutor.ide import actions as ide

KIND = lsp.CodeActionKind.QuickFix


async def code_action(ls: TutorServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """What can be done with the unit at the range."""
    only = params.context.only
    if only is not None and not any(str(KIND.value).startswith(str(_text(kind))) for kind in only):
        return []
    seen = ls.publisher.view_of(params.text_document.uri)
    if seen is None:
        return []
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
    ]


def _text(kind: lsp.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, lsp.CodeActionKind) else kind
