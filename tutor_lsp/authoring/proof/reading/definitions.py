"""What names in code stand for: variables, constants, helpers of a test file. Pure."""

from collections.abc import Iterator, Mapping, Sequence

from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.languages.common.syntax import Token, parse

Tokens = Sequence[Token]


class Definitions:
    """Names that are given a value, or are functions, with the tokens of it."""

    def __init__(self, places: Mapping[str, Tokens]) -> None:
        self.places = places
        self._starts = {tokens[0].start for tokens in places.values() if tokens}

    @classmethod
    def of(cls, tokens: Tokens) -> "Definitions":
        """The variables of a piece of code."""
        places: dict[str, list[Token]] = {}
        for at, token in enumerate(tokens):
            if token.kind == "=" and (name := _named(tokens, at)) is not None:
                value = list(_value(tokens, at))
                places.setdefault(tokens[name].text, []).extend([tokens[name], *value])
        return cls(places)

    @classmethod
    def of_file(cls, trial: Trial, path: str) -> "Definitions":
        """Constants and helpers of a test file; tests themselves are none."""
        text = trial.candidate.files[path]
        tokens = parse(text, trial.dialect.grammar).tokens
        tests = {site.name for site in trial.toolchain.tests(text)}
        sites = trial.toolchain.functions(text)
        outside = [
            token for token in tokens
            if not any(site.start <= token.start < site.end for site in sites)
        ]  # fmt: skip
        places = dict(cls.of(outside).places)
        for site in sites:
            if site.name not in tests:
                places[site.name] = [t for t in tokens if site.start <= t.start < site.end]
        return cls(places)

    def defines(self, token: Token) -> bool:
        """Whether a name stands where it is given its value."""
        return token.start in self._starts

    def reached(self, names: set[str]) -> list[Token]:
        """All tokens of what these names stand for, directly or through others."""
        seen: set[str] = set()
        found: list[Token] = []
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name in seen or name not in self.places:
                continue
            seen.add(name)
            found += self.places[name]
            waiting += [token.text for token in self.places[name] if token.kind == "id"]
        return found


def _named(tokens: Tokens, equals: int) -> int | None:
    """Where the name stands that is given a value, before any type of it."""
    line = tokens[equals].line
    at = equals - 1
    names: list[int] = []
    while at >= 0 and tokens[at].line == line and tokens[at].kind not in (";", "{", "}"):
        if tokens[at].kind == ":":
            names = []
        elif tokens[at].kind == "id":
            names.append(at)
        at -= 1
    return names[0] if names else None


def _value(tokens: Tokens, equals: int) -> Iterator[Token]:
    """What is right of an `=`, to the end of its statement."""
    depth = 0
    for at in range(equals + 1, len(tokens)):
        token = tokens[at]
        if depth == 0 and (token.kind == ";" or _ends_before(tokens, at, equals)):
            return
        depth += (token.kind in "([{") - (token.kind in ")]}")
        if depth < 0:
            return
        yield token


def _ends_before(tokens: Tokens, at: int, equals: int) -> bool:
    """Whether a new statement begins here: a new line after a value, outside of all brackets."""
    new_line = at > equals + 1 and tokens[at].line > tokens[at - 1].line
    return new_line and tokens[at].kind not in (".", "?", "literal", "+", "&")
