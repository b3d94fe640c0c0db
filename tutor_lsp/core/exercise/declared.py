"""The file of a unit that asks for a declaration: its stub is the whole of it, or its part of it
where several units ask for declarations in one file. Pure.

The file, or the part, begins with the unit's comment, in plain comment marks, since there is
nothing yet that a doc comment could belong to. What is shown about the unit stands there until the
name is declared.
"""

import re
from collections.abc import Mapping

from tutor_lsp.core.exercise.parts import Part, parts, place_of
from tutor_lsp.core.language.language import Lines
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.core.text.positions import LineIndex, split_lines

_MARK = "\ufeff"


TEST = r"test_\w+"
"""Matches what tests are called."""


def file_site(
    name: str,
    text: str | None,
    lines: Lines | None,
    declared: str | None = None,
    shared: str = "",
) -> FunctionSite | None:
    """The file as the site of the stub of that name; None if there is no file.

    The name is where that is declared, or a name that the pattern `declared` matches, else at the
    beginning of the comment; its body is what follows the comment. `shared` is the id of a unit
    that has the file with others: the site is its part then.
    """
    if text is None or lines is None:
        return None
    if shared:
        return _part_site(name, text, lines, shared)
    rows = split_lines(text)
    first, last, said = leading_comment(rows, lines)
    found = _declaration(rows, declared or re.escape(name), lines, last)
    line, column, end_column = found or (first, 1, len(rows[first - 1].rstrip()) + 1)
    index = LineIndex(text)
    body = text[index.offset(last + 1, 1) if last < index.line_count else len(text) :]
    blank = len(body) - len(body.lstrip())
    return FunctionSite(
        name=name,
        line=line,
        column=column,
        end_column=end_column,
        signature=rows[line - 1].strip().rstrip("{ ") if found else "",
        comment=said,
        comment_line=first,
        comment_end_line=max(last, first),
        start=0,
        end=len(text),
        body_start=len(text) - len(body) + (blank if body.strip() else 0),
        body_end=len(text.rstrip()) if body.strip() else len(text) - len(body),
    )


def _part_site(name: str, text: str, lines: Lines, unit: str) -> FunctionSite:
    there, rows, index = parts(text, lines), split_lines(text), LineIndex(text)
    part = there.get(unit)
    if part is None:  # its comment is gone
        at = place_of(unit, there, len(rows))
        first = code = end = at
    else:
        first, code, end = part.first, part.code, part.end
    found = _in_part(rows, name, lines, code, end) or _elsewhere(rows, name, lines, there)
    line, column, end_column = found or _row(rows, first)
    start, stop = (_begin(index, row) for row in (first, end))
    stop = max(start, stop - 1 if stop < len(text) else stop)
    body = text[min(_begin(index, code), stop) : stop]
    begin = stop - len(body.lstrip()) if body.strip() else stop
    comment = None
    if part is not None:
        comment = leading_comment(rows[first:code], lines)[2]
    return FunctionSite(
        name=name,
        line=line,
        column=column,
        end_column=end_column,
        signature=rows[line - 1].strip().rstrip("{ ") if found else "",
        comment=comment,
        comment_line=first + 1,
        comment_end_line=max(code, first + 1),
        start=start,
        end=stop,
        body_start=begin,
        body_end=begin + len(body.strip()),
    )


def _in_part(
    rows: list[str], name: str, lines: Lines, first: int, end: int
) -> tuple[int, int, int] | None:
    return _declaration(rows[:end], re.escape(name), lines, first)


def _elsewhere(
    rows: list[str], name: str, lines: Lines, there: Mapping[str, Part]
) -> tuple[int, int, int] | None:
    """Where a name is declared in another part. What is indented there is a function, as in a
    class; another thing may well be a variable of a function."""
    said = {row for part in there.values() for row in range(part.first, part.code)}
    code = ["" if at in said else row for at, row in enumerate(rows)]
    after = 0
    while (found := _declaration(code, re.escape(name), lines, after)) is not None:
        after, _, last = found
        row = code[after - 1]
        if lines.adds is not None and lines.adds.match(row):
            continue
        if not row[:1].isspace() or row[last - 1 : last] in ("(", "<"):
            return found
    return None


def _row(rows: list[str], at: int) -> tuple[int, int, int]:
    at = min(at, len(rows) - 1)
    return at + 1, 1, len(rows[at].rstrip()) + 1


def _begin(index: LineIndex, row: int) -> int:
    return index.offset(row + 1, 1) if row < index.line_count else len(index.text)


def leading_comment(rows: list[str], lines: Lines) -> tuple[int, int, str | None]:
    """First and last 1-based row of the comment that a file begins with, and its text without
    marks; the last row is 0 and the text None where the file begins with something else."""
    at = next((row for row, line in enumerate(rows) if _plain(line)), None)
    if at is None:
        return 1, 0, None
    opened = _plain(rows[at])
    if lines.block and opened.startswith(lines.block[0]):
        closed = (row for row in range(at, len(rows)) if lines.block[1] in rows[row])
        last = next(closed, len(rows) - 1)
        inner = [re.sub(r"^\s*\*?(?!/) ?", "", line) for line in rows[at + 1 : last + 1]]
        said = [opened.removeprefix(lines.block[0]).strip(), *inner]
        said[-1] = said[-1].partition(lines.block[1])[0].rstrip()
        return at + 1, last + 1, "\n".join(said)
    mark = next((mark for mark in lines.comment if opened.startswith(mark)), None)
    if mark is None:
        return 1, 0, None
    last = at
    while last + 1 < len(rows) and rows[last + 1].strip().startswith(mark):
        last += 1
    plain = (_plain(line).removeprefix(mark) for line in rows[at : last + 1])
    return at + 1, last + 1, "\n".join(line.removeprefix(" ") for line in plain)


def _plain(row: str) -> str:
    """A row without the byte order mark that some editors put first, and without margins."""
    return row.removeprefix(_MARK).strip()


def declaration(
    rows: list[str], name: str, lines: Lines, *, after: int = 0
) -> tuple[int, int, int] | None:
    """The 1-based row, first and last column of the first place below row `after` that declares a
    name; None if nothing does, or the language cannot tell."""
    return _declaration(rows, re.escape(name), lines, after)


def _declaration(
    rows: list[str], name: str, lines: Lines, after: int
) -> tuple[int, int, int] | None:
    if lines.declares is None:
        return None
    pattern = re.compile(lines.declares.replace("%s", name))
    for row, line in enumerate(rows[after:], after + 1):
        mark = len(_MARK) if line.startswith(_MARK) else 0
        match = pattern.match(line[mark:])
        if match is not None:
            return row, match.start(1) + mark + 1, match.end(1) + mark + 1
    return None


def declares(text: str, name: str, lines: Lines) -> bool:
    """Whether a text declares a name below the comment that it begins with."""
    rows = split_lines(text)
    return declaration(rows, name, lines, after=leading_comment(rows, lines)[1]) is not None
