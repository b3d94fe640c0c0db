"""What tests compare: both sides of each equality, and which of them is the stub's. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tutor_lsp.authoring.proof.reading.definitions import assigned
from tutor_lsp.authoring.proof.trial import TestPlace
from tutor_lsp.core.language.syntax import Grammar, Span, Token
from tutor_lsp.languages.common.syntax import mentioned, outer_calls, partner, split_top

_EQUAL = frozenset({"==", "is"})
_NOT = frozenset({"!", "not"})
_JOINS = frozenset({"and", "or", "&&", "||", "<", ">", "<=", ">=", "!=", "in", "not in"})
_ZERO = frozenset({"0", "0.0", "-0.0", '""', "''", "'\\0'"})
_EMPTY = ("[]", "{}", "()")
"""How what holds nothing ends, and a call that makes such a thing."""
_EQUALITY = ("_eq", "_EQ", "_EQUAL")


@dataclass(frozen=True, slots=True)
class Equality:
    """An equality in a test. `actual` is the stub's side; with `call` it calls the stub,
    otherwise it is a variable with the stub's answer, `name`."""

    span: Span
    actual: tuple[Token, ...]
    expected: tuple[Token, ...]
    call: bool
    name: str = ""


def sides(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    """The two sides of an assertion that two things are equal; empty for any other."""
    said = _arguments(tokens)
    if tokens and tokens[0].text.endswith(_EQUALITY):
        return said[:2] if len(said) > 1 else []
    parts = split_top(_bare(said[0]), _EQUAL) if said else []
    return parts if len(parts) == 2 else []


def _arguments(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    """What an assertion is given; of the keyword, what is asserted."""
    if tokens and tokens[0].kind == "assert":  # the keyword, not a macro of that name
        return split_top(tokens[1:], {","})[:1]
    opening = next((at for at, token in enumerate(tokens) if token.kind == "("), None)
    if opening is None:
        return []
    return split_top(tokens[opening + 1 : partner(tokens, opening)], {","})


def _bare(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    while tokens and tokens[0].kind == "(" and partner(tokens, 0) == len(tokens) - 1:
        tokens = tokens[1:-1]
    return tokens


def comparisons(place: TestPlace, stub: str) -> list[Equality]:
    """A test's equalities about a stub: through a call of it, or a variable that holds what it
    returned."""
    equalities: list[Equality] = []
    held = {name for name, _ in answers(place, stub)}
    for span, tokens in place.assertions:
        pair = sides(tokens)
        if not pair:
            continue
        calls = [bool(list(outer_calls(side, {stub}))) for side in pair]
        if calls[0] != calls[1]:
            mine = calls.index(True)
            equalities.append(Equality(span, pair[mine], pair[1 - mine], call=True))
            continue
        names = [_only_name(side) for side in pair]
        mine_at = next((at for at, name in enumerate(names) if name in held), None)
        if not any(calls) and mine_at is not None:
            name = str(names[mine_at])
            equalities.append(
                Equality(span, pair[mine_at], pair[1 - mine_at], call=False, name=name)
            )
    return equalities


def settles(place: TestPlace, stub: str, grammar: Grammar) -> bool:
    """Whether a test says that the stub's answer is nothing, 0 or a constant, by an equality or a
    method, or takes the answer as a condition."""
    if any(_is_neutral(each.expected, stub, grammar) for each in comparisons(place, stub)):
        return True
    held = {name for name, _ in answers(place, stub)}
    for _, tokens in place.assertions:
        pair = sides(tokens)
        if any(
            _reads(pair[at], stub) and _is_neutral(pair[~at], stub, grammar)
            for at in range(len(pair))
        ):
            return True
        said = _arguments(tokens)
        condition = _bare(said[0]) if len(said) == 1 else ()
        while condition and condition[0].kind in _NOT:
            condition = _bare(condition[1:])
        if [each.kind for each in condition[-2:]] == ["(", ")"]:
            asks = condition[-3].text in grammar.words.empty
            condition = condition[:-4] if asks else condition
        ends = len(condition) - 1
        calls = any(stop == ends for _, stop in outer_calls(condition, {stub}))
        plain = not any(token.kind in _JOINS | _EQUAL for token in condition)
        if ((calls or _reads(condition, stub)) and plain) or _only_name(condition) in held:
            return True
    return False


def _reads(side: Sequence[Token], stub: str) -> bool:
    """Whether it is an attribute of that name: a stub may be one, which no call names."""
    return [token.kind for token in side[-2:-1]] == ["."] and side[-1].text == stub


def _is_neutral(expected: Sequence[Token], stub: str, grammar: Grammar) -> bool:
    """Whether it may be what a stub gives that does nothing: a constant may stand for 0."""
    told = [token for token in expected if token.text not in "&*"]
    if not told or stub in mentioned(told):
        return False
    text = "".join(token.text for token in told)
    names = all(token.kind == "id" or token.text in ("::", ".") for token in told)
    words = {*grammar.words.nothing, grammar.words.truth[-1]}
    constant = names and told[-1].text[:1].isupper()
    return constant or text in words | _ZERO or text.endswith(_EMPTY)


def watches(place: TestPlace, stub: str) -> bool:
    """Whether a test compares what it gave the stub, apart from the answer: as one does whose stub
    returns nothing, or is to leave that alone."""
    given = [place.body[start : end + 1] for start, end in outer_calls(place.body, {stub})]
    names = {name for call in given for name in mentioned(call)} - {stub}
    answered = {stub, *(name for name, _ in answers(place, stub))}
    for _, tokens in place.assertions:
        said = set().union(*(mentioned(side) for side in sides(tokens)))
        if not names.isdisjoint(said) and answered.isdisjoint(said):
            return True
    return False


def keeps(place: TestPlace, stub: str) -> bool:
    """Whether a test says after a call that what it gave the stub is as it was: what it was made
    as, or a copy of it."""
    made = _made(place.body)
    calls = [place.body[start : end + 1] for start, end in outer_calls(place.body, {stub})]
    names = {name for call in calls for name in mentioned(call)} - {stub}
    for _, tokens in place.assertions:
        if not any(call[0].line <= tokens[0].line for call in calls):
            continue
        pair = sides(tokens)
        for at, side in enumerate(pair):
            name, other = _only_name(side), pair[1 - at]
            if name not in names or name not in made:
                continue
            copy = made.get(_only_name(other) or "", ())
            if _texts(other) == _texts(made[name]) or name in mentioned(copy):
                return True
    return False


def _made(body: Sequence[Token]) -> dict[str, Sequence[Token]]:
    """What each variable is first assigned."""
    made: dict[str, Sequence[Token]] = {}
    for at, token in enumerate(body):
        name = _declared(body, at) if token.kind == "=" else None
        if name is None or name in made:
            continue
        depth, end = 0, at + 1
        while end < len(body) and depth >= 0 and body[end].kind != ";":
            if depth == 0 and end > at + 1 and body[end].line != body[end - 1].line:
                break
            depth += (body[end].kind in ("(", "[", "{")) - (body[end].kind in (")", "]", "}"))
            end += 1
        made[name] = body[at + 1 : end]
    return made


def _texts(tokens: Sequence[Token]) -> list[str]:
    return [token.text for token in tokens if token.text not in "&*"]


def _only_name(side: Sequence[Token]) -> str | None:
    return side[0].text if len(side) == 1 and side[0].kind == "id" else None


def answers(place: TestPlace, stub: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Variables assigned the stub's answer and nothing else: name, and the first and last token
    of the call in the test's body (inclusive)."""
    body = place.body
    for start, end in outer_calls(body, {stub}):
        before = start - 1
        while before > 0 and body[before].kind in (".", "::", "->"):  # exercise.words.count(…)
            before -= 2
        if before < 1 or body[before].kind != "=":
            continue
        after = body[end + 1] if end + 1 < len(body) else None
        ended = after is None or after.kind == ";" or after.line != body[end].line
        name = _declared(body, before)
        if ended and name is not None:
            yield name, (start, end)


def _declared(body: Sequence[Token], equals: int) -> str | None:
    """The variable before an `=`, with or without a type; None for a pattern of several."""
    left = assigned(body, equals)
    names = [token.text for token in left if token.kind == "id"]
    brackets = any(token.kind in ("(", "[", ",") for token in left)
    return names[-1] if names and not brackets else None
