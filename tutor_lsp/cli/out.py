"""Where verbs print: plain lines, or colours and Markdown on a terminal."""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TextIO

from tutor_lsp.cli.words import in_terminal

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

Style = Literal["good", "bad", "dim", "strong", "place"]
Part = str | tuple[Style, str]
"""A piece of a line: plain, or with a style."""

STYLES: Mapping[Style, str] = {
    "good": "green",
    "bad": "red",
    "dim": "dim",
    "strong": "bold",
    "place": "cyan",
}


class Out(Protocol):
    """Prints for people."""

    def line(self, *parts: Part) -> None:
        """One line of these pieces."""

    def markdown(self, text: str) -> None:
        """A text in Markdown."""

    def code(self, text: str, language: str) -> None:
        """A piece of code."""

    def data(self, text: str) -> None:
        """One line for programs."""


class PlainOut:
    """Text lines without any escape sequence."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def line(self, *parts: Part) -> None:
        text = "".join(spoken(part)[0] for part in parts)
        print(text.rstrip(), file=self._stream, flush=True)

    def markdown(self, text: str) -> None:
        print(in_terminal(text).rstrip(), file=self._stream, flush=True)

    def code(self, text: str, language: str) -> None:
        del language
        for line in text.rstrip("\n").split("\n"):
            print(f"    {line}".rstrip(), file=self._stream, flush=True)

    def data(self, text: str) -> None:
        print(text, file=self._stream, flush=True)


class Lines:
    """Keeps what is printed, for the live view."""

    def __init__(self) -> None:
        self.lines: list[tuple[Part, ...]] = []

    def line(self, *parts: Part) -> None:
        self.lines.append(parts)

    def markdown(self, text: str) -> None:
        self.lines += [(line,) for line in text.rstrip().split("\n")]

    def code(self, text: str, language: str) -> None:
        del language
        self.lines += [(f"    {line}",) for line in text.rstrip("\n").split("\n")]

    def data(self, text: str) -> None:
        self.lines.append((text,))


class RichOut:
    """Colours and set Markdown, by rich."""

    def __init__(self, console: "Console") -> None:
        self.console = console

    def line(self, *parts: Part) -> None:
        # Paths must stay whole, so that a terminal can open them.
        whole = any(not isinstance(part, str) and part[0] == "place" for part in parts)
        self.console.print(rich_text(parts), soft_wrap=whole)

    def markdown(self, text: str) -> None:
        from rich.markdown import Markdown

        self.console.print(Markdown(in_terminal(text).rstrip(), code_theme="ansi_dark"))

    def code(self, text: str, language: str) -> None:
        from rich.syntax import Syntax

        self.console.print(
            Syntax(text.rstrip("\n"), language, theme="ansi_dark", background_color="default")
        )

    def data(self, text: str) -> None:
        self.console.print(text, style=STYLES["dim"], soft_wrap=True, markup=False)


def rich_text(parts: Sequence[Part]) -> "Text":
    """A line for rich."""
    from rich.text import Text

    text = Text()
    for part in parts:
        said, style = spoken(part)
        text.append(said, STYLES[style] if style is not None else None)
    return text


def spoken(part: Part) -> tuple[str, Style | None]:
    """A piece in the words of the terminal and its style; a place stays as it is."""
    if isinstance(part, str):
        return in_terminal(part), None
    style, said = part
    return (said if style == "place" else in_terminal(said)), style


def is_rich(stream: TextIO, *, plain: bool) -> bool:
    """Whether colours and bars may be shown on a stream."""
    return (
        not plain
        and stream.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM", "") not in ("", "dumb")
    )


def make_out(stream: TextIO, *, plain: bool) -> Out:
    """What fits a stream."""
    if not is_rich(stream, plain=plain):
        return PlainOut(stream)
    from rich.console import Console

    return RichOut(Console(file=stream, highlight=False))


def tolerant_streams() -> None:
    """Print a replacement where the terminal's encoding lacks a character."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
