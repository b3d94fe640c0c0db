"""Fresh values for units that ask what a program gives: other calls, in the tests and where the
comment names them, and what they come to. Pure."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.authoring.refresher.values import (
    QUOTES,
    SMALLEST,
    Fresh,
    code_only,
    compared,
    corrected,
    fresh_values,
    literals_of,
    number_form,
    with_values,
)
from tutor_lsp.core.exercise.report import RawTest
from tutor_lsp.core.exercise.told_value import is_distinct, stands_in
from tutor_lsp.core.language.syntax import Grammar, Token
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.languages.common.predict.program import answers_of
from tutor_lsp.languages.common.proof.splice import replaced
from tutor_lsp.languages.common.syntax import parse

VARIANTS = 8
"""How often other values are tried at most, the first half of them in the order of the given."""
_TRIES = 20
_SPANS = re.compile(r"`([^`]*)`")


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls with literals that tests make and a comment names: `spans` has the text of each as it
    stands in the comment, with the offsets of the literals in it; `tokens` are all literals of the
    tests by file."""

    spans: Mapping[str, tuple[tuple[int, int], ...]]
    tokens: Mapping[str, tuple[Token, ...]]

    def renamed(self, text: str, fresh: Fresh) -> str:
        """A text with the other calls in the place of these, where it has them as code."""
        for span, places in self.spans.items():
            edits = [(start, end, fresh.literal(span[start:end])) for start, end in places]
            text = text.replace(f"`{span}`", f"`{replaced(span, edits)}`")
        return text

    def tests(self, tests: Mapping[str, str], fresh: Fresh) -> dict[str, str]:
        """The tests with the other calls."""
        return {file: with_values(text, self.tokens[file], fresh) for file, text in tests.items()}

    def changed(self, tests: Mapping[str, str], other: Mapping[str, str], tool: Toolchain) -> int:
        """How many tests make another call."""
        rows = [(tests[file].split("\n"), other[file].split("\n")) for file in tests]
        sites = [tool.tests(text) for text in tests.values()]
        return sum(
            given[site.line : site.end_line] != now[site.line : site.end_line]
            for (given, now), found in zip(rows, sites, strict=True)
            for site in found
        )

    def stale(self, text: str, fresh: Fresh) -> bool:
        """Whether a text with the other calls still has a value of the given ones."""
        texts = {token.text for tokens in self.tokens.values() for token in tokens}
        new = {each: fresh.literal(each) for each in texts}
        gone = {each for each, now in new.items() if now != each} - set(new.values())
        return any(is_distinct(each, ()) and stands_in(each, text) for each in gone)


def named_calls(
    comment: str, tests: Mapping[str, str], grammar: Grammar, toolchain: Toolchain
) -> Calls | None:
    """The calls of these tests that a comment names; None if a literal of a test is in no such
    call, so that a comment would not tell what it became, or there is none."""
    parsed = {file: parse(text, grammar).tokens for file, text in tests.items()}
    literals = {
        file: tuple(filter(_is_value, literals_of(text, grammar, toolchain.tests(text))))
        for file, text in tests.items()
    }
    spans: dict[str, tuple[tuple[int, int], ...]] = {}
    named: set[tuple[str, int]] = set()
    for span in _SPANS.findall(comment):
        said = parse(span, grammar).tokens
        if len(said) < 2 or "\n" in span:
            continue
        for file, tokens in parsed.items():
            here = {token.start for token in literals[file]}
            for found in _alike(tokens, said):
                at = [n for n, token in enumerate(found) if token.start in here]
                if at:
                    spans[span] = tuple((said[n].start, said[n].end) for n in at)
                    named |= {(file, found[n].start) for n in at}
    every = {(file, token.start) for file, tokens in literals.items() for token in tokens}
    return Calls(spans, literals) if spans and named == every else None


def _is_value(token: Token) -> bool:
    return token.text[0].isdigit() or token.text.endswith(QUOTES)


def _alike(tokens: Sequence[Token], said: Sequence[Token]) -> Iterator[Sequence[Token]]:
    wanted = [token.text for token in said]
    for first in range(len(tokens) - len(wanted) + 1):
        found = tokens[first : first + len(wanted)]
        if [token.text for token in found] == wanted:
            yield found


def other_values(
    calls: Calls, program: Sequence[str], seed: int, variant: int, grammar: Grammar
) -> Fresh:
    """Other values for these calls; the same for the same seed and variant. What is near a number
    of the program may change, too: what comes of it is found out by running it."""
    texts = sorted({token.text for tokens in calls.tokens.values() for token in tokens})
    number = seed * VARIANTS + variant
    known = [code_only(text, grammar) for text in program]
    words = fresh_values(texts, known, number, grammar.words.suffix).words
    chance = random.Random(number)  # noqa: S311 - variety, not secrecy
    free = variant >= VARIANTS // 2
    return Fresh(words, _other_numbers(texts, chance, grammar.words.suffix, free=free))


def _other_numbers(
    texts: Sequence[str], chance: random.Random, suffix: str, *, free: bool
) -> dict[str, str]:
    """Other numbers, as different from each other as they are: in the same order, or `free`."""
    form = number_form(suffix)
    found = {text: said for text in texts if (said := form.fullmatch(text)) is not None}
    whole = {text: int(said["whole"].replace("_", "")) for text, said in found.items()}
    values = sorted(set(whole.values()))
    for _ in range(_TRIES):
        other = {value: _other(value, chance, free=free) for value in values}
        mine = list(other.values())
        if len(set(mine)) == len(mine) and (free or mine == sorted(mine)):
            return {
                text: f"{other[whole[text]]}{said['part'] or ''}{said['suffix'] or ''}"
                for text, said in found.items()
            }
    return {}


def _other(value: int, chance: random.Random, *, free: bool) -> int:
    if value < (1 if free else SMALLEST):
        return value
    # Rather smaller: what a program takes ends somewhere, and its numbers are often not negative.
    least = max(1, value // 2 if free else value - max(2, value // 4))
    if value > 9:
        return chance.randint(least, value - 1)
    return chance.choice([n for n in range(least, 10 if free else value + 3) if n != value])


def predicted(
    tests: Mapping[str, str], text: str, raw: RawTest, grammar: Grammar, toolchain: Toolchain
) -> str | None:
    """The reference's answers, with what the program gave in the comparison that failed; None if
    it is unclear which of them that is, or it is nothing that can be written down."""
    answers = answers_of(toolchain.language, text)
    for test in tests.values():
        pair = compared(test, raw, grammar, toolchain)
        for (tokens, _), (_, said) in (pair, pair[::-1]) if pair else ():
            mine = {answers.named(token.text) for token in tokens} - {None}
            answer = next(iter(mine), None)
            if answer is None or len(mine) > 1:
                continue
            value = parse(text, grammar).within(answer.start, answer.end)
            now = corrected(text, value, said, grammar)
            if now is None or now == text:
                now = replaced(text, [(answer.start, answer.end, said)])
            read = answers_of(toolchain.language, now)
            after = None if read.broken or read.strays else read.named(answer.name)
            return now if after is not None and after.literal else None
    return None
