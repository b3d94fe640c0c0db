"""Words that only a test knows: texts that it wants and that neither starter, lesson nor its own
input tells. Pure."""

import re
from collections.abc import Iterator, Sequence

from tutor_lsp.authoring.proof.literals import Known
from tutor_lsp.authoring.proof.reading.compare import answers, sides
from tutor_lsp.authoring.proof.reading.definitions import Definitions
from tutor_lsp.authoring.proof.trial import TestPlace, Trial
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.languages.common.syntax import Token, mentioned, outer_calls, partner

_QUOTED = re.compile(r"([\"'])(.*)\1", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+")
_SEARCHES = frozenset(
    {"contains", "starts_with", "ends_with", "startswith", "endswith", "strstr", "strcmp"}
)
_PANICS = r'#\[should_panic\s*\(\s*expected\s*=\s*"([^"]*)"\s*\)\]'
_SHORT = 2
_PIECE = 3

Tokens = Sequence[Token]


def check(trial: Trial, known: Known) -> Iterator[ProofFinding]:
    """Tests that want words that come from nowhere (step `references`)."""
    shared = {path: Definitions.of_file(trial, path) for path in trial.candidate.under("tests")}
    for name, place in trial.tests.items():
        if trial.owner(name) is None:
            continue
        strange = _strange(place, trial.stubs, shared[place.file], known)
        strange += _panic(trial.candidate.files[place.file], name, known)
        if strange:
            said = (
                f'The test `{name}` wants the words "{", ".join(strange)}", which starter and '
                "lesson do not tell."
            )
            yield trial.at_test("references", said, name)


def _strange(
    place: TestPlace, stubs: Sequence[str], shared: Definitions, known: Known
) -> list[str]:
    wanted, rest = _split(place, stubs)
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
    found: list[str] = []
    for token in told:
        words = _words([token])
        strange = [
            word
            for word in words
            if len(word) > _SHORT and word not in known.words and not _from(word, given)
        ]
        found += strange
    return list(dict.fromkeys(found))


def _panic(text: str, name: str, known: Known) -> list[str]:
    """Words of the panic that a test in Rust waits for."""
    found = re.search(rf"{_PANICS}[^{{}}]*?\bfn\s+{re.escape(name)}\b", text)
    words = _WORD.findall(found[1].lower()) if found else []
    return [word for word in words if len(word) > _SHORT and word not in known.words]


def _split(place: TestPlace, stubs: Sequence[str]) -> tuple[list[Token], list[Token]]:
    """What a test wants, and all else in it: its input, calls, helpers."""
    held = {name for stub in stubs for name, _ in answers(place, stub)}
    wanted: set[int] = set()
    for _, tokens in place.assertions:
        pair = sides(tokens)
        chosen = _expected(pair, set(stubs), held) if pair else _looked_for(tokens)
        wanted |= {token.start for token in chosen}
    return (
        [token for token in place.body if token.start in wanted],
        [token for token in place.body if token.start not in wanted],
    )


def _expected(pair: Sequence[Tokens], stubs: set[str], held: set[str]) -> Tokens:
    """The side of an equality that says what is wanted: the one without the stub; where no side
    has it, the one that is nothing but a value."""
    mine = [bool(list(outer_calls(side, stubs)) or mentioned(side) & held) for side in pair]
    if mine[0] != mine[1]:
        return pair[mine.index(False)]
    plain = [not mentioned(side) for side in pair]
    return pair[plain.index(True)] if not any(mine) and plain[0] != plain[1] else ()


def _looked_for(tokens: Tokens) -> list[Token]:
    """Texts that an assertion looks for in another one: `"a" in b`, `b.contains("a")`."""
    found: list[Token] = []
    for at, token in enumerate(tokens):
        following = tokens[at + 1].kind if at + 1 < len(tokens) else ""
        if token.kind == "literal" and following in ("in", "not"):
            found.append(token)
        elif token.text in _SEARCHES and following == "(":
            inside = tokens[at + 2 : partner(tokens, at + 1)]
            found += [each for each in inside if each.kind == "literal"]
    return found


def _without(tokens: Tokens, own: Definitions, left_out: set[str]) -> list[Token]:
    """The tokens without the values of variables that only say what is wanted."""
    gone = {token.start for name in left_out for token in own.places.get(name, ())}
    return [token for token in tokens if token.start not in gone]


def _words(tokens: Tokens) -> list[str]:
    """Words in quotes, in small letters."""
    said = []
    for token in tokens:
        quoted = _QUOTED.search(token.text) if token.kind == "literal" else None
        if quoted is not None:
            said.append(re.sub(r"\\.", " ", quoted[2]))
    return list(dict.fromkeys(word.lower() for word in _WORD.findall(" ".join(said))))


def _names(tokens: Tokens) -> list[str]:
    """The words that names are made of: a test may look at the name of a helper."""
    named = " ".join(token.text for token in tokens if token.kind in ("id", "field", "type"))
    return [word.lower() for word in _WORD.findall(named)]


def _from(word: str, given: Sequence[str]) -> bool:
    """Whether a word is one of the input, a piece of one, or put together from them."""
    known = set(given)
    if word in known or word[::-1] in known:
        return True
    if any(word in each or (len(each) >= _PIECE and each in word) for each in known):
        return True
    ends = {0}  # up to where the word can be laid out with words of the input
    for at in range(len(word)):
        if at in ends:
            ends |= {at + len(each) for each in known if word.startswith(each, at)}
    return len(word) in ends or any(_rewritten(word, each) for each in known if len(each) >= _PIECE)


def _rewritten(word: str, given: str) -> bool:
    """Whether a word is one of the input with other letters in it, left out, mixed or shifted."""
    if _within(given, word) or _within(word, given) or sorted(word) == sorted(given):
        return True
    shifts = {(ord(a) - ord(b)) % 26 for a, b in zip(word, given, strict=False)}
    return len(word) == len(given) and len(shifts) == 1


def _within(short: str, long: str) -> bool:
    """Whether the letters of one word come in the other in their order."""
    rest = iter(long)
    return len(short) >= _PIECE and all(letter in rest for letter in short)
