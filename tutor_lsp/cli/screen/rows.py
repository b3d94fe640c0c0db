"""Where a line that is too long for a terminal is broken. Pure."""

import re
from unicodedata import combining, east_asian_width

_ITEM = re.compile(r" *(?:[✓✗○…!•] )?")


def hanging(text: str, width: int) -> int:
    """How many blanks the rows after the first begin with: as many as the line's indentation and
    mark have cells, none where that would take more than a quarter of a row."""
    item = _ITEM.match(text)
    cells = _cells(item[0]) if item is not None else 0
    return cells if cells <= width // 4 else 0


def row_breaks(text: str, width: int) -> list[int]:
    """Where the rows after the first begin, which `hanging` indents: each has at most `width` cells
    and ends between words; a word alone may be longer, so that a terminal can open a path."""
    breaks: list[int] = []
    filled = 0
    indentation = hanging(text, width)
    for word in re.finditer(r"\S+\s*|\s+", text):
        if filled and filled + _cells(word[0].rstrip()) > width:
            breaks.append(word.start())
            filled = indentation
        filled += _cells(word[0])
    return breaks


def _cells(text: str) -> int:
    """How wide a terminal shows it, at most: joined letters may take less room. Not by rich, which
    plain output must not wait for."""
    if text.isascii():
        return len(text)
    return sum(_cell(letter) for letter in text)


def _cell(letter: str) -> int:
    if combining(letter):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1
