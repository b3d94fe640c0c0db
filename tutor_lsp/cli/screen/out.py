"""Where verbs print: plain lines, or colours and Markdown on a terminal."""

import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TextIO

from tutor_lsp.cli.screen.words import in_terminal
from tutor_lsp.core.errors import TutorError

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
        print_line(text.rstrip(), self._stream)

    def markdown(self, text: str) -> None:
        print_line(in_terminal(text).rstrip(), self._stream)

    def code(self, text: str, language: str) -> None:
        del language
        for line in text.rstrip("\n").split("\n"):
            print_line(f"    {line}".rstrip(), self._stream)

    def data(self, text: str) -> None:
        print_line(text, self._stream)


def print_line(text: str, stream: TextIO) -> None:
    """Print a line at once. What cannot be written to stderr is left out.

    Raises BrokenPipeError if nobody reads the stream any more, TutorError `OUTPUT` if it cannot be
    written for another reason. What is printed after that goes nowhere.
    """
    try:
        print(text, file=stream, flush=True)
    except OSError as error:
        # What is left in the buffer would be tried again, and fail, at the end of the process.
        with contextlib.suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())
        if stream is sys.stderr:
            return
        if isinstance(error, BrokenPipeError):
            raise
        raise TutorError(
            "OUTPUT",
            f"The output cannot be written ({error.strerror}). Make room there, or send it to "
            "another place.",
        ) from error


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
