"""A hint's code in the place where a learner would put it to mend a program. Pure."""

import difflib
import textwrap
from collections.abc import Iterator, Sequence

from tutor_lsp.core.ports import SourceReader
from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.languages.common.proof.splice import replaced


def mended(mine: str, piece: str, reference: str, reader: SourceReader) -> Iterator[str]:
    """The learner's file with a piece in it that it has not: its functions instead of those of
    their names, else its rows where the reference differs, and instead of the rows most like them.
    """
    if _plain(piece) in _plain(mine):
        return
    if (text := _with_functions(mine, piece, reader)) is not None:
        yield text
        return
    rows, theirs = split_lines(mine), split_lines(reference)
    matcher = difflib.SequenceMatcher(None, rows, theirs, autojunk=False)
    for tag, first, last, start, _ in matcher.get_opcodes():
        if tag != "equal":
            margin = _margin(theirs[start:] if start < len(theirs) else rows[first:])
            yield _with_rows(rows, first, last, piece, margin)
    at = _most_like(rows, split_lines(piece))
    if at is not None:
        yield _with_rows(rows, *at, piece, _margin(rows[at[0] :]))


def _with_functions(mine: str, piece: str, reader: SourceReader) -> str | None:
    """None where the learner's file has none of these functions."""
    new = {site.name: _whole(piece, site.start, site.end) for site in reader.functions(piece)}
    changes = []
    for site in reader.functions(mine):
        if site.name in new:
            line = mine.rfind("\n", 0, site.start) + 1
            margin = mine[line : site.start]
            margin = margin if margin.isspace() else ""
            text = textwrap.indent(new[site.name], margin).removeprefix(margin)
            changes.append((site.start, site.end, text))
    return replaced(mine, changes) if changes else None


def _whole(text: str, start: int, end: int) -> str:
    line = text.rfind("\n", 0, start) + 1
    first = line if text[line:start].isspace() else start
    return textwrap.dedent(text[first:end])


def _with_rows(rows: Sequence[str], first: int, last: int, piece: str, margin: str) -> str:
    new = textwrap.indent(textwrap.dedent(piece), margin)
    return "\n".join((*rows[:first], new, *rows[last:]))


def _margin(rows: Sequence[str]) -> str:
    row = next((row for row in rows if row.strip()), "")
    return row[: len(row) - len(row.lstrip())]


def _most_like(rows: Sequence[str], piece: Sequence[str]) -> tuple[int, int] | None:
    """The first and after the last of the rows, as many as the piece has, that are most like it."""
    size, said = len(piece), "\n".join(map(str.strip, piece))
    places = range(len(rows) - size + 1)

    def likeness(at: int) -> float:
        there = "\n".join(map(str.strip, rows[at : at + size]))
        return difflib.SequenceMatcher(None, said, there, autojunk=False).ratio()

    at = max(places, key=likeness, default=None)
    return None if at is None else (at, at + size)


def _plain(text: str) -> str:
    return "".join(text.split())
