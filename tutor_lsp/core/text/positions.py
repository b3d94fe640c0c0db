"""Places in a text: offsets, 1-based lines and columns, and the positions that editors send.

Lines end at ``\\n``, ``\\r\\n`` and ``\\r`` only: form feed, U+2028 and U+0085 are ordinary
characters. A text with n line ends has n + 1 lines. Columns and offsets count code points.
"""

import re
from bisect import bisect_right
from functools import lru_cache
from typing import Literal, NamedTuple

Encoding = Literal["utf-8", "utf-16", "utf-32"]
"""The unit in which a client counts characters in a line."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_LAST_OF_ONE_UTF16_UNIT = 0xFFFF


class Position(NamedTuple):
    """A place in a text: 1-based line, 1-based column in code points."""

    line: int
    column: int


class ClientPosition(NamedTuple):
    """A place as editors count it: both 0-based, `character` in the client's units."""

    line: int
    character: int


def split_lines(text: str) -> list[str]:
    """The lines of a text without their ends; never empty."""
    return _LINE_END.split(text)


def normalise_line_ends(text: str) -> str:
    """The text with every line end as ``\\n``."""
    return _LINE_END.sub("\n", text)


def changed_part(old: str, new: str) -> tuple[int, int, str]:
    """Offsets in `old` of the single stretch that differs, and its replacement in `new`.

    The stretch is as short as whole line ends allow: it never begins or ends inside one.
    """
    most = min(len(old), len(new))
    first = next((i for i in range(most) if old[i] != new[i]), most)
    rest = most - first
    tail = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    # Editors have no position inside "\r\n".
    if first and old[first - 1 : first] == "\r":
        first -= 1
    if tail and "\r" in (old[-tail - 1 : -tail], new[-tail - 1 : -tail]) and old[-tail] == "\n":
        tail -= 1
    return first, len(old) - tail, new[first : len(new) - tail]


def width(text: str, encoding: Encoding) -> int:
    """How many of the client's units a piece of text takes."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text) + sum(1 for char in text if ord(char) > _LAST_OF_ONE_UTF16_UNIT)
    return len(text.encode("utf-8", "surrogatepass"))


class LineIndex:
    """Converts places in one text. Every method accepts any number and clamps it to the text."""

    __slots__ = ("_ends", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0]
        self._ends: list[int] = []
        for end in _LINE_END.finditer(text):
            self._ends.append(end.start())
            self._starts.append(end.end())
        self._ends.append(len(text))

    @property
    def line_count(self) -> int:
        """Number of lines, at least 1."""
        return len(self._starts)

    def line(self, number: int) -> str:
        """The text of a 1-based line without its end; "" outside the text."""
        if not 1 <= number <= self.line_count:
            return ""
        return self.text[self._starts[number - 1] : self._ends[number - 1]]

    def offset(self, line: int, column: int) -> int:
        """The offset of a 1-based line and column. Beyond the end of a line means its end."""
        if line < 1:
            return 0
        if line > self.line_count:
            return len(self.text)
        start, end = self._starts[line - 1], self._ends[line - 1]
        return min(start + max(column - 1, 0), end)

    def position(self, offset: int) -> Position:
        """The line and column of an offset. Inside a line end: the end of that line."""
        offset = min(max(offset, 0), len(self.text))
        row = bisect_right(self._starts, offset) - 1
        return Position(row + 1, min(offset, self._ends[row]) - self._starts[row] + 1)

    def to_client(self, line: int, column: int, encoding: Encoding) -> ClientPosition:
        """The client's position for this 1-based line and column."""
        place = self.position(self.offset(line, column))
        before = self.line(place.line)[: place.column - 1]
        return ClientPosition(place.line - 1, width(before, encoding))

    def from_client(self, line: int, character: int, encoding: Encoding) -> Position:
        """The line and column of a client's position; inside a character means its start."""
        if line < 0:
            return Position(1, 1)
        if line >= self.line_count:
            return self.position(len(self.text))
        text = self.line(line + 1)
        if encoding == "utf-32" or text.isascii():
            return Position(line + 1, min(max(character, 0), len(text)) + 1)
        used = 0
        for column, char in enumerate(text, start=1):
            used += width(char, encoding)
            if used > character:
                return Position(line + 1, column)
        return Position(line + 1, len(text) + 1)


@lru_cache(maxsize=16)
def line_index(text: str) -> LineIndex:
    """The index of a text, made once while it is among the texts asked for last."""
    return LineIndex(text)
