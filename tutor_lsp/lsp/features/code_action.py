"""textDocument/codeAction: by range and server state, not by the context that the client sends."""

from lsprotocol import types as lsp

from tutor_lsp.core.text.translation import t
from tutor_lsp.lsp.context import Context, Waiting
from tutor_lsp.lsp.convert import SOURCE, command
from tutor_lsp.lsp.documents import uri_path
from tutor_lsp.tutor.ide import actions as ide

START = "tutor.start"
KIND = lsp.CodeActionKind.QuickFix


def code_action(
    ctx: Context, params: lsp.CodeActionParams
) -> Waiting[list[lsp.CodeAction | lsp.Command]]:
    """What can be done with the unit at the range; bare commands where the client knows no more."""
    only = params.context.only
    if only is not None and not any(str(KIND.value).startswith(str(_text(kind))) for kind in only):
        return []
    shown = yield from _of_unit(ctx, params)
    if codes := _codes_of_others(params):
        shown += yield _practice, (ctx, codes, params.text_document.uri), None
    if not ctx.client.flags.action_literals:
        return [command(found) for found in shown]
    return [
        lsp.CodeAction(
            title=t(found.title),
            kind=KIND,
            command=command(found),
            is_preferred=found.preferred or None,
        )
        for found in shown
    ]


def _of_unit(ctx: Context, params: lsp.CodeActionParams) -> Waiting[list[ide.Action]]:
    """What can be done with the unit at the range."""
    seen = yield from ctx.view_of(params.text_document.uri)
    if seen is None:
        return []
    view, file = seen
    text = view.texts.get(file, "")
    first, _ = ctx.client.converter.place(text, params.range.start)
    last, _ = ctx.client.converter.place(text, params.range.end)
    return ide.actions(view, file, first, last)


def _codes_of_others(params: lsp.CodeActionParams) -> list[str]:
    """What other tools report at the range."""
    return [
        str(diagnostic.code)
        for diagnostic in params.context.diagnostics
        if diagnostic.code is not None and diagnostic.source != SOURCE
    ]


async def _practice(ctx: Context, codes: list[str], uri: str) -> list[ide.Action]:
    """An exercise on an error that another tool reports, in any project."""
    path = uri_path(uri)
    found = await ctx.practices.find(codes, path) if path is not None else None
    if found is None:
        return []
    argument = {"errorCode": found.code, "language": found.language}
    return [ide.Action(f"Practise this error: {found.title} ({found.code})", START, argument)]


def _text(kind: lsp.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, lsp.CodeActionKind) else kind
