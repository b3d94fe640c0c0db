"""textDocument/hover."""

from typing import Any

from lsprotocol import types as lsp

from tutor_lsp.lsp.context import Context, Waiting
from tutor_lsp.tutor.ide import hover as ide


def hover(ctx: Context, params: lsp.HoverParams) -> Waiting[lsp.Hover | None]:
    """State, failing tests, hint and prints of the unit under the cursor."""
    seen = yield from ctx.view_of(params.text_document.uri)
    if seen is None:
        return None
    view, file = seen
    text = view.texts.get(file, "")
    line, column = ctx.client.converter.place(text, params.position)
    beside = ctx.client.flags.diagnostics_in_hover
    found = ide.hover(view, file, line, column, diagnostics_beside=beside)
    if found is None:
        return None
    kind = lsp.MarkupKind.Markdown if ctx.client.flags.hover_markdown else lsp.MarkupKind.PlainText
    markdown = ctx.client.flags.voice.commands.named(found.markdown)
    value = markdown if ctx.client.flags.hover_markdown else ide.plain(markdown)
    return lsp.Hover(lsp.MarkupContent(kind, value), ctx.client.converter.range(text, found.span))


def at_once(ctx: Context, params: Any) -> Any:
    """The hover as JSON, from parameters as JSON, in half the time that reading and writing their
    types takes. NotImplemented for what has to wait, or may be wrong: then `hover` answers.
    """
    match params:
        case {
            "textDocument": {"uri": str(uri)},
            "position": {"line": int(line), "character": int(character)},
            **others,
        } if not others and bool not in (type(line), type(character)):
            document = lsp.TextDocumentIdentifier(uri)
        case _:
            return NotImplemented
    try:
        asked = lsp.HoverParams(document, lsp.Position(line, character))
    except ValueError:  # no number that a place can have
        return NotImplemented
    answering = hover(ctx, asked)
    try:
        next(answering)
    except StopIteration as done:
        return _json(done.value)
    return NotImplemented


def _json(shown: lsp.Hover | None) -> Any:
    if shown is None or not isinstance(shown.contents, lsp.MarkupContent):
        return None
    contents = {"kind": shown.contents.kind.value, "value": shown.contents.value}
    if shown.range is None:
        return {"contents": contents}
    begin, end = (
        {"line": each.line, "character": each.character}
        for each in (shown.range.start, shown.range.end)
    )
    return {"contents": contents, "range": {"start": begin, "end": end}}
