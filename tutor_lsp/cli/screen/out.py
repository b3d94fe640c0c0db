"""Where verbs print: plain lines, or colours and Markdown on a terminal."""

import codecs
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Literal, Protocol, TextIO

from tutor_lsp.cli.screen.print_line import print_line
from tutor_lsp.cli.screen.rows import hanging, row_breaks
from tutor_lsp.cli.screen.words import in_terminal
from tutor_lsp.core.text.plain_text import ADDRESS, NAME, cut_at_code
from tutor_lsp.tutor.services.frontend import ProgressHandle

Style = Literal["good", "bad", "dim", "strong", "place", "code"]
Part = str | tuple[Style, str]
"""A piece of a line: plain, or with a style. In a plain one single backticks may mark code."""


class Verbatim(str):
    """A text that the server said: it names commands as they are typed, or is a learner's."""

    __slots__ = ()


STYLES: Mapping[Style, str] = {
    "good": "green",
    "bad": "red",
    "dim": "dim",
    "strong": "bold",
    "place": "cyan",
    "code": "bold",
}


class Shown(Protocol):
    """Something animated on the screen."""

    def stop(self) -> None:
        """Take it off the screen."""


class Bar(ProgressHandle):
    """The progress of long work, animated."""

    def stop(self) -> None:
        """See `Shown`."""

    def beside(self, text: str) -> None:
        """Show a text that goes away with it."""


class Out:
    """Prints for people: here as plain lines without any escape sequence, and nothing animated."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def bar(self, title: str) -> Bar | None:
        """A bar, None if nothing can be animated."""
        del title
        return None

    def status(self, text: str) -> Shown | None:
        """A sign that something short is running, None if nothing can be animated."""
        del text
        return None

    def line(self, *parts: Part) -> None:
        """One line of these pieces; on a terminal as many rows as it needs."""
        text = "".join(map(unstyled, parts)).rstrip()
        for row in self._rows(text):
            self.data(row.rstrip())

    def _rows(self, text: str) -> list[str]:
        width = shutil.get_terminal_size().columns
        if len(text) * 2 <= width or not self._stream.isatty():
            return [text]  # no letter has more than two cells
        breaks = row_breaks(text, width)
        margin = " " * hanging(text, width)
        first, *rest = pairwise([0, *breaks, None])
        return [text[slice(*first)], *(margin + text[slice(*each)] for each in rest)]

    def code(self, text: str, language: str) -> None:
        """A piece of code."""
        del language
        for line in text.rstrip("\n").split("\n"):
            self.data(f"    {line}".rstrip())

    def data(self, text: str) -> None:
        """One line for programs."""
        print_line(text, self._stream)


class KeptLines(Out):
    """Keeps what is printed, for the live view."""

    def __init__(self) -> None:
        super().__init__(sys.stdout)
        self.lines: list[tuple[Part, ...]] = []

    def line(self, *parts: Part) -> None:
        self.lines.append(parts)

    def data(self, text: str) -> None:
        self.lines.append((text,))


def spoken(part: Part) -> Iterator[tuple[Style | None, str]]:
    """A piece in the words of the terminal, cut where its code begins and ends, with styles; a
    place and code stay as they are."""
    style, said = (None, part) if isinstance(part, str) else part
    if style in ("place", "code") or isinstance(said, Verbatim):
        yield style, said
        return
    for number, text in enumerate(cut_at_code(in_terminal(said))):
        yield code(text) if number % 2 else (style, text)


def code(text: str) -> tuple[Style, str]:
    """How code is shown, wherever it stands: by its style alone, and where there are no styles,
    between backticks unless it is a name or a place."""
    if not NAME.fullmatch(text) and not ADDRESS.fullmatch(text):
        return "code", text
    return ("place" if "/" in text else "strong"), text


def unstyled(part: Part) -> str:
    """A piece where there are no styles."""
    return "".join(f"`{text}`" if style == "code" else text for style, text in spoken(part))


def is_rich(stream: TextIO, *, plain: bool) -> bool:
    """Whether colours and bars may be shown on a stream."""
    return (
        not plain
        and stream.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM", "") not in ("", "dumb")
    )


_SPELLED: Mapping[str, str] = {
    "✓": "+", "✗": "x", "○": "o", "•": "*", "·": "-", "–": "-", "—": "-", "→": "->", "…": "...",
    "“": '"', "”": '"', "‘": "'", "’": "'", "\xa0": " ",
}  # fmt: skip
"""What stands for a character that an encoding lacks; for any other a question mark does."""


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_SPELLED.get(each, "?") for each in lacking), error.end


def tolerant_streams() -> None:
    """Print something else where the terminal's encoding lacks a character: passed and failed must
    stay apart.
    """
    codecs.register_error("tutor-lsp.spelled", _spelled)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="tutor-lsp.spelled")
