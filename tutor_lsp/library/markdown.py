"""Reading LESSON.md and hint files by their headings. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]++(.*)$")

CLOSING_LINK = re.compile(r"\[`?([\w.:]+)`?\]\(([^)\s]+)\)[.!]?\s*\Z")
"""The link that a section ends with: the name of a stub, and its file."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading outside code fences: `level` 1–6, `line` 1-based."""

    level: int
    text: str
    line: int


def headings(text: str) -> Iterator[Heading]:
    """Every heading of the form `## text`, in order; lines inside code fences are not headings."""
    fence = ""
    for number, line in enumerate(text.split("\n"), start=1):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
            continue
        if mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
            continue
        found = _HEADING.match(line)
        if found:
            yield Heading(len(found[1]), _without_closing(found[2]), number)


def _without_closing(title: str) -> str:
    """A heading's text without the signs that may close it."""
    title = title.strip()
    bare = title.rstrip("#")
    return bare.strip() if bare != title and bare[-1:] in ("", " ", "\t") else title


def alike(one: str, other: str) -> bool:
    """Whether two headings differ in blanks and capitals only."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def split_at(text: str, level: int) -> list[str]:
    """`text` cut before each heading of that level; what stands before the first belongs to the
    first piece. Blank lines at the cuts and at both ends are dropped."""
    lines = text.split("\n")
    starts = [heading.line - 1 for heading in headings(text) if heading.level == level]
    cuts = [0, *starts[1:], len(lines)]
    pieces = ("\n".join(lines[a:b]).strip("\n") for a, b in pairwise(cuts))
    return [piece for piece in pieces if piece]


def body(piece: str) -> str:
    """A piece of `split_at` without its heading line."""
    first, _, rest = piece.partition("\n")
    return rest.strip("\n") if _HEADING.match(first) else piece
