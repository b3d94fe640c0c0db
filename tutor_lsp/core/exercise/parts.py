"""A file that several units ask for declarations in: the part of each. Pure.

A part goes from the comment of its unit to the next unit's comment. What stands above the first
comment, such as imports, is of no unit.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tutor_lsp.core.exercise.stub_comment import unit_of_line
from tutor_lsp.core.language.language import Lines
from tutor_lsp.core.text.positions import LineIndex, normalise_line_ends, split_lines

_BREAKS, _GAP = "\r\n", "\n\n\n"


@dataclass(frozen=True, slots=True)
class Part:
    """Rows, counted from 0: where its comment begins, the first one after the comment, and the
    first one after the part."""

    first: int
    code: int
    end: int


def parts(text: str, lines: Lines) -> dict[str, Part]:
    """The part of each unit whose comment is in the text, by its id and in the order of the text.
    Of two comments of one unit the first one counts."""
    rows = split_lines(text)
    found: dict[str, tuple[int, int]] = {}
    for at, row in enumerate(rows):
        named = unit_of_line(row)
        if named is not None and (place := _comment(rows, at, lines)) is not None:
            found.setdefault(named["unit"].lower(), place)
    ends = [*(first for first, _ in found.values()), len(rows)][1:]
    return {
        unit: Part(first, min(code, end), end)
        for (unit, (first, code)), end in zip(found.items(), ends, strict=True)
    }


def _comment(rows: list[str], at: int, lines: Lines) -> tuple[int, int] | None:
    """The first row of the comment that a row is in, and the row after its last one. Rows that are
    indented otherwise are another comment, such as the last one in a class above."""
    first, last = at, at
    begin = tuple(_margin(rows[at]) + mark for mark in lines.comment)
    if rows[at].lstrip("\ufeff").startswith(begin):
        while first and rows[first - 1].lstrip("\ufeff").startswith(begin):
            first -= 1
        while last + 1 < len(rows) and rows[last + 1].startswith(begin):
            last += 1
        return first, last + 1
    if not lines.block:
        return None
    opens, closes = lines.block
    # An unclosed comment above does not take this one in: the nearest beginning counts.
    while opens not in rows[first]:
        if not first or closes in rows[first - 1]:
            return None
        first -= 1
    while closes not in rows[last] and last + 1 < len(rows):
        last += 1
    return first, last + 1


def _margin(row: str) -> str:
    row = row.lstrip("\ufeff")
    return row[: len(row) - len(row.lstrip(" \t"))]


def place_of(unit: str, there: Mapping[str, Part], rows: int) -> int:
    """The row before which the part of a unit belongs whose comment is gone, of so many."""
    later = (part.first for other, part in there.items() if _number(other) > _number(unit))
    return min(later, default=rows)


def text_of(text: str, unit: str, lines: Lines) -> str | None:
    """The part of a unit with its comment; None where that is gone."""
    part = parts(text, lines).get(unit)
    return None if part is None else text[slice(*_span(text, part.first, part.end))]


def with_code(text: str, unit: str, code: str, lines: Lines) -> str | None:
    """The text with other code below the comment of a unit; None where that is gone."""
    part = parts(text, lines).get(unit)
    if part is None:
        return None
    start, end = _span(text, part.code, part.end)
    return f"{text[:start].rstrip()}\n\n{code.strip(_BREAKS)}{_GAP}{text[end:]}".rstrip() + "\n"


def put_back(text: str, given: str, units: Iterable[str], lines: Lines) -> str | None:
    """The text with the parts of some units as they are in another one, and nothing else changed;
    None where that lacks one. A part whose comment is gone is put where it belongs."""
    for unit in units:
        there, theirs = parts(text, lines), parts(given, lines).get(unit)
        if theirs is None:
            return None
        first, last = _span(given, theirs.first, theirs.end)
        old, new = there.get(unit), given[first:last]
        if old is not None:
            start, end = _span(text, old.first, old.end)
        else:
            start, _ = _span(text, place_of(unit, there, len(split_lines(text))), 0)
            start = end = len(text[:start].rstrip())
            new = f"{_GAP if start else ''}{new.rstrip()}\n"
        if (after := text[end:].lstrip(_BREAKS)) and not new.endswith("\n\n"):
            new = new.rstrip(_BREAKS) + _GAP
        if "\r\n" in text:
            new = normalise_line_ends(new).replace("\n", "\r\n")
        text = text[:start] + new + after
    return text


def without(text: str, units: Collection[str], lines: Lines) -> str:
    """The text without the parts of some units."""
    for unit, part in reversed(parts(text, lines).items()):
        if unit in units:
            start, end = _span(text, part.first, part.end)
            text = text[:start] + text[end:]
    return text


def _span(text: str, first: int, end: int) -> tuple[int, int]:
    """Where a row begins, and where one does that is after the last of some."""
    index = LineIndex(text)

    def at(row: int) -> int:
        return index.offset(row + 1, 1) if row < index.line_count else len(text)

    return at(first), at(end)


def _number(unit: str) -> int:
    digits = re.search(r"\d+", unit)
    return int(digits[0]) if digits else 0
