"""How much of a reference a piece of code repeats, apart from names and literals. Pure."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tutor_lsp.core.language.syntax import Token
from tutor_lsp.core.language.words import Words
from tutor_lsp.languages.common.syntax import is_call, is_constant

SUBSTANCE = 0.75
"""Share of the reference at which a run of code, or its statements, give it away."""
WHOLE, SHORT, ALONE = 0.95, 14, 1.5
"""The share for a reference of under `SHORT` tokens, in code at most `ALONE` times as long."""
LEAST = 4
"""Minimum number of tokens of a reference that can be recognised by its form."""
TELLING = 6
"""Lines of a reference with fewer characters may occur within any other."""
_FRAME = re.compile(r"return|[;{}*]")
_MARK = re.compile(r"^[\s>#/*-]*(?:\d+[.:|)]\s)?[\s>#/*-]*")
"""What lists, quotes, comments and line numbers put in front of a line."""
_TAG = re.compile(r"</?(?:br|code|li|ol|p|pre|ul) ?/?>")
_LAYOUT = frozenset({";", "{", "}", ",", ":"})
_NAMES = ("id", "type", "field")


@dataclass(frozen=True, slots=True)
class Form:
    """Code as a sequence of shapes, with its `names` (None for anything else) and line numbers."""

    shapes: tuple[str, ...]
    names: tuple[str | None, ...]
    lines: tuple[int, ...]


def form_of(tokens: Sequence[Token], language: Words, own: frozenset[str] = frozenset()) -> Form:
    """The form of code: called functions keep their names unless they are among `own`, other names
    are interchangeable, and literals and constants are all alike."""
    skipped = _LAYOUT | language.modifies
    rows: list[tuple[str, str | None, int]] = []
    for at, token in enumerate(tokens):
        shape, name = token.kind, None
        if token.kind in skipped or token.text in skipped:
            continue
        if is_constant(token):
            shape = "literal"
        elif token.kind in _NAMES and is_call(tokens, at) and token.text not in own:
            shape = f"call {token.text}"
        elif token.kind in _NAMES:
            shape, name = "name", token.text
        rows.append((shape, name, token.line))
    return Form(*zip(*rows, strict=True)) if rows else Form((), (), ())


def gives_away(reference: Form, piece: Form) -> bool:
    """Whether a piece repeats the reference or most of it, with other names and literals: as a
    whole, or statement by statement in any order.

    A short reference, which many lines of code resemble, must be repeated entirely, and on its own.
    """
    size = len(reference.shapes)
    if size < LEAST:
        return False
    together, apart = _longest(reference, piece) / size, share_of_lines(reference, piece)
    if size >= SHORT:
        return max(together, apart) >= SUBSTANCE
    alone = len(piece.shapes) <= size * ALONE
    return apart >= WHOLE or (together >= WHOLE and alone)


def copies(body: Sequence[Token], text: str, seen: str, least: int = 1) -> bool:
    """Whether a text contains most of a reference's lines, apart from blanks and markup: at least
    `least` of them that are not in `seen`, the learner's own file."""
    text = html.unescape(_TAG.sub("\n", text))
    whole, rows, mine = _bare(text), _rows(text), _rows(seen)
    lines: dict[int, str] = {}
    for token in body:
        lines[token.line] = lines.get(token.line, "") + token.text
    said = [_bare(line) for line in lines.values()]
    # A line that is part of another one counts only where it stands by itself.
    parts = {a for a in said for b in said if len(a) < TELLING or (a in b and a != b)}
    told = [each for each in said if each in rows or (each not in parts and each in whole)]
    told = [each for each in told if each not in mine]
    return len(told) >= least and sum(map(len, told)) >= SUBSTANCE * sum(map(len, said))


def _rows(text: str) -> set[str]:
    return {_bare(_MARK.sub("", line)) for line in text.splitlines()} - {""}


def _bare(code: str) -> str:
    return _FRAME.sub("", "".join(code.split()))


def _longest(one: Form, other: Form) -> int:
    """The length of the longest run that both have in common under one renaming."""
    best = 0
    places: dict[str, list[int]] = {}
    for at, shape in enumerate(other.shapes):
        places.setdefault(shape, []).append(at)
    for begin in range(len(one.shapes) - best):
        if len(one.shapes) - begin <= best:
            break
        for start in places.get(one.shapes[begin], ()):
            if len(other.shapes) - start > best:
                best = max(best, _match(one, begin, other, start))
    return best


def _match(one: Form, begin: int, other: Form, start: int) -> int:
    there: dict[str, str] = {}
    back: dict[str, str] = {}
    length = 0
    for at, to in zip(range(begin, len(one.shapes)), range(start, len(other.shapes)), strict=False):
        mine, theirs = one.names[at], other.names[to]
        if one.shapes[at] != other.shapes[to]:
            break
        if mine is not None and theirs is not None and (
            there.setdefault(mine, theirs) != theirs or back.setdefault(theirs, mine) != mine
        ):  # fmt: skip
            break
        length += 1
    return length


def share_of_lines(reference: Form, piece: Form) -> float:
    """The share of the reference whose statements also stand in the piece, each used once."""
    theirs = _statements(piece)
    found = total = 0
    for statement in _statements(reference):
        total += len(statement)
        if statement in theirs:
            theirs.remove(statement)
            found += len(statement)
    return found / total if total else 0.0


def _statements(form: Form) -> list[tuple[str, ...]]:
    """Each line with its names numbered in the order of their appearance."""
    lines: dict[int, list[str]] = {}
    numbers: dict[int, dict[str, int]] = {}
    for shape, name, line in zip(form.shapes, form.names, form.lines, strict=True):
        known = numbers.setdefault(line, {})
        said = shape if name is None else f"name {known.setdefault(name, len(known))}"
        lines.setdefault(line, []).append(said)
    return [tuple(line) for line in lines.values()]
