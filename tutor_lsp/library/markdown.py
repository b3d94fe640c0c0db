"""Reading Markdown, always with the same parser: headings, code blocks, inline code. Pure.

The parser is markdown-it (CommonMark), loaded on first use.
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from tutor_lsp.core.text.ascii_form import ascii_form

CLOSING_LINK = re.compile(r"\[`?([\w.:]+)`?\]\(([^)\s]+)\)[.!]?\s*\Z")
"""The link at the end of a section: a stub's name and file."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the form `## text`: `level` 1–6, `line` 1-based."""

    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Code:
    """A code block, fenced or indented: its first and last line (1-based, fences included), and
    its info string. A fence that is never closed extends to the end."""

    first: int
    last: int
    info: str
    text: str
    fenced: bool


@cache
def parser(*more: str, html: bool = True, without: tuple[str, ...] = ()) -> Any:
    """A CommonMark parser with `more` constructs and `without` others."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": html}).enable([*more])
    return made.disable([*without, *([] if html else ["html_block"])])


def _outline(text: str) -> Any:
    """The blocks only: four times as fast, and enough if inline content does not matter."""
    return parser(without=("inline",)).parse(text)


def headings(text: str) -> list[Heading]:
    """Every heading of the form `## text`, in order, except in lists and quotes."""
    tokens = _outline(text)
    return [
        Heading(len(token.markup), inside.content, _lines(token)[0])
        for token, inside in pairwise(tokens)
        if token.type == "heading_open" and token.markup[0] == "#" and not token.level
    ]


def code_blocks(text: str) -> list[Code]:
    """Every code block, in order, including those in lists and quotes."""
    return [
        Code(
            *_lines(token), token.info.strip(), token.content.removesuffix("\n"), bool(token.markup)
        )
        for token in _outline(text)
        if token.type in ("fence", "code_block")
    ]


def _lines(token: Any) -> tuple[int, int]:
    first, last = token.map or (0, 0)
    return first + 1, last


def without_code(text: str) -> str:
    """The text with every line of a fenced code block blanked."""
    lines = text.split("\n")
    for block in code_blocks(text):
        if block.fenced:
            lines[block.first - 1 : block.last] = [""] * (block.last - block.first + 1)
    return "\n".join(lines)


def inline_code(text: str) -> list[str]:
    """The contents of inline code in a text, in order."""
    return [
        child.content
        for token in parser().parse(text)
        for child in token.children or ()
        if child.type == "code_inline"
    ]


def as_text(text: str) -> str:
    """What a text shows, for whom Markdown is not rendered: without marks and fences, its lists and
    headings as they are, the address of a link behind it."""
    lines: list[str | None] = [*text.split("\n")]
    for token in parser().parse(text):
        if token.type not in ("fence", "inline") or token.map is None:
            continue
        first, last = token.map
        shown = _shown(token.children) if token.type == "inline" else token.content.rstrip("\n")
        begins = lines[first] or ""
        inside = token.content.partition("\n")[0]
        lead = begins[: begins.find(inside)] if token.type == "inline" and inside in begins else ""
        lines[first] = lead + shown.replace("\n", "\n" + " " * len(lead))
        lines[first + 1 : last] = [None] * (last - first - 1)
    return "\n".join(line for line in lines if line is not None)


def _shown(tokens: Any) -> str:
    parts: list[str] = []
    addresses: list[str] = []
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif token.type == "link_open":
            addresses.append(token.attrGet("href"))
        elif token.type == "link_close":
            parts.append(f" ({addresses.pop()})")
        else:
            parts.append(token.content)
    return "".join(parts)


def alike(one: str, other: str) -> bool:
    """Whether two headings differ only in blanks, case, accents and typographic signs."""
    return _folded(one) == _folded(other)


def _folded(heading: str) -> str:
    return " ".join(ascii_form(heading).split()).casefold()


def split_at(text: str, level: int) -> list[str]:
    """`text` cut before each heading of that level; anything before the first belongs to the
    first piece. Blank lines at the cuts and at both ends are dropped."""
    lines = text.split("\n")
    starts = [heading.line - 1 for heading in headings(text) if heading.level == level]
    cuts = [0, *starts[1:], len(lines)]
    pieces = ("\n".join(lines[a:b]).strip("\n") for a, b in pairwise(cuts))
    return [piece for piece in pieces if piece]


def body(piece: str) -> str:
    """A piece of `split_at` without its heading line."""
    first, _, rest = piece.partition("\n")
    return rest.strip("\n") if headings(first) else piece
