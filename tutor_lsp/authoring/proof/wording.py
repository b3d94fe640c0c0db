"""Words that only a test knows: texts that it expects and that are not in starter, lesson or its
own input. Pure."""

import re
from collections.abc import Iterator, Sequence

from tutor_lsp.authoring.proof.literals import Known
from tutor_lsp.authoring.proof.reading.compare import answers, sides
from tutor_lsp.authoring.proof.reading.definitions import Definitions
from tutor_lsp.authoring.proof.trial import TestPlace, Trial
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.language.syntax import Token
from tutor_lsp.core.language.words import Words
from tutor_lsp.languages.common.syntax import mentioned, outer_calls, partner

_QUOTED = re.compile(r"([\"'])(.*)\1", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+")
_SHORT = 2
_PIECE = 3

Tokens = Sequence[Token]


def check(trial: Trial, known: Known) -> Iterator[ProofFinding]:
    """Tests that expect words that come from nowhere (step `references`)."""
    language = trial.dialect.grammar.words
    shared = {path: Definitions.of_file(trial, path) for path in trial.candidate.under("tests")}
    for name, place, _ in trial.owned():
        strange = _strange(place, trial.stubs, shared[place.file], known, language)
        strange += _failing(trial.candidate.files[place.file], name, known, language)
        if strange:
            said = (
                f'The test `{name}` expects the words "{", ".join(strange)}", which starter and '
                "lesson do not give."
            )
            yield trial.at_test("references", said, name)


def _strange(
    place: TestPlace, stubs: Sequence[str], shared: Definitions, known: Known, language: Words
) -> list[str]:
    wanted, rest = _split(place, stubs, language)
    own = Definitions.of(place.body)
    names = {*shared.places, *own.places}
    both = Definitions(
        {name: [*shared.places.get(name, ()), *own.places.get(name, ())] for name in names}
    )
    asked = {token.text for token in wanted if token.kind == "id"}
    used = {token.text for token in rest if token.kind == "id" and not own.defines(token)}
    input_ = [*_without(rest, own, asked - used), *both.reached(used)]
    given = [*_words(input_), *_names(input_)]
    told = [token for token in [*wanted, *both.reached(asked - used)] if token.kind == "literal"]
    return [
        word
        for word in _words(told)
        if len(word) > _SHORT and word not in known.words and not _from(word, given)
    ]


def _failing(text: str, name: str, known: Known, language: Words) -> list[str]:
    """Words of the message that a test expects the code to fail with."""
    if language.fails_with is None:
        return []
    found = re.search(language.fails_with % re.escape(name), text)
    words = _WORD.findall(found[1].lower()) if found else []
    return [word for word in words if len(word) > _SHORT and word not in known.words]


def _split(
    place: TestPlace, stubs: Sequence[str], language: Words
) -> tuple[list[Token], list[Token]]:
    """The expected part of a test, and the rest: its input, calls, helpers."""
    held = {name for stub in stubs for name, _ in answers(place, stub)}
    wanted: set[int] = set()
    for _, tokens in place.assertions:
        pair = sides(tokens)
        chosen = _expected(pair, set(stubs), held) if pair else _looked_for(tokens, language)
        wanted |= {token.start for token in chosen}
    return (
        [token for token in place.body if token.start in wanted],
        [token for token in place.body if token.start not in wanted],
    )


def _expected(pair: Sequence[Tokens], stubs: set[str], held: set[str]) -> Tokens:
    """The side of an equality that is the expected one: the one without the stub; if neither has
    it, the one that is only a value."""
    mine = [bool(list(outer_calls(side, stubs)) or mentioned(side) & held) for side in pair]
    if mine[0] != mine[1]:
        return pair[mine.index(False)]
    plain = [not mentioned(side) for side in pair]
    return pair[plain.index(True)] if not any(mine) and plain[0] != plain[1] else ()


def _looked_for(tokens: Tokens, language: Words) -> list[Token]:
    """Texts that an assertion searches for in another: `"a" in b`, `b.contains("a")`."""
    found: list[Token] = []
    for at, token in enumerate(tokens):
        following = tokens[at + 1].kind if at + 1 < len(tokens) else ""
        if token.kind == "literal" and following in ("in", "not"):
            found.append(token)
        elif token.text in language.searches and following == "(":
            inside = tokens[at + 2 : partner(tokens, at + 1)]
            found += [each for each in inside if each.kind == "literal"]
    return found


def _without(tokens: Tokens, own: Definitions, left_out: set[str]) -> list[Token]:
    """The tokens without the values of variables that are only expected values."""
    gone = {token.start for name in left_out for token in own.places.get(name, ())}
    return [token for token in tokens if token.start not in gone]


def _words(tokens: Tokens) -> list[str]:
    """Quoted words, in lower case."""
    said = []
    for token in tokens:
        quoted = _QUOTED.search(token.text) if token.kind == "literal" else None
        if quoted is not None:
            said.append(re.sub(r"\\.", " ", quoted[2]))
    return list(dict.fromkeys(word.lower() for word in _WORD.findall(" ".join(said))))


def _names(tokens: Tokens) -> list[str]:
    """The words in names: a test may check a helper's name."""
    named = " ".join(token.text for token in tokens if token.kind in ("id", "field", "type"))
    return [word.lower() for word in _WORD.findall(named)]


def _from(word: str, given: Sequence[str]) -> bool:
    """Whether a word is one of the input's, a part of one, or composed of them."""
    known = set(given)
    if word in known or word[::-1] in known:
        return True
    if any(word in each or (len(each) >= _PIECE and each in word) for each in known):
        return True
    ends = {0}  # offsets up to which the word consists of words of the input
    for at in range(len(word)):
        if at in ends:
            ends |= {at + len(each) for each in known if word.startswith(each, at)}
    return len(word) in ends or any(_rewritten(word, each) for each in known if len(each) >= _PIECE)


def _rewritten(word: str, given: str) -> bool:
    """Whether a word is an input word with letters inserted, removed, reordered or shifted."""
    if _within(given, word) or _within(word, given) or sorted(word) == sorted(given):
        return True
    shifts = {(ord(a) - ord(b)) % 26 for a, b in zip(word, given, strict=False)}
    return len(word) == len(given) and len(shifts) == 1


def _within(short: str, long: str) -> bool:
    """Whether one word's letters occur in the other in order."""
    rest = iter(long)
    return len(short) >= _PIECE and all(letter in rest for letter in short)
