"""Merging the sections of one file, and joining the lesson. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tutor_lsp.core.ports import SourceReader
from tutor_lsp.library.markdown import Heading, alike, headings


def tidy(text: str) -> str:
    """`text` with plain line ends, without byte order mark, ending with exactly one newline."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    plain = plain.rstrip("\n \t") if plain.strip() else ""
    return plain + "\n" if plain else ""


def merge_sections(contents: Sequence[str], reader: SourceReader, gap: int = 1) -> str:
    """The sections of one file as one text, in order, `gap` blank lines between them.

    Top-level import, use and include statements that repeat one of an earlier section are left
    out; nothing else is changed. A single section is returned as by `tidy`.
    """
    seen: set[str] = set()
    pieces: list[str] = []
    for content in contents:
        lines = tidy(content).rstrip("\n").split("\n")
        drop: set[int] = set()
        fresh: set[str] = set()
        for start, end in import_statements(reader, lines):
            statement = "\n".join(line.rstrip() for line in lines[start:end])
            if statement in seen:
                drop.update(range(start, end))
            fresh.add(statement)
        seen |= fresh
        piece = "\n".join(_without(lines, drop)).strip("\n") if drop else "\n".join(lines)
        if piece.strip():
            pieces.append(piece if not pieces else piece.lstrip("\n"))
    return tidy(("\n" * (gap + 1)).join(pieces))


def import_statements(reader: SourceReader, lines: Sequence[str]) -> list[tuple[int, int]]:
    """Start and end (0-based, end excluded) of each import at the left margin that means the same
    anywhere in its file."""
    imports: list[tuple[int, int]] = []
    for first, last in sorted(reader.import_lines("\n".join(lines) + "\n")):
        at_margin = not lines[first - 1][:1].isspace()
        if at_margin and (not imports or first > imports[-1][1]):
            imports.append((first - 1, last))
    return imports


def _without(lines: Sequence[str], drop: set[int]) -> list[str]:
    kept: list[str] = []
    dropped = False
    for index, line in enumerate(lines):
        if index in drop:
            dropped = True
            continue
        if dropped and not line.strip() and (not kept or not kept[-1].strip()):
            continue  # the blank line that set the dropped statement apart
        dropped = False
        kept.append(line)
    return kept


def join_lesson(
    sections: Sequence[Mapping[str, Any]], units: Sequence[Mapping[str, Any]], title: str
) -> str:
    """LESSON.md: the sections in order, each under its unit's `lesson_heading`.

    A heading is not repeated that the section's text or the previous section already has, or any
    section if this one has a heading of its own.
    `title` becomes the first line if the text has none. A section's unit is
    the one whose id or heading is its `section_id`, or whose heading it opens with, or, failing
    that, the only unit whose stub it links to or names.
    """
    pieces: list[str] = []
    used: list[str] = []
    every = (mark for each in sections for mark in headings(tidy(str(each["content"]))))
    written = [mark.text for mark in every if mark.level == 2]
    for section in sections:
        text = tidy(str(section["content"])).strip("\n")
        marks = list(headings(text))
        own = [mark for mark in marks if mark.level == 2]
        unit = unit_of_section(section, marks, units)
        heading = str(unit["lesson_heading"]).strip() if unit else ""
        elsewhere = bool(own) and any(alike(other, heading) for other in written)
        there = elsewhere or _opens_with_heading(text, marks)
        if heading and not there and not (used and alike(used[-1], heading)):
            text = _under(heading, text, marks)
            own = [*own, Heading(2, heading, 0)]
        used.append(own[-1].text if own else used[-1] if used else "")
        pieces.append(text)
    lesson = "\n\n".join(piece for piece in pieces if piece.strip())
    first = next(iter(headings(lesson)), None)
    if title and (first is None or first.level != 1):
        lesson = f"# {title}\n\n{lesson}"
    return tidy(lesson)


def _opens_with_heading(text: str, marks: Sequence[Heading]) -> bool:
    """Whether a `## ` heading comes before any text except the title."""
    above = [mark.line for mark in marks if mark.level == 1]
    second = next((mark for mark in marks if mark.level == 2), None)
    if second is None:
        return False
    lines = text.split("\n")[: second.line - 1]
    return all(not line.strip() or number in above for number, line in enumerate(lines, start=1))


def _under(heading: str, text: str, marks: Sequence[Heading]) -> str:
    first = marks[0] if marks else None
    lines = text.split("\n")
    if first and first.line == 1 and alike(first.text, heading):  # right words, wrong level
        return "\n".join([f"## {heading}", *lines[1:]])
    if first and first.line == 1 and first.level == 1:  # a title: the heading goes below it
        return "\n".join([lines[0], "", f"## {heading}", *lines[1:]])
    return f"## {heading}\n\n{text}"


def unit_of_section(
    section: Mapping[str, Any], marks: Iterable[Heading], units: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any] | None:
    """The unit that a lesson section belongs to, or None (an introduction, the bridge)."""
    name = str(section.get("section_id", ""))
    for unit in units:
        heading = _slug(str(unit["lesson_heading"]))
        if alike(name, str(unit["unit_id"])) or (heading and _slug(name) == heading):
            return unit
    opening = [mark.text for mark in marks][:2]
    for unit in units:
        if any(alike(text, str(unit["lesson_heading"])) for text in opening):
            return unit
    text = str(section["content"])
    linked = [
        unit for unit in units if f"[{unit['stub']}](" in text or f"[`{unit['stub']}`](" in text
    ]
    named = linked or [unit for unit in units if f"`{unit['stub']}`" in text]
    return named[0] if len(named) == 1 else None


def _slug(text: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", text.casefold()))
