"""Code that leaves a call of the solution open: the gap is filled from the reference. Pure."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tutor_lsp.languages.common.syntax import Grammar, Token, is_call, parse, partner
from tutor_lsp.tutor.hinting.coach.pieces import Piece, pieces

HOLE = "___"
MOST_HOLES = 2
MOST_FILLED = 12
"""Gaps of a piece that are filled, and pieces that come of it, at most."""
OWN = 2
"""How many times as much as the gaps hold a piece must say itself to give a solution away."""
_GAPS = re.compile(
    r"(?<!\w)_{2,}(?!\w)"
    r"|…|(?<=\.)\.{3}|\.{3}|\?{2,}"
    r"|/\*\s*(?:your|the|some|fill|which|call|\?|\.)[^*]*\*/"
    r"|<(?!dyn\b|impl\b)(?:[A-Za-z][\w']*(?: [\w']+)+|your|call|here)>"
    r"|\[(?:your|the|some|fill|which|call)\b[\w' ]*\]|\{(?:your|fill|which)\b[\w' ]*\}"
    r"|\b(?:your|some|which)_\w+"
)


@dataclass(frozen=True, slots=True)
class Called:
    """A call of the reference: the name that is called, the call from there on, and the whole
    expression with what it is called on."""

    name: str
    call: str
    whole: str


def calls_of(text: str, body: Sequence[Token]) -> list[Called]:
    """Every call in a body, once each; `text` is what its tokens stand in."""
    found: dict[Called, None] = {}
    for at, token in enumerate(body):
        if not is_call(body, at):
            continue
        opening = at + 1 if body[at + 1].kind == "(" else at + 2
        if opening >= len(body) or body[opening].kind not in ("(", "["):
            continue
        end = body[min(partner(body, opening), len(body) - 1)].end
        begin = body[_beginning(body, at)].start
        name = text[token.start : body[opening].start]
        found.setdefault(Called(name, text[token.start : end], text[begin:end]))
    return list(found)


def _beginning(body: Sequence[Token], at: int) -> int:
    """Where the expression begins that something is called on; `at` itself without one."""
    while at >= 2 and body[at - 1].text in (".", "::", "->"):
        at -= 2
        if body[at].kind in (")", "]"):
            closed = at
            opening = {")": "(", "]": "["}[body[at].kind]
            at = next(
                (n for n in range(at) if body[n].kind == opening and partner(body, n) == closed), at
            )
            if at and body[at - 1].kind in ("id", "field"):
                at -= 1
    return at


def filled(text: str, code: str | None, calls: Sequence[Called], grammar: Grammar) -> list[Piece]:
    """The pieces of a hint with gaps, each gap filled with a call of the reference. Left out are
    those that say little beside what is filled in: a gap for all of it leaves the work to do."""
    marked = _GAPS.sub(HOLE, text), _GAPS.sub(HOLE, code) if code else code
    if HOLE not in f"{marked[0]}{marked[1]}":
        return []
    made: dict[str, Piece] = {}
    for piece in pieces(*marked, grammar):
        if 0 < piece.text.count(HOLE) <= MOST_HOLES:
            for each in _fillings(piece.text, calls, grammar):
                made.setdefault(each, Piece(each, "part"))
    return list(made.values())[:MOST_FILLED]


def _fillings(piece: str, calls: Sequence[Called], grammar: Grammar) -> Iterator[str]:
    parts = piece.split(HOLE)
    ways = []
    for before, after in itertools.pairwise(parts):
        if after.lstrip().startswith("("):
            ways.append([call.name for call in calls])
        elif before.rstrip().endswith((".", "::", "->")):
            ways.append([call.call for call in calls])
        else:
            ways.append([call.whole for call in calls])
    own = sum(len(parse(part, grammar).tokens) for part in parts)
    for way in itertools.product(*ways):
        if own >= OWN * sum(len(parse(each, grammar).tokens) for each in way):
            yield "".join(itertools.chain(*itertools.zip_longest(parts, way, fillvalue="")))
