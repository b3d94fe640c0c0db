"""Values that only a test knows: literals that starter and lesson do not tell. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tutor_lsp.authoring.model import LESSON, ProofFinding
from tutor_lsp.authoring.proof.compare import comparisons
from tutor_lsp.authoring.proof.syntax import Token, outer_calls
from tutor_lsp.authoring.proof.trial import TestPlace, Trial

_NUMBER = re.compile(r"\b0[xX][0-9a-fA-F_]+|(?<![\w.])\d[\d_']*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?")
_QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"' + r"|'((?:[^'\\\n]|\\.)*)'")
_ASSERTS = re.compile(r"\bassert|TEST_ASSERT")
_WORD = re.compile(r"[^\W\d_]+")
_TRIVIAL = frozenset({0.0, 1.0, 2.0})
_CONSTANT = re.compile(
    r"^\s*(?:(?:pub|static|const|int|long|unsigned|size_t|double|float|char|\*)\s+)*"
    r"(?:\#define\s+)?(?P<name>[A-Z][A-Z0-9_]{2,})\s*(?::\s*[^=\n]+)?(?:\[\])?\s*=?\s*"
    r"(?P<value>[-+]?\d[\w.']*|\"[^\"\n]*\")\s*[;,]?\s*(?:\#.*|//.*)?$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Known:
    """What can be read from texts: numbers by value, words in small letters, the texts."""

    numbers: frozenset[float]
    words: frozenset[str]
    text: str = field(repr=False)

    @classmethod
    def of(cls, *texts: str) -> "Known":
        """Read the texts."""
        whole = "\n".join(texts)
        numbers = frozenset(v for v in map(number, _NUMBER.findall(whole)) if v is not None)
        return cls(numbers, frozenset(w.lower() for w in _WORD.findall(whole)), whole)

    def has(self, literal: str) -> bool:
        """Whether a literal of code (a number, a text in quotes) is told somewhere."""
        value = number(literal)
        if value is not None:
            return value in _TRIVIAL or value in self.numbers
        inner = literal.strip("\"'`")
        return not inner or inner in self.text


def number(literal: str) -> float | None:
    """The value of a number in code, with `_`, prefixes and suffixes of types; None for others."""
    plain = re.sub(r"(?<=\d)['_](?=\d)", "", literal.strip().lstrip("+-"))
    try:
        if plain[:2] in ("0x", "0X", "0b", "0o"):
            return float(int(plain, 0))
        plain = re.sub(r"_?(?:[iu](?:8|16|32|64|128|size)|f32|f64|[uUlLfF]+)$", "", plain)
        return float(plain)
    except (ValueError, OverflowError):
        return None


def check(trial: Trial) -> list[ProofFinding]:
    """Constants and texts of tests that neither starter nor lesson tell (step `references`)."""
    known = known_of(trial)
    return [*_constants(trial, known), *_messages(trial, known)]


def known_of(trial: Trial) -> Known:
    """What the learner can read without the tests."""
    candidate = trial.candidate
    return Known.of(candidate.authored.get(LESSON, ""), *candidate.under("src").values())


def unguessable(trial: Trial) -> list[ProofFinding]:
    """Values that a stub without input must give back and that only its test tells: nobody can
    come to them without the test (step `reference`)."""
    known = known_of(trial)
    found: list[ProofFinding] = []
    for name, place in trial.tests.items():
        unit = trial.owner(name)
        if unit is None:
            continue
        named = _named_values(trial.candidate.files.get(place.file, ""))
        for pair in comparisons(place, unit.stub):
            if not _without_input(unit.stub, place):
                continue
            for token in pair.expected:
                literal = named.get(token.text, token.text if token.kind == "literal" else "")
                if literal and not known.has(literal):
                    said = (
                        f"Only the test `{name}` knows the value {literal}: `{unit.stub}` takes "
                        "no input that it could come from, and starter and lesson do not tell it."
                    )
                    found.append(trial.at_test("reference", said, name))
    return list(dict.fromkeys(found))


def _without_input(stub: str, place: TestPlace) -> bool:
    """Whether a test calls the stub once, without arguments, and on nothing: what has been called
    before may have left something behind."""
    body = place.body
    calls = list(outer_calls(body, {stub}))
    if len(calls) != 1:
        return False
    start, end = calls[0]
    return end == start + 2 and body[start - 1].kind not in (".", "->")


def _constants(trial: Trial, known: Known) -> Iterator[ProofFinding]:
    """Constants that a test file defines for itself and compares a stub's answer with."""
    for path, text in trial.candidate.under("tests").items():
        named = _named_values(text)
        used: dict[str, str] = {}
        for name, place in trial.tests.items():
            unit = trial.owner(name)
            if unit is None or place.file != path:
                continue
            for pair in comparisons(place, unit.stub):
                if _without_input(unit.stub, place):
                    continue  # said by `unguessable`
                used |= {t.text: unit.id for t in pair.expected if t.text in named}
        for name, unit_id in used.items():
            if not known.has(named[name]):
                line = text[: text.index(name)].count("\n") + 1
                said = (
                    f"The tests compare with {name} ({named[name]}), which the starter does not "
                    "define: move it there."
                )
                yield ProofFinding("references", said, path, line, unit_id)


def _named_values(text: str) -> dict[str, str]:
    return {found["name"]: found["value"] for found in _CONSTANT.finditer(text)}


def _messages(trial: Trial, known: Known) -> Iterator[ProofFinding]:
    """Sentences that a test expects and of which some words come from nowhere."""
    for name, place in trial.tests.items():
        unit = trial.owner(name)
        if unit is None:
            continue
        pairs = comparisons(place, unit.stub)
        expected = {token.start: token for pair in pairs for token in pair.expected}
        wanted = [t for t in expected.values() if t.kind == "literal" and len(_words(t)) > 1]
        given = {
            word
            for token in place.body
            if token.kind == "literal" and token.start not in expected
            for word in _words(token)
        }
        given |= _shared_words(trial.candidate.files.get(place.file, ""))
        for token in wanted:
            words = _words(token)
            strange = [
                w for w in words if len(w) > 2 and w not in known.words and not _from(w, given)
            ]
            if strange and 2 * len(strange) <= len(words):  # else it is a text made by rules
                said = (
                    f'The test `{name}` wants the words "{", ".join(strange)}", which starter and '
                    "lesson do not tell."
                )
                yield trial.at_test("references", said, name)


def _shared_words(text: str) -> set[str]:
    """Words in quotes of a test file that stand outside assertions: its input, shared by tests."""
    lines = [line for line in text.split("\n") if not _ASSERTS.search(line)]
    quoted = (a or b for a, b in _QUOTED.findall("\n".join(lines)))
    return {word.lower() for part in quoted for word in _WORD.findall(part)}


def _words(token: Token) -> list[str]:
    inner = "".join(a or b for a, b in _QUOTED.findall(token.text))
    plain = re.sub(r"\\.", " ", inner)
    return list(dict.fromkeys(word.lower() for word in _WORD.findall(plain)))


def _from(word: str, given: set[str]) -> bool:
    """Whether a word is one of the input, a piece of one, or put together from them."""
    return any(word in each or each in word or word[::-1] == each for each in given)


def only_the_test_knows(expected: str | None, known: Known) -> str | None:
    """The first literal in an expected value that starter and lesson do not tell, or None."""
    if not expected:
        return None
    literals = [*_NUMBER.findall(expected), *(f'"{a or b}"' for a, b in _QUOTED.findall(expected))]
    return next((literal for literal in literals if not known.has(literal)), None)
