"""Neighbours of the inputs that an exercise's tests use. Pure.

A test's own statements call a stub with an input, whatever that is made of: values, objects,
callables. So a neighbour is a test with one or two of its literals changed (numbers by one, zero,
negated, doubled; texts with one character less or more, in other case, empty; lists shorter,
longer, reversed, empty), as far as they can reach the stub: in an assertion only within the
call. The expected value plays no part.

In a language with `fixed_lists` a number may be the size of what a pointer beside it points to.
There numbers do not grow
unless their call passes only numbers, sizes and indexes stay, lists grow but do not shrink, and
texts that a test keeps in a variable keep their length, because others may index into them.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tutor_lsp.core.language.syntax import Grammar, Parsed, Token
from tutor_lsp.core.language.words import Words
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.proof.splice import replaced
from tutor_lsp.languages.common.syntax import outer_calls, parse, partner, receiver, split_top

WANTED = 200
"""Most neighbours of one unit."""
_TRIES = 40
"""How many pairs of changes to try for each neighbour wanted."""
_NUMBER = r"(?P<whole>\d[\d_]*)(?P<part>\.\d[\d_]*)?(?P<suffix>%s)?"
_TEXT = re.compile(r"(?P<open>[bruLU]*#*[\"'])(?P<inner>.*?)(?P<close>[\"']#*)", re.DOTALL)
_LETTERS = re.compile(
    r"\\(?:x[0-9a-fA-F]{1,2}|u\{[^}]*\}|u[0-9a-fA-F]{4}|[0-7]{1,3}|.)|.", re.DOTALL
)

Change = tuple[int, int, str]
"""A replacement for part of a test: from and to which offset in the test file, and the text."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A test with one or two changes (`far`): the whole file's text, the test's place in it,
    and the line of the first change."""

    text: str
    test: FunctionSite
    line: str
    far: int

    @property
    def code(self) -> str:
        """The test itself."""
        return self.text[self.test.start : self.test.end]


def changes(
    text: str, test: FunctionSite, stub: str, grammar: Grammar, parsed: Parsed | None = None
) -> list[Change]:
    """Every single change of a test that may reach the stub, in order; `parsed` is the text's tree
    if it is there already."""
    parsed = parsed or parse(text, grammar)
    tokens = parsed.within(test.body_start, test.body_end)
    calls = [
        (tokens[receiver(tokens, at, grammar)], tokens[min(end, len(tokens) - 1)])
        for at, end in outer_calls(tokens, {stub})
    ]
    changes: list[Change] = []
    for index, token in enumerate(tokens):
        asserted = any(span.start <= token.start < span.end for span in parsed.assertions)
        if asserted and not _within(token, calls):
            continue
        careful = grammar.fixed_lists and _beside_pointer(token, tokens, calls)
        if token.kind == "literal":
            if careful and index and tokens[index - 1].kind == "[":
                continue
            kept = careful and not _within(token, calls)
            news = _others(token.text, grammar.words, careful, kept)
            changes += [(token.start, token.end, new) for new in news]
        elif _begins_list(tokens, index, grammar):
            changes += _lists(text, tokens, index, grammar)
    return changes


def _within(token: Token, calls: Sequence[tuple[Token, Token]]) -> bool:
    return any(first.start <= token.start <= last.start for first, last in calls)


def _beside_pointer(
    token: Token, tokens: Sequence[Token], calls: Sequence[tuple[Token, Token]]
) -> bool:
    """Whether a number may be the size of what a pointer beside it points to: true unless its
    call passes only numbers."""
    for first, last in calls:
        if first.start <= token.start <= last.start:
            inside = [t for t in tokens if first.start < t.start < last.start]
            return any(
                t.text in ("&", "{") or (t.kind == "id" and not t.text.isupper()) for t in inside
            )
    return True


def _others(text: str, language: Words, careful: bool, kept: bool) -> Iterator[str]:
    """Other literals: `careful` excludes larger numbers, `kept` texts of another length."""
    if text in language.opposites:
        yield language.opposites[text]
        return
    number = re.fullmatch(_NUMBER % language.suffix, text)
    if number is not None:
        yield from _numbers(number, careful)
        return
    said = _TEXT.fullmatch(text)
    if said is None:
        return
    letters = _LETTERS.findall(said["inner"])
    single = said["open"].endswith("'") and len(letters) == 1
    news = _characters(letters[0]) if single else _texts(letters, kept)
    for new in dict.fromkeys(news):
        if new != said["inner"]:
            yield f"{said['open']}{new}{said['close']}"


def _numbers(number: re.Match[str], careful: bool) -> Iterator[str]:
    suffix = number["suffix"] or ""
    whole = int(number["whole"].replace("_", ""))
    part = number["part"] or ""
    news = [whole - 1, whole // 2, 0] if careful else [whole + 1, whole - 1, 0, -whole, 2 * whole]
    for new in dict.fromkeys(news):
        if new == whole or (new < 0 and careful):
            continue
        yield f"({new}{part}{suffix})" if new < 0 else f"{new}{part}{suffix}"
    if part and not careful:
        yield f"{whole}.0{suffix}" if part.strip(".0") else f"{whole}.5{suffix}"


def _characters(letter: str) -> Iterator[str]:
    if len(letter) == 1 and letter.isalnum():
        yield letter.swapcase()
        yield chr(ord(letter) + 1) if letter not in "zZ9" else "0"
    yield from (" ", "-", "x")


def _texts(letters: Sequence[str], kept: bool) -> Iterator[str]:
    whole = "".join(letters)
    middle = len(letters) // 2
    before, here, after = letters[:middle], letters[middle : middle + 1], letters[middle + 1 :]
    if letters and not re.search(r"\\|%|\{", whole):
        yield whole.swapcase()
        yield whole[::-1]
    if kept:
        yield "".join([*letters[1:], *letters[:1]])
        yield "".join([*before, *(" " for _ in here), *after])
        return
    if letters:
        yield "".join(letters[1:])
        yield "".join(letters[:-1])
        yield "".join([*before, *after])
    yield from ("", f"{whole}a", f" {whole}")
    yield "".join([*before, *here, *here, *after])
    yield "".join([*before, " ", *here, *after])


def _begins_list(tokens: Sequence[Token], index: int, grammar: Grammar) -> bool:
    """Whether a bracket opens a list, not an index, block or type."""
    before = tokens[index - 1] if index else None
    kind = tokens[index].kind
    if kind == "[":
        return before is None or before.kind not in ("id", "field", "]", ")", "literal", "#")
    if kind not in grammar.lists:
        return False
    after = grammar.lists[kind]
    return after is None or (before.kind if before is not None else "") in after


def _lists(text: str, tokens: Sequence[Token], index: int, grammar: Grammar) -> Iterator[Change]:
    end = partner(tokens, index)
    if end >= len(tokens):
        return
    inside = tokens[index + 1 : end]
    pieces = [p for p in split_top(inside, {","}) if p]
    if not pieces or any(token.kind in (";", "for", ":=") for token in inside):
        return
    tuples = tokens[index].kind == "("
    if tuples and not any(token.kind == "," for token in inside):
        return
    items = [text[piece[0].start : piece[-1].end] for piece in pieces]
    news = [[*items[1:], items[0]], items[::-1], [*items, items[-1]]]
    if tuples:
        news = news[:1] if len(items) > 1 else []  # a position in it may matter
    elif not grammar.fixed_lists:
        news += [items[1:], items[:-1], []]
    first, last = tokens[index].end, tokens[end].start
    mapping = any(token.kind == ":" for token in pieces[0])
    for new in news:
        if new == items:
            continue
        if not new and tokens[index].kind == "{" and not mapping:
            yield tokens[index].start, tokens[end].end, "set()"
        else:
            yield first, last, ", ".join(new) + ("," if tuples else "")


def neighbours(
    text: str, tests: Sequence[FunctionSite], stub: str, grammar: Grammar, count: int = WANTED
) -> Iterator[Neighbour]:
    """At most `count` tests with changes, those with one change first; deterministic.
    None of them equals one of the tests, and no two are equal."""
    singles = [(test, (each,)) for test in tests for each in changes(text, test, stub, grammar)]
    dice = random.Random(len(text))  # noqa: S311 - no secret, the same each time
    dice.shuffle(singles)
    seen = {text[test.start : test.end] for test in tests}
    first = len(seen)
    for test, chosen in _with_pairs(singles, dice, count):
        changed = replaced(text, chosen)
        place = replace(test, end=test.end + len(changed) - len(text))
        made = Neighbour(changed, place, _line(changed, chosen[0][0]), len(chosen))
        if made.code in seen:
            continue
        seen.add(made.code)
        yield made
        if len(seen) - first == count:
            return


def _with_pairs(
    singles: Sequence[tuple[FunctionSite, tuple[Change, ...]]], dice: random.Random, count: int
) -> Iterator[tuple[FunctionSite, tuple[Change, ...]]]:
    yield from singles
    for _ in range(_TRIES * count if len(singles) > 1 else 0):
        (test, (one,)), (same, (other,)) = dice.choice(singles), dice.choice(singles)
        if test is same and (one[1] <= other[0] or other[1] <= one[0]):
            yield test, (one, other)


def _line(text: str, at: int) -> str:
    return (text[:at].rpartition("\n")[2] + text[at:].partition("\n")[0]).strip()
