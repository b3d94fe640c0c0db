"""What sentences say that a call gives: the call and the value beside it, in any language. Pure.

Only code that means the same wherever it stands can be run: calls of stubs and other expressions
without names of the learner's own. The value is the literal nearest to the call.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tutor_lsp.core.language.syntax import Grammar, Token
from tutor_lsp.languages.common.syntax import is_call, parse, partner
from tutor_lsp.tutor.hinting.coach.sentences import says, sentences

AFTER, BEFORE = 90, 50
"""Characters behind a call, and before it, in which its value is looked for."""
_SPAN = re.compile(r"`([^`\n]+)`")
_QUOTED = re.compile(
    r"\"([^\"\n]{0,80})\"|“([^”\n]{0,80})”|„([^“\n]{0,80})“|«\s?([^»\n]{0,80}?)\s?»"
)
_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:[._]\d+)*(?![\w.]*\d|\w|%)")
_EQUALS = re.compile(r"\s*(?:==|=>|->|→|=|⇒|//|#)+\s*")
ERROR = re.compile(r"[A-Z]\w*(?:Error|Exception|Iteration)")
"""What a call is said to end with instead of a value."""
_MARKS = frozenset("()[]{},-.:;&*") | {"::"}
_WRITTEN = (_MARKS - {"*"}) | {"vec", "!"}
"""What values are written with."""


class Whose(StrEnum):
    """Whose code is said to give a value: the learner's, that of who does it right, or one of
    both."""

    MINE = "mine"
    WANTED = "wanted"
    EITHER = "either"


@dataclass(frozen=True, slots=True)
class Told:
    """What a sentence says that a call gives: a value, or the name of an error. With `more` there
    is another value near it of which no call is known."""

    said: str
    call: str
    gives: str
    whose: Whose = Whose.EITHER
    more: bool = False


def told(text: str, stubs: Collection[str], grammar: Grammar) -> Iterator[Told]:
    """What the sentences of a text say of calls and other expressions that can be run. Blocks:
    parses."""
    for said in sentences(text):
        yield from _of_sentence(said, stubs, grammar)


def without_claims(text: str, stubs: Collection[str], grammar: Grammar) -> str:
    """A text without the calls of stubs and their values that it tells, which do not say how it is
    done. Blocks: parses."""
    now: dict[str, str] = {}
    for each in told(text, stubs, grammar):
        if not is_one_call(each.call, stubs, grammar):
            continue
        was = now.get(each.said, each.said)
        bare = was.replace(f"`{each.call}`", "", 1).replace(f"`{each.gives}`", "", 1)
        text = text.replace(was, bare, 1)
        now[each.said] = bare
    return text


def is_one_call(code: str, stubs: Collection[str], grammar: Grammar) -> bool:
    """Whether code is one call of a stub, or of a method of a class that is one, with no more than
    values as its arguments."""
    tokens = parse(code, grammar).tokens
    if len(tokens) < 3 or tokens[0].text not in stubs:
        return False
    values = {*grammar.words.truth, *grammar.words.nothing, *_WRITTEN}
    calls: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind == "literal" or token.text in values or token.text[:1].isupper():
            continue
        if not token.text.isidentifier() or [each.text for each in tokens[at + 1 : at + 2]] != [
            "("
        ]:
            return False
        makes = at > 1 and tokens[at - 1].text == "::" and tokens[at - 2].text[:1].isupper()
        if not (makes and at > 2):  # a value of a type, such as an empty map
            calls.append(at)
    if tokens[0].text[:1].isupper():
        if calls[:1] == [2] and tokens[1].text == "::" and len(calls) > 1:
            calls = calls[1:]
        calls = calls or [0]
    return len(calls) == 1 and partner(tokens, calls[0] + 1) == len(tokens) - 1


def calls_in(text: str, stubs: Collection[str], grammar: Grammar) -> str:
    """The calls in a text as `spelled` spells them. Blocks: parses."""
    return "".join(spelled(each.code, grammar) for each in _calls(text, stubs, grammar))


def without_calls(text: str, stubs: Collection[str], grammar: Grammar) -> str:
    """A text without its calls of stubs with plain values: to name an input shows no code. Blocks:
    parses."""
    return _SPAN.sub(lambda span: "" if is_one_call(span[1], stubs, grammar) else span[0], text)


def holds_value(said: str, value: str) -> bool:
    """Whether a sentence tells a value as a fact."""
    if _only_asks(said) or not says("facts").search(said):
        return False
    return re.search(rf"(?<![\w.,]){re.escape(value)}(?![\w]|[.,]\d)", said) is not None


def tells_of_mine(said: str) -> bool:
    """Whether a sentence tells of the learner's code what it does: it asks nothing, and asks for
    nothing."""
    return not _only_asks(said) and says("of_mine").search(said) is not None


def _only_asks(said: str) -> bool:
    return said.endswith(("?", "？")) or says("asks").search(said) is not None


def spelled(code: str, grammar: Grammar) -> str:
    """The one spelling of a piece of code, which stands in that of all code that has it in it."""
    literal = grammar.normal.literal if grammar.normal is not None else str
    tokens = parse(code, grammar).tokens
    told = (literal(each.text) if each.kind == "literal" else each.text for each in tokens)
    return "".join(f"\n{each}\n" for each in told)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Code or a value in a sentence, from `start` to `end`."""

    start: int
    end: int
    code: str


def _of_sentence(said: str, stubs: Collection[str], grammar: Grammar) -> Iterator[Told]:
    calls = list(_calls(said, stubs, grammar))
    values = [
        each
        for each in _values(said, grammar)
        if not any(call.start < each.end and each.start < call.end for call in calls)
    ]
    whose = _whose(said)
    taken: list[tuple[_Piece, _Piece]] = []
    for at, call in enumerate(calls):
        first = max(calls[at - 1].end if at else 0, taken[-1][1].end if taken else 0)
        last = calls[at + 1].start if at + 1 < len(calls) else len(said)
        found = _nearest(said, call, values, first, last)
        if found is not None:
            taken.append((call, found))
    rest = [each for each in values if each not in [value for _, value in taken]]
    for call, value in taken:
        more = any(
            call.start - BEFORE <= each.start <= call.end + AFTER
            and not _is_argument(said, call, each)
            for each in rest
        )
        yield Told(said, call.code, value.code, whose, more)


def _nearest(
    said: str, call: _Piece, values: Sequence[_Piece], first: int, last: int
) -> _Piece | None:
    """The value that belongs to a call, unless what stands between them denies it."""
    behind = [v for v in values if call.end <= v.start <= min(call.end + AFTER, last)]
    start = max(first, call.start - BEFORE)
    before = [v for v in values if start <= v.start and v.end <= call.start]
    for found, between in (
        *((v, said[call.end : v.start]) for v in behind[:1]),
        *((v, said[v.end : call.start]) for v in before[-1:]),
    ):
        if _is_argument(said, call, found) and not says("facts").search(between):
            continue
        return None if says("negated").search(between) else found
    return None


def _is_argument(said: str, call: _Piece, value: _Piece) -> bool:
    """Whether a bare number is spoken of as an argument of the call."""
    bare = value.code.isdecimal() and said[value.start] != "`"
    return bare and re.search(rf"(?<![\w.]){value.code}(?![\w.])", call.code) is not None


def _whose(said: str) -> Whose:
    mine, wanted = says("of_mine").search(said), says("wished").search(said)
    if (mine is None) == (wanted is None):
        return Whose.EITHER
    return Whose.MINE if mine else Whose.WANTED


def _calls(said: str, stubs: Collection[str], grammar: Grammar) -> Iterator[_Piece]:
    """Calls of stubs wherever they stand, and other expressions between backticks."""
    spans = list(_SPAN.finditer(said))
    taken: list[tuple[int, int]] = []
    if stubs:
        names = "|".join(sorted(map(re.escape, stubs), key=len, reverse=True))
        for match in re.finditer(rf"(?<![\w.])(?:{names})\(", said):
            end = _closing(said, match.end() - 1)
            span = next((s for s in spans if s.start() <= match.start() < s.end()), None)
            if end is None or (span is not None and said[span.start() + 1 : match.start()].strip()):
                continue
            if span is not None and span.end() - 1 > end:
                rest = said[end : span.end() - 1]
                if not _EQUALS.match(rest) or _EQUALS.fullmatch(rest):
                    continue
            code = said[match.start() : end]
            if _is_closed(code, stubs, grammar):
                taken.append((match.start(), end))
                yield _Piece(match.start(), end, code)
    for span in spans:
        inside = any(span.start() <= start < span.end() for start, _ in taken)
        if not inside and _computes(span[1], grammar) and _is_closed(span[1], stubs, grammar):
            yield _Piece(span.start(), span.end(), span[1].strip())


def _closing(text: str, start: int) -> int | None:
    """The offset behind the bracket that closes the one at `start`; None without one."""
    depth, quote, at = 0, "", start
    while at < len(text):
        char = text[at]
        if quote:
            at += char == "\\"
            quote = "" if char == quote else quote
        elif char in "\"'" and not text[at - 1].isalnum():
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return None


def _computes(code: str, grammar: Grammar) -> bool:
    """Whether a span is more than a value: a call with arguments, or an operator between values."""
    tokens = parse(code, grammar).tokens
    if any(token.text in ("=", ":=", "+=", "-=", ";", "{", "=>") for token in tokens):
        return False
    has_value = any(token.kind == "literal" for token in tokens)
    operates = any(
        token.text not in _MARKS and token.kind not in ("id", "field", "type", "literal")
        for token in tokens[1:]
    )
    called = any(is_call(tokens, at) for at in range(len(tokens)))
    return has_value and len(tokens) > 2 and (operates or called)


def _is_closed(code: str, stubs: Collection[str], grammar: Grammar) -> bool:
    """Whether code has no name but functions that it calls, types, and stubs."""
    tokens = parse(code, grammar).tokens
    known = {*stubs, *grammar.words.truth, *grammar.words.nothing}
    return bool(tokens) and all(
        token.kind != "id" or token.text in known or is_call(tokens, at) or token.text[:1].isupper()
        for at, token in enumerate(tokens)
    )


def _values(said: str, grammar: Grammar) -> Iterator[_Piece]:
    """Literals and names of errors between backticks, texts in quotes, and numbers, in order."""
    found: list[_Piece] = []
    bare = said
    for span in _SPAN.finditer(said):
        bare = bare[: span.start()] + "\0" * len(span[0]) + bare[span.end() :]
        code, start = span[1].strip(), span.start()
        for operator in (m for m in _EQUALS.finditer(span[1]) if m.start()):
            if _is_value(span[1][operator.end() :].strip(), grammar):
                start += 1 + operator.end()
                code = span[1][operator.end() :].strip()
                break
        if _is_value(code, grammar):
            found.append(_Piece(start, span.end(), code))
    for quoted in _QUOTED.finditer(bare):
        inner = next(filter(None, quoted.groups()), "")
        if "\0" not in inner:
            written = inner.replace("\\", "\\\\").replace('"', '\\"')
            found.append(_Piece(quoted.start(), quoted.end(), f'"{written}"'))
            bare = bare[: quoted.start()] + "\0" * len(quoted[0]) + bare[quoted.end() :]
    numbers = _NUMBER.finditer(bare)
    found += (_Piece(number.start(), number.end(), number[0]) for number in numbers)
    return iter(sorted(found, key=lambda piece: piece.start))


def _is_value(code: str, grammar: Grammar) -> bool:
    if not code or ERROR.fullmatch(code):
        return bool(code)
    tokens: Sequence[Token] = parse(code, grammar).tokens
    known = {*grammar.words.truth, *grammar.words.nothing}
    return any(t.kind == "literal" or t.text in (*known, "[", "{") for t in tokens) and all(
        t.kind == "literal" or t.text in known or t.text in _MARKS or t.text[:1].isupper()
        or t.text in ("vec", "!") for t in tokens
    )  # fmt: skip
