"""One function of a section in the place of another, so that a repair writes no file. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tutor_lsp.authoring.merge import import_statements, tidy
from tutor_lsp.core.ports import FunctionSite, SourceReader

_MARKS = ("#[", "@")
"""How a line begins that belongs to the function below it, besides its comment."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A function at the margin with all that belongs to it: its lines, 0-based, end excluded."""

    name: str
    first: int
    end: int


def pieces(text: str, reader: SourceReader) -> list[Piece]:
    """The functions at the margin of a text, in order."""
    lines = text.split("\n")
    found = []
    for site in reader.functions(text):
        first, end = _extent(text, lines, site)
        if lines[first][:1].strip():
            found.append(Piece(site.name, first, end))
    return [each for each in found if not any(_inside(each, other) for other in found)]


def _inside(one: Piece, other: Piece) -> bool:
    return one is not other and other.first <= one.first and one.end <= other.end


def _extent(text: str, lines: Sequence[str], site: FunctionSite) -> tuple[int, int]:
    first = text.count("\n", 0, site.start)
    end = text.count("\n", 0, site.end) + 1
    if site.comment is not None:
        first = min(first, site.comment_line - 1)
    while first > 0 and lines[first - 1].startswith(_MARKS):
        first -= 1
    return first, end


def can_stand_alone(text: str, names: Sequence[str], reader: SourceReader) -> bool:
    """Whether each of these functions is there once, at the margin, apart from all else."""
    lines = text.split("\n")
    found = [
        each.name
        for each in pieces(text, reader)
        if each.first == 0 or not lines[each.first - 1].strip()
    ]
    return bool(names) and all(found.count(name) == 1 for name in names)


def naming(text: str, name: str, reader: SourceReader) -> list[str]:
    """The functions at the margin of a text that name another one."""
    lines, word = text.split("\n"), re.compile(rf"\b{re.escape(name)}\b")
    return [
        each.name
        for each in pieces(text, reader)
        if each.name != name and word.search("\n".join(lines[each.first : each.end]))
    ]


def put_in(
    section: str, answer: str, names: Sequence[str], reader: SourceReader, gap: int = 1
) -> str:
    """The section with the functions of an answer in place of those `names`, of which it may have
    renamed one or made two. Other functions of the same names are replaced too; an answer that has
    them all is the whole section. `gap` blank lines stand between two functions."""
    section, answer = tidy(section), tidy(answer)
    old, new = pieces(section, reader), pieces(answer, reader)
    there = {each.name for each in old}
    if not new or there <= {each.name for each in new}:
        return answer
    rows = answer.rstrip("\n").split("\n")
    imports = import_statements(reader, rows)
    apart = {line for start, end in imports for line in range(start, end)}
    made: dict[str, list[str]] = {}
    waiting: list[str] = []
    at = 0
    for piece in [*new, Piece("", len(rows), len(rows))]:
        before = [rows[line] for line in range(at, piece.first) if line not in apart]
        text = "\n".join([*before, *rows[piece.first : piece.end]]).strip("\n")
        if text:
            (made.setdefault(piece.name, []) if piece.name in there else waiting).append(text)
        at = piece.end
    gone = [name for name in names if name not in made]
    made.setdefault(gone[0] if gone else names[-1], []).extend(waiting)
    lines = section.rstrip("\n").split("\n")
    for piece in reversed(old):
        if piece.name in made:
            texts = ("\n" * (gap + 1)).join(made[piece.name]).split("\n")
            lines[piece.first : piece.end] = texts
    statements = ["\n".join(rows[start:end]) for start, end in imports]
    return tidy("\n".join(_with_imports(lines, statements, reader)))


def _with_imports(
    lines: Sequence[str], statements: Sequence[str], reader: SourceReader
) -> list[str]:
    """The lines with those imports that they lack, behind the ones that are there."""
    own = import_statements(reader, lines)
    has = {"\n".join(lines[start:end]) for start, end in own}
    fresh = [each for each in statements if each not in has]
    if not fresh:
        return list(lines)
    at = own[-1][1] if own else 0
    return [*lines[:at], *fresh, *([] if own else [""]), *lines[at:]]
