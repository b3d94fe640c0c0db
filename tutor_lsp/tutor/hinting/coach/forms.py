"""How much of a reference a piece of code repeats when names and literals do not count. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from tutor_lsp.languages.common.syntax import Token, is_call, is_constant

SUBSTANCE = 0.75
"""Share of the reference from which on a run of code, or its statements, give it away."""
WHOLE, SHORT, ALONE = 0.95, 14, 1.5
"""The share for a reference of under `SHORT` tokens, in code at most `ALONE` times as long."""
LEAST = 4
"""Tokens below which a reference is too short to be recognised by its form."""
_LAYOUT = frozenset({";", "{", "}", ",", "mut", ":"})
_NAMES = ("id", "type", "field")


@dataclass(frozen=True, slots=True)
class Form:
    """Code as a row of shapes: names stand for themselves in `names` and are None elsewhere."""

    shapes: tuple[str, ...]
    names: tuple[str | None, ...]
    lines: tuple[int, ...]


def form_of(tokens: Sequence[Token], own: frozenset[str] = frozenset()) -> Form:
    """The form of code. What is called and is none of `own` keeps its name; every other name may
    be another one, and literals and constants are all alike."""
    shapes: list[str] = []
    names: list[str | None] = []
    lines: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind in _LAYOUT or token.text in _LAYOUT:
            continue
        name = None
        shape = token.kind
        if is_constant(token):
            shape = "literal"
        elif token.kind in _NAMES:
            called = is_call(tokens, at) and token.text not in own
            shape = f"call {token.text}" if called else "name"
            name = None if called else token.text
        shapes.append(shape)
        names.append(name)
        lines.append(token.line)
    return Form(tuple(shapes), tuple(names), tuple(lines))


def gives_away(reference: Form, piece: Form) -> bool:
    """Whether a piece repeats the reference, whole or in its substance, with other names and
    literals: in one go, or statement by statement in any order.

    A short reference, which many lines of code resemble, must be there as a whole, and on its own.
    """
    size = len(reference.shapes)
    if size < LEAST:
        return False
    together, apart = _longest(reference, piece) / size, _by_lines(reference, piece)
    if size >= SHORT:
        return max(together, apart) >= SUBSTANCE
    alone = len(piece.shapes) <= size * ALONE
    return apart >= WHOLE or (together >= WHOLE and alone)


def _longest(one: Form, other: Form) -> int:
    """The longest stretch that both have in common under one renaming."""
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


def _by_lines(reference: Form, piece: Form) -> float:
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
