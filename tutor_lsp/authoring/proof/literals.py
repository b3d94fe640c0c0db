"""Values that only a test knows: literals that are not in starter or lesson. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tutor_lsp.authoring.proof.reading.compare import comparisons
from tutor_lsp.authoring.proof.reading.definitions import Definitions
from tutor_lsp.authoring.proof.trial import TestPlace, Trial
from tutor_lsp.core.exercise.exercise import LESSON, UnitKind
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.language.language import Lines
from tutor_lsp.languages.common.syntax import mentioned, outer_calls, partner, split_top

_NUMBER = re.compile(r"\b0[xX][0-9a-fA-F_]+|(?<![\w.])\d[\d_']*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?")
_QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"' + r"|'((?:[^'\\\n]|\\.)*)'")
_WORD = re.compile(r"[^\W\d_]+")
_TRIVIAL = frozenset({0.0, 1.0, 2.0})
_CONSTANT = (
    r"(?m)^[^\S\n]*+(?:(?:#?[a-z]\w*+|\*)[^\S\n]++)*+"
    r"(?P<name>[A-Z][A-Z0-9_]{2,}+)\s*+(?::[^=\n]++)?(?:\[\])?\s*+=?\s*+"
    r"\(?(?P<value>[-+]?\d[\w.']*+|\"[^\"\n]*\")\)?[^\S\n]*+[;,]?[^\S\n]*+(?:(?:%s).*)?$"
)

_LONGEST = 200
"""Longest line in which such a value is looked for, in characters."""
_FIXED = (
    r"(?:(?:static[^\S\n]++)?const\b[^=;\n]*?|\#[^\S\n]*+define[^\S\n]++|enum[^\n{=]*+\{[^\S\n]*+)"
    r"\b(?P<name>[A-Za-z_]\w*+)(?:\([^)\n]*+\)|\[[^\]\n]*+\])?[^\S\n]*+(?::[^=\n]++)?=?[^\S\n]*+"
    r"(?P<value>[^=;\n]*?\d[^=;\n]*?|\"[^\"\n]*\")[^\S\n]*+\}?[;,]?[^\S\n]*+(?:(?:%s).*)?$"
)


@dataclass(frozen=True, slots=True)
class Known:
    """The content of texts: numbers by value, words in lower case, the texts."""

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
        """Whether a literal in code (a number, a quoted text) occurs somewhere."""
        value = number(literal)
        if value is not None:
            return value in _TRIVIAL or value in self.numbers
        inner = literal.strip("\"'`")
        return not inner or inner in self.text


def number(literal: str) -> float | None:
    """The value of a number in code, with `_`, prefixes and type suffixes; None for others."""
    plain = re.sub(r"(?<=\d)['_](?=\d)", "", literal.strip().lstrip("+-"))
    try:
        if plain[:2] in ("0x", "0X", "0b", "0o"):
            return float(int(plain, 0))
        plain = re.sub(r"_?(?:[iu](?:8|16|32|64|128|size)|f32|f64|[uUlLfF]+)$", "", plain)
        return float(plain)
    except (ValueError, OverflowError):
        return None


def constants(trial: Trial) -> Iterator[ProofFinding]:
    """Constants in tests that the starter does not have (step `references`)."""
    return _constants(trial, Known.of(*trial.candidate.under("src").values()))


def exceptions(trial: Trial, known: Known) -> Iterator[ProofFinding]:
    """Exceptions that a test expects but nothing the learner reads names. If the test passes
    a helper of its own, they may come from that."""
    helpers = {
        site.name
        for text in trial.candidate.under("tests").values()
        for site in trial.toolchain.functions(text)
    } - set(trial.tests)
    for name, place, _ in trial.owned():
        if mentioned(place.body) & helpers:
            continue
        for _, tokens in place.assertions:
            said = [token.text for token in tokens]
            if said[:1] != ["with"] or "raises" not in said:
                continue
            at = said.index("raises") + 1
            inside = tokens[at + 1 : partner(tokens, at)]
            for token in split_top(inside, {","})[0] if inside else ():
                if token.kind == "id" and not re.search(rf"\b{token.text}\b", known.text):
                    text = (
                        f"The test `{name}` expects {token.text}, which starter and lesson do "
                        "not name."
                    )
                    yield trial.at_test("references", text, name)


def known_of(trial: Trial) -> Known:
    """Everything that the learner can read except the tests."""
    candidate = trial.candidate
    return Known.of(candidate.authored.get(LESSON, ""), *candidate.under("src").values())


def unguessable(trial: Trial) -> list[ProofFinding]:
    """Values that a stub without input must return and that only its test has: nobody can
    arrive at them without the test (step `reference`)."""
    known = known_of(trial)
    found: list[ProofFinding] = []
    for name, place, unit in trial.owned():
        if unit.kind is UnitKind.PREDICT or not _without_input(unit.stub, place):
            continue
        named = named_values(trial.candidate.files.get(place.file, ""), trial.lines)
        for pair in comparisons(place, unit.stub):
            for token in pair.expected:
                literal = named.get(token.text, token.text if token.kind == "literal" else "")
                if literal and not known.has(literal):
                    said = (
                        f"Only the test `{name}` knows the value {literal}: `{unit.stub}` takes "
                        "no input that it could come from, and starter and lesson do not give it."
                    )
                    found.append(trial.at_test("reference", said, name))
    return list(dict.fromkeys(found))


def _without_input(stub: str, place: TestPlace) -> bool:
    """Whether a test calls the stub once, without arguments, and on nothing: earlier calls
    may have left something behind."""
    body = place.body
    calls = list(outer_calls(body, {stub}))
    if len(calls) != 1:
        return False
    start, end = calls[0]
    return end == start + 2 and body[start - 1].kind not in (".", "->")


def _constants(trial: Trial, known: Known) -> Iterator[ProofFinding]:
    """Constants that a test file defines for itself and compares a stub's answer with."""
    for path, text in trial.candidate.under("tests").items():
        named = named_values(text, trial.lines) | _fixed_values(text, trial.lines)
        used: dict[str, str] = {}
        for _, place, unit in trial.owned():
            if place.file != path or _without_input(unit.stub, place):
                continue  # without input it is reported by `unguessable`
            used |= dict.fromkeys(sorted(_looked_for(place, unit.stub) & named.keys()), unit.id)
        for name, unit_id in used.items():
            if re.search(rf"\b{name}\b", known.text):
                continue
            if _unknown(named[name], known) or _other_sign(named[name], known.text):
                here = re.search(rf"\b{name}\b", text)
                line = text.count("\n", 0, here.start()) + 1 if here is not None else 1
                said = (
                    f"The tests compare with {name} ({named[name]}), which the starter does not "
                    "define: move it there."
                )
                yield ProofFinding("references", said, path, line, unit_id)


def _looked_for(place: TestPlace, stub: str) -> set[str]:
    """The names that a test looks for: those in its assertions, directly or through a variable,
    which neither the stub nor the set-up is given."""
    body = place.body
    inside = {
        token.start
        for start, end in outer_calls(body, {stub})
        for token in body[start + 1 : end + 1]
    }
    asserted = {token.start for _, tokens in place.assertions for token in tokens}
    own = Definitions.of(body)
    looked = [t for t in body if t.start in asserted and t.start not in inside]
    reached = own.reached({t.text for t in looked if t.kind == "id"})
    looked += [token for token in reached if token.start not in inside]
    seen = {token.start for token in looked}
    rest = [token for token in body if token.start not in seen]
    return set(mentioned(looked) - mentioned(rest))


def _unknown(value: str, known: Known) -> bool:
    """Whether a value, or what a macro works it out from, is not known."""
    parts = [*_NUMBER.findall(value), *(f'"{a or b}"' for a, b in _QUOTED.findall(value))]
    return any(not known.has(part) for part in parts)


def _fixed_values(text: str, lines: Lines) -> dict[str, str]:
    """What stands beside the tests and is constant by another mark than its name, and macros that
    take something."""
    form = re.compile(_FIXED % lines.marks)
    rows = (row for row in text.split("\n") if len(row) <= _LONGEST)
    found = [match for row in rows if (match := form.match(row)) is not None]
    values = {each["name"]: each["value"] for each in found}
    # The brace at the end is taken for that of an `enum`.
    return {name: each + "}" * (each.count("{") - each.count("}")) for name, each in values.items()}


def _other_sign(literal: str, text: str) -> bool:
    """Whether a negative value is not given as such."""
    plain = literal.lstrip("-")
    return plain != literal and not re.search(rf"(?<![\w)\]]\s)-\s*{re.escape(plain)}\b", text)


def named_values(text: str, lines: Lines) -> dict[str, str]:
    """The constants that a text defines, with their values: numbers or quoted texts."""
    found = re.finditer(_CONSTANT % lines.marks, text)
    return {each["name"]: each["value"] for each in found}


def only_the_test_knows(expected: str | None, known: Known) -> str | None:
    """The first literal in an expected value that starter and lesson do not give, or None."""
    if not expected:
        return None
    literals = [*_NUMBER.findall(expected), *(f'"{a or b}"' for a, b in _QUOTED.findall(expected))]
    return next((literal for literal in literals if not known.has(literal)), None)
