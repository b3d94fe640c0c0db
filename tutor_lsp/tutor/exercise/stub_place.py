"""Finds a stub in a text that does not parse: line by line, and never past the stub's own end.

To a parser, an unclosed string or comment extends to the end of the file. Here a stub ends where
the next given item, or anything that looks like a definition, begins. Pure; rows are 0-based.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tutor_lsp.core.exercise.stub_comment import unit_of_line
from tutor_lsp.core.language.language import Lines
from tutor_lsp.core.text.positions import split_lines

_TAB = 8
_WRITTEN_OVER = 3
"""Maximum number of a comment's lines that may count as overwritten."""


@dataclass(frozen=True, slots=True)
class Given:
    """A function that the exercise came with; `unit` is the id of the unit whose stub it is.

    `inner` if it is nested in something, `follows` if it comes directly after another function;
    `lines` are its own lines, including its comment's.
    """

    name: str
    unit: str | None
    inner: bool = False
    follows: bool = False
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file as given: its functions in order, and the lines outside them."""

    functions: tuple[Given, ...]
    outside: frozenset[str]


def stands(looks: Lines, text: str, name: str) -> bool:
    """Whether a line of the text still starts the definition of that function."""
    return bool(_Page(looks, text, GivenFile((), frozenset())).definitions(name))


def tops_of_others(looks: Lines, text: str, given: GivenFile, unit: str) -> frozenset[int]:
    """The rows where the other given functions start, including comments, as far as is certain."""
    page = _Page(looks, text, given)
    tops = (page.top(each) for each in given.functions if each.unit != unit)
    return frozenset(top for top in tops if top is not None)


def stub_rows(looks: Lines, text: str, given: GivenFile, unit: str) -> range | None:
    """The rows of a unit's stub and its comment; if it is missing, an empty range where it belongs;
    None if that is not certain. No row of another given function is included.
    """
    page, functions = _Page(looks, text, given), given.functions
    own = next(each for each in functions if each.unit == unit)
    tops = {each: page.top(each) for each in functions if each != own}
    others = {top for top in tops.values() if top is not None}
    row, remains = page.definition(own), page.remains(unit)
    if row is not None:
        start, after = page.reaching_up(page.first_of(row), own, others), row + 1
    elif remains is not None and not page.unclear(own):
        start, after, row = remains.start, remains.stop, remains.start
    elif page.definitions(own.name):
        return None
    else:
        return _where_it_belongs(page, functions, own, tops)
    end = page.end(start, after, page.indent(row), others)
    return None if any(start <= top < end for top in others) else range(start, end)


def _where_it_belongs(
    page: "_Page", functions: Sequence[Given], own: Given, tops: dict[Given, int | None]
) -> range | None:
    """Next to its neighbour, else before the next given function that still exists, else at the
    end."""
    at = functions.index(own)
    later = functions[at + 1 :]
    row = tops[later[0]] if later and later[0].follows else None
    if row is None and own.follows:
        above = page.definition(functions[at - 1])
        others = {top for top in tops.values() if top is not None and above and top > above}
        row = page.end(above, above + 1, page.indent(above), others) if above is not None else None
    if row is None and not own.inner:
        found = (tops[each] for each in later if tops[each] is not None and not each.inner)
        row = next(found, len(page.lines))
    return range(row, row) if row is not None else None


class _Page:
    """The lines of one text."""

    def __init__(self, looks: Lines, text: str, given: GivenFile) -> None:
        self.lines = split_lines(text)
        names = [each.name for each in given.functions]
        self._shared = {name for name in names if names.count(name) > 1}
        self._shape = looks
        self._outside = {line for line in given.outside if re.search(r"\w", line)}

    def indent(self, row: int) -> int:
        """A line's indentation."""
        line = self.lines[row].expandtabs(_TAB)
        return len(line) - len(line.lstrip())

    def definitions(self, name: str) -> list[int]:
        """Rows where a function of that name is defined, not merely declared."""
        pattern = re.compile(self._shape.definition % re.escape(name))
        return [
            row
            for row, line in enumerate(self.lines)
            if pattern.match(line) and not line.rstrip().endswith(";")
        ]

    def definition(self, given: Given) -> int | None:
        """The row of its definition; if there are several, the one marked by its comment."""
        rows = self.definitions(given.name)
        if len(rows) > 1 or given.name in self._shared:
            rows = [row for row in rows if given.unit and self._unit_of(row) == given.unit]
        return rows[0] if len(rows) == 1 else None

    def unclear(self, given: Given) -> bool:
        """Whether its name, which no other given function has, is still defined somewhere."""
        return given.name not in self._shared and bool(self.definitions(given.name))

    def top(self, given: Given) -> int | None:
        """The row where it, or what is left of it, starts."""
        row = self.definition(given)
        if row is not None:
            return self.first_of(row)
        remains = self.remains(given.unit) if given.unit and not self.unclear(given) else None
        return remains.start if remains is not None else None

    def first_of(self, row: int) -> int:
        """The row where the comment of a definition begins, or what else belongs above it."""
        first = row
        while first and self._belongs_below(first - 1):
            if self._closes(first - 1):
                opened = self._opening(first - 1)
                return first if opened is None else opened
            first -= 1
        return first

    def reaching_up(self, start: int, own: Given, others: Collection[int]) -> int:
        """The row where its comment starts, even if one of the comment's lines was overwritten."""
        known = {line for line in own.lines if re.search(r"\w", line)}
        first, indent = start, self.indent(start)
        for row in range(start - 1, -1, -1):
            closed = self.lines[row].strip() in self._shape.closes or self._begins(row, indent)
            if row in others or closed or first - row > _WRITTEN_OVER:
                break
            if self.lines[row].rstrip() in known:
                first = row
        above = first - 1
        if first < start and above >= 0 and self.lines[first].rstrip() != own.lines[0]:
            before = self.lines[above - 1].strip() if above else ""
            if self.lines[above].strip() and (not before or before.endswith("{")):
                return above
        return first

    def remains(self, unit: str) -> range | None:
        """What is left of a stub whose definition is gone: its comment, and whatever replaced its
        first line. None if not even the comment is complete."""
        marks = [row for row, line in enumerate(self.lines) if self._mark(line) == unit]
        if len(marks) != 1:
            return None
        return self._docstring(marks[0]) if self._shape.inside else self._comment(marks[0])

    def end(self, start: int, after: int, indent: int, others: Collection[int]) -> int:
        """The row after the last one of a stub that begins at `start`; `after` is past its head."""
        stop = next(
            (r for r in range(after, len(self.lines)) if r in others or self._begins(r, indent)),
            len(self.lines),
        )
        while stop > after and self._is_above(stop - 1, indent):
            opened = self._opening(stop - 1) if self._closes(stop - 1) else stop - 1
            if opened is None or opened < after:
                break
            stop = opened
        while stop > start + 1 and not self.lines[stop - 1].strip():
            stop -= 1
        return stop

    def _mark(self, line: str) -> str | None:
        found = unit_of_line(line)
        return found["unit"].lower() if found else None

    def _unit_of(self, row: int) -> str | None:
        """The unit that the comment of a definition names."""
        rows = range(self.first_of(row), row)
        if self._shape.inside:
            last = self.end(row, row + 1, self.indent(row), ())
            rows = range(row + 1, last)
        return next((mark for at in rows if (mark := self._mark(self.lines[at]))), None)

    def _belongs_below(self, row: int) -> bool:
        return self.lines[row].strip().startswith(self._shape.above) or self._closes(row)

    def _is_above(self, row: int, indent: int) -> bool:
        """Whether a row is blank, or a comment indented no further than what starts below it."""
        line = self.lines[row].strip()
        if not line:
            return True
        marked = line.startswith((*self._shape.comment, *self._shape.above))
        return (marked and self.indent(row) <= indent) or (
            self._closes(row) and line[0] in [mark[0] for mark in self._shape.block]
        )

    def _begins(self, row: int, indent: int) -> bool:
        line = self.lines[row]
        if not line.strip() or self.indent(row) > indent:
            return False
        if line.strip() in self._shape.closes:
            return self.indent(row) < indent
        return bool(self._shape.begins.match(line)) or line.rstrip() in self._outside

    def _closes(self, row: int) -> bool:
        """Whether a block comment ends with a row."""
        block = self._shape.block
        return bool(block) and self.lines[row].rstrip().endswith(block[1])

    def _opening(self, row: int) -> int | None:
        """The row that opens the block comment which ends at `row`."""
        opens, closes = self._shape.block
        for at in range(row, -1, -1):
            if opens in self.lines[at]:
                return at
            if at < row and closes in self.lines[at]:
                break
        return None

    def _comment(self, row: int) -> range | None:
        marks, block = self._shape.comment, self._shape.block
        first = last = row
        if self.lines[row].strip().startswith(marks):
            while first and self.lines[first - 1].strip().startswith(marks):
                first -= 1
            while last + 1 < len(self.lines) and self.lines[last + 1].strip().startswith(marks):
                last += 1
        else:
            rows = range(row, len(self.lines)) if block else ()
            last = next((r for r in rows if block[1] in self.lines[r]), -1)
            opened = self._opening(last) if last >= 0 else None
            if opened is None or opened > row:
                return None
            first = opened
        head = last + 1
        over = self.lines[head] if head < len(self.lines) else ""
        renamed = bool(self._shape.begins.match(over)) and "(" in over and over.rstrip()[-1] != ";"
        return range(first, head if renamed or not over.strip() else head + 1)

    def _docstring(self, row: int) -> range | None:
        first = row
        while first >= 0 and self._quotes(first) is None:
            if first < row and self._begins(first, self.indent(row)):
                return None
            first -= 1
        quotes = self._quotes(first) if first >= 0 else None
        # Quotes alone on a line may also close the string before.
        if quotes is None or self.lines[first].strip() == quotes:
            return None
        above = first - 1
        over = self.lines[above].rstrip() if above >= 0 else ""
        if over and over not in self._outside:
            alone = above == 0 or not self.lines[above - 1].strip()
            if alone or self.indent(above) < self.indent(first):
                return range(above, first + 1)
        return range(first, first + 1)

    def _quotes(self, row: int) -> str | None:
        found = self._shape.inside.match(self.lines[row]) if self._shape.inside else None
        return found[1] if found else None
