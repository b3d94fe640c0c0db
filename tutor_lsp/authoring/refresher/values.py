"""Fresh values for tests: other words and numbers in, the reference's answers out. Pure."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.authoring.proof.reading.compare import sides
from tutor_lsp.core.exercise.report import RawTest
from tutor_lsp.core.language.syntax import Grammar, Token
from tutor_lsp.core.ports import TestSite, Toolchain
from tutor_lsp.languages.common.proof.splice import replaced
from tutor_lsp.languages.common.syntax import parse

_POOL = """
cup fox jam oak pen sky tub web yak zip hut elm ivy owl pie rye
bell crow dusk fern gold hill lamp moth pond reed snow wolf kite loft mint pear
amber birch cedar delta flint grape honey maple otter pearl river tulip wheat robin
badger canyon dahlia falcon garnet harbor lagoon meadow pebble quartz saddle walnut
bramble cascade dolphin granite juniper lantern orchard pelican rhubarb sparrow thistle
bluebell chestnut firewood hedgehog lavender marigold nightjar plankton twilight windmill
"""
_BY_LENGTH: Mapping[int, tuple[str, ...]] = {
    length: tuple(word for word in _POOL.split() if len(word) == length) for length in range(3, 9)
}
_PIECES = re.compile(r"\\.|%\w+|\{[^}]*\}|[A-Za-z]+|\d+|.", re.DOTALL)
_WORD = re.compile(r"[A-Za-z]{3,8}")
QUOTES = ('"', "'")
SMALLEST = 3
"""Numbers below this stay: 0, 1 and 2 are more often edge cases than values."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """The replacements; the same word or number is always replaced alike.

    Words and numbers in `kept` texts stay: they matter to the program.
    """

    words: Mapping[str, str]
    numbers: Mapping[str, str]

    def literal(self, text: str) -> str:
        """A literal of code with other values in it."""
        if text.endswith(QUOTES):
            return "".join(self._piece(piece) for piece in _PIECES.findall(text))
        return self.numbers.get(text, text)

    def _piece(self, piece: str) -> str:
        new = self.words.get(piece.lower())
        if new is None:
            return piece
        if piece.isupper():
            return piece
        return new.capitalize() if piece[0].isupper() else new


def fresh_values(texts: Sequence[str], kept: Sequence[str], seed: int, suffix: str = "") -> Fresh:
    """Other values for the literals in `texts`; the same for the same seed. `suffix` is a
    pattern for what may follow a number's digits."""
    chance = random.Random(seed)  # noqa: S311 - variety, not secrecy
    told = "\n".join(kept)
    known = {word.lower() for word in re.findall(r"[A-Za-z]+", told)}
    constants = {int(n.replace("_", "")) for n in re.findall(r"(?<![\w.])\d[\d_]*", told)}
    words: dict[str, str] = {}
    numbers: dict[str, str] = {}
    step = chance.randint(1, 4)
    form = number_form(suffix)
    for text in texts:
        if not text.endswith(QUOTES):
            numbers[text] = _other_number(text, form, step, constants)
            continue
        for word in _WORD.findall(re.sub(r"\\.|%\w+|\{[^}]*\}", " ", text)):
            lower = word.lower()
            if lower in known or lower in words:
                continue
            free = [w for w in _BY_LENGTH[len(lower)] if w not in words.values() and w not in known]
            if free:
                words[lower] = chance.choice(free)
    return Fresh(words, numbers)


def number_form(suffix: str) -> re.Pattern[str]:
    """The form of a number: `whole`, and perhaps `part` and `suffix`."""
    return re.compile(rf"(?P<whole>\d[\d_]*)(?P<part>\.\d+)?(?P<suffix>{suffix})?")


def _other_number(text: str, form: re.Pattern[str], step: int, constants: set[int]) -> str:
    found = form.fullmatch(text)
    if found is None:
        return text
    value = int(found["whole"].replace("_", ""))
    if value < SMALLEST or {value - 1, value, value + 1} & constants:
        return text
    # Larger stays larger, so comparisons keep their order.
    other = value + step * (1 + value // 50)
    return f"{other}{found['part'] or ''}{found['suffix'] or ''}"


def literals_of(
    text: str, grammar: Grammar, sites: Sequence[TestSite] | None = None
) -> list[Token]:
    """The literals inside these tests, or in the whole file; index numbers excluded."""
    spans = [(0, len(text))] if sites is None else [_span(text, site) for site in sites]
    tokens = parse(text, grammar).tokens
    return [
        token
        for place, token in enumerate(tokens)
        if token.kind == "literal"
        and any(a <= token.start and token.end <= b for a, b in spans)
        and not _is_index(tokens, place)
    ]


def _is_index(tokens: Sequence[Token], place: int) -> bool:
    if place < 2 or tokens[place - 1].text != "[":
        return False
    return tokens[place - 2].kind in ("id", "field", ")", "]")


def code_only(text: str, grammar: Grammar) -> str:
    """The part of a source that matters to the program: code without comments and docstrings."""
    told = (token.text for token in parse(text, grammar).tokens)
    return " ".join(text for text in told if not text.startswith(grammar.words.docstrings))


def with_values(text: str, tokens: Sequence[Token], fresh: Fresh) -> str:
    """The text with fresh values in these literals."""
    return replaced(text, [(t.start, t.end, fresh.literal(t.text)) for t in tokens])


def answered(text: str, raw: RawTest, grammar: Grammar, toolchain: Toolchain) -> str | None:
    """The text with the reference's answer in the comparison that failed; None if it is unclear
    which literals that changes.
    """
    pair = compared(text, raw, grammar, toolchain)
    for mine, other in ((0, 1), (1, 0)) if pair else ():
        if _plain(pair[mine][0], grammar) and not _plain(pair[other][0], grammar):
            return corrected(text, pair[mine][0], pair[other][1], grammar)
    return None


def compared(
    text: str, raw: RawTest, grammar: Grammar, toolchain: Toolchain
) -> list[tuple[Sequence[Token], str]]:
    """Both sides of the comparison in which a test failed, and their values; empty if unclear."""
    site = next((site for site in toolchain.tests(text) if site.name == raw.name), None)
    if site is None or raw.location is None or raw.left is None or raw.right is None:
        return []
    parsed = parse(text, grammar)
    start, end = _span(text, site)
    for span in parsed.assertions:
        last = span.line + text.count("\n", span.start, span.end)
        if not (start <= span.start <= end and span.line <= raw.location.line <= last):
            continue
        pair = sides(parsed.within(span.start, span.end))
        if len(pair) == 2:
            return [(pair[0], raw.left), (pair[1], raw.right)]
    return []


def _plain(tokens: Sequence[Token], grammar: Grammar) -> bool:
    """Whether one side of a comparison has only values."""
    names = [token for token in tokens if token.kind in ("id", "field", "type")]
    literals = any(token.kind == "literal" for token in tokens)
    return literals and all(token.text in grammar.words.wraps for token in names)


def corrected(text: str, expected: Sequence[Token], said: str, grammar: Grammar) -> str | None:
    """The text with these values replaced by those that something `said`; None if it is unclear
    which literals that changes."""
    start, end = expected[0].start, expected[-1].end
    if grammar.is_value is not None:
        return replaced(text, [(start, end, said)]) if grammar.is_value(said) else None
    found = parse(said, grammar)
    answers = [token.text for token in found.tokens if token.kind == "literal"]
    names = {token.text for token in found.tokens if token.kind in ("id", "type")}
    old = [token for token in expected if token.kind == "literal"]
    here = {token.text for token in expected if token.kind in ("id", "type")}
    signs = said.count("-") - "".join(answers).count("-")
    if len(answers) != len(old) or names - here or signs:
        return None
    return replaced(text, [(t.start, t.end, new) for t, new in zip(old, answers, strict=True)])


def _span(text: str, site: TestSite) -> tuple[int, int]:
    """Offsets of a test's lines."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    after = starts[site.end_line] if site.end_line < len(starts) else len(text)
    return starts[site.line - 1], after
