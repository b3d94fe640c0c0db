"""What tests compare: both sides of each equality, and which of them is the stub's. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tutor_lsp.authoring.proof.trial import TestPlace
from tutor_lsp.languages.common.syntax import Span, Token, outer_calls, partner, split_top

_EQUAL = frozenset({"==", "is"})
_EQUALITY = ("_eq", "_EQ", "_EQUAL")


@dataclass(frozen=True, slots=True)
class Comparison:
    """An equality in a test. `actual` is the stub's side; `call` if the stub is called in it,
    else it is a variable with the stub's answer, `name`."""

    span: Span
    actual: tuple[Token, ...]
    expected: tuple[Token, ...]
    call: bool
    name: str = ""


def sides(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    """The two sides of an assertion that two things are equal; empty for any other."""
    if not tokens:
        return []
    if tokens[0].kind == "assert":  # the keyword, not a macro of that name
        said = split_top(tokens[1:], {","})[0]
    else:
        opening = next((at for at, token in enumerate(tokens) if token.kind == "("), None)
        if opening is None:
            return []
        inner = split_top(tokens[opening + 1 : partner(tokens, opening)], {","})
        if tokens[0].text.endswith(_EQUALITY):
            return inner[:2] if len(inner) > 1 else []
        said = inner[0] if inner else ()
    parts = split_top(_bare(said), _EQUAL)
    return parts if len(parts) == 2 else []


def _bare(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    while tokens and tokens[0].kind == "(" and partner(tokens, 0) == len(tokens) - 1:
        tokens = tokens[1:-1]
    return tokens


def comparisons(place: TestPlace, stub: str) -> list[Comparison]:
    """The equalities of a test that are about a stub: by a call of it, or by a variable that
    holds what it gave."""
    found: list[Comparison] = []
    held = {name for name, _ in answers(place, stub)}
    for span, tokens in place.assertions:
        pair = sides(tokens)
        if not pair:
            continue
        calls = [bool(list(outer_calls(side, {stub}))) for side in pair]
        if calls[0] != calls[1]:
            mine = calls.index(True)
            found.append(Comparison(span, pair[mine], pair[1 - mine], call=True))
            continue
        names = [_only_name(side) for side in pair]
        mine_at = next((at for at, name in enumerate(names) if name in held), None)
        if not any(calls) and mine_at is not None:
            name = str(names[mine_at])
            found.append(Comparison(span, pair[mine_at], pair[1 - mine_at], call=False, name=name))
    return found


def _only_name(side: Sequence[Token]) -> str | None:
    return side[0].text if len(side) == 1 and side[0].kind == "id" else None


def answers(place: TestPlace, stub: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Variables that are given the answer of the stub and nothing else: name, and from which to
    which token of the test's body the call goes (both included)."""
    body = place.body
    for start, end in outer_calls(body, {stub}):
        before = start - 1
        while before > 0 and body[before].kind in (".", "::", "->"):  # exercise.words.count(…)
            before -= 2
        if before < 1 or body[before].kind != "=":
            continue
        after = body[end + 1].kind if end + 1 < len(body) else ";"
        following = body[end + 1].line if end + 1 < len(body) else -1
        ended = after == ";" or following != body[end].line
        name = _declared(body, before)
        if ended and name is not None:
            yield name, (start, end)


def _declared(body: Sequence[Token], equals: int) -> str | None:
    """The variable before an `=`, with or without a type; None for a pattern of several."""
    line = body[equals].line
    at = equals - 1
    begin = at
    while (
        begin > 0 and body[begin - 1].line == line and body[begin - 1].kind not in ("{", ";", "}")
    ):
        begin -= 1
    left = list(body[begin : at + 1])
    colon = next((i for i, token in enumerate(left) if token.kind == ":"), len(left))
    names = [token.text for token in left[:colon] if token.kind == "id"]
    brackets = any(token.kind in ("(", "[", ",") for token in left[:colon])
    return names[-1] if names and not brackets else None
