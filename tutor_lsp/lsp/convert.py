"""Between plain data (1-based code points) and the protocol (zero-based, client's unit)."""

from pathlib import Path
from typing import Any, cast

from lsprotocol import types as lsp

from tutor_lsp.core.text import positions
from tutor_lsp.core.text.translation import t
from tutor_lsp.lsp.capabilities import ClientFlags
from tutor_lsp.tutor.ide.actions import Action
from tutor_lsp.tutor.ide.diagnostics import Diagnostic
from tutor_lsp.tutor.ide.view import Span

SOURCE = "tutor"


class Converter:
    """Converts for one client's position encoding (`utf-8`, `utf-16` or `utf-32`)."""

    def __init__(self, encoding: str, flags: ClientFlags) -> None:
        self.encoding = cast("positions.Encoding", encoding)
        self.flags = flags

    def range(self, text: str, span: Span) -> lsp.Range:
        """A protocol range; clamped to the text."""
        index = positions.line_index(text)
        return lsp.Range(
            lsp.Position(*index.to_client(span.line, span.column, self.encoding)),
            lsp.Position(*index.to_client(span.end_line, span.end_column, self.encoding)),
        )

    def place(self, text: str, position: lsp.Position) -> tuple[int, int]:
        """1-based line and code point column of a protocol position; clamped to the text."""
        index = positions.line_index(text)
        return index.from_client(position.line, position.character, self.encoding)

    def diagnostic(
        self, shown: Diagnostic, text: str, uris: dict[str, str], lesson_uri: str
    ) -> lsp.Diagnostic:
        """A protocol diagnostic; `uris` maps relative files to the URIs the client uses."""
        message = shown.message
        related = None
        if shown.related and self.flags.related_information:
            related = [
                lsp.DiagnosticRelatedInformation(
                    lsp.Location(uris[item.file], _line_range(item.line)),
                    item.beside if self.flags.diagnostics_in_hover else item.message,
                )
                for item in shown.related
                if item.file in uris
            ]
        elif shown.related and not self.flags.diagnostics_inline:  # the hover has the rest
            rest = [f"{item.file}:{item.line} {item.beside}" for item in shown.related]
            message = "\n".join([message, *rest])
        description = None
        if shown.lesson_line is not None and self.flags.code_description:
            description = lsp.CodeDescription(f"{lesson_uri}#L{shown.lesson_line}")
        data = None
        if shown.body is not None and self.flags.diagnostic_data:
            data = {"body": dict(zip(("line", "endLine"), shown.body, strict=True))}
        return lsp.Diagnostic(
            range=self.range(text, shown.span),
            message=message,
            severity=lsp.DiagnosticSeverity(int(shown.severity)),
            code=shown.code,
            code_description=description,
            source=SOURCE,
            related_information=related,
            data=data,
        )


def _line_range(line: int) -> lsp.Range:
    return lsp.Range(lsp.Position(max(line - 1, 0), 0), lsp.Position(max(line, 1), 0))


def command(action: Action) -> lsp.Command:
    """The command of an action with its one argument object."""
    arguments: list[Any] = [dict(action.argument)]
    return lsp.Command(title=t(action.title), command=action.command, arguments=arguments)


def quote_path(file: str) -> str:
    """A relative path in URI form."""
    return Path("/", file).as_uri().removeprefix("file:///")
