"""Quotes of a learner's text: where they are, and which lines the learner wrote. Pure."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tutor_lsp.core.text.positions import normalise_line_ends, split_lines


class QuoteSpan(NamedTuple):
    """The place of a quote: 1-based lines, 1-based code point columns, end exclusive.

    `quote` is the text at that place, with `\\n` between lines.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    quote: str


def find_quote(text: str | None, line: int, end_line: int, quote: str) -> QuoteSpan | None:
    """The place of `quote` in lines `line`..`end_line` of `text`; None if it is not there.

    It must match character for character; only the kind of line ends and blanks around the
    whole quote are ignored. An empty quote is never found.
    """
    lines = split_lines(text or "")
    wanted = normalise_line_ends(quote).strip()
    if not wanted or not 1 <= line <= end_line <= len(lines):
        return None
    block = "\n".join(lines[line - 1 : end_line])
    at = block.find(wanted)
    if at < 0:
        return None
    end = at + len(wanted)
    return QuoteSpan(
        line=line + block.count("\n", 0, at),
        column=at - block.rfind("\n", 0, at),
        end_line=line + block.count("\n", 0, end),
        end_column=end - block.rfind("\n", 0, end),
        quote=wanted,
    )


def own_lines(text: str, given: Iterable[str]) -> frozenset[int]:
    """1-based lines that the learner wrote: not empty and in none of the `given` texts."""
    known = {line.strip() for each in given for line in split_lines(each)}
    return frozenset(
        number
        for number, line in enumerate(split_lines(text), start=1)
        if line.strip() and line.strip() not in known
    )


def is_own(span: QuoteSpan, file: str, own: Mapping[str, frozenset[int]]) -> bool:
    """Whether a quote in `file` includes at least one line that the learner wrote."""
    return any(line in own.get(file, ()) for line in range(span.line, span.end_line + 1))
