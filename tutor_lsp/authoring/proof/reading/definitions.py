"""Definitions of names in code: variables, constants, helpers of a test file. Pure."""

from collections.abc import Iterator, Mapping, Sequence

from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.language.syntax import Token
from tutor_lsp.languages.common.syntax import parse

Tokens = Sequence[Token]


class Definitions:
    """Names of variables and functions, with the tokens of their definitions."""

    def __init__(self, places: Mapping[str, Tokens]) -> None:
        self.places = places
        self._starts = {tokens[0].start for tokens in places.values() if tokens}

    @classmethod
    def of(cls, tokens: Tokens) -> "Definitions":
        """The variables of a piece of code."""
        places: dict[str, list[Token]] = {}
        for at, token in enumerate(tokens):
            if token.kind != "=":
                continue
            names = [each for each in assigned(tokens, at) if each.kind == "id"]
            if names:
                places.setdefault(names[-1].text, []).extend([names[-1], *_value(tokens, at)])
        return cls(places)

    @classmethod
    def of_file(cls, trial: Trial, path: str) -> "Definitions":
        """Constants and helpers of a test file, without the tests."""
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
        """Whether a name occurs where it is defined."""
        return token.start in self._starts

    def reached(self, names: set[str]) -> list[Token]:
        """All tokens of these names' definitions, directly or through others."""
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


def assigned(tokens: Tokens, equals: int) -> Tokens:
    """What an `=` assigns to: what is left of it in its statement, before any type."""
    begin, line = equals, tokens[equals].line
    while begin > 0 and tokens[begin - 1].line == line and tokens[begin - 1].kind not in ";{}":
        begin -= 1
    left = tokens[begin:equals]
    colon = next((at for at, token in enumerate(left) if token.kind == ":"), len(left))
    return left[:colon]


def _value(tokens: Tokens, equals: int) -> Iterator[Token]:
    """The tokens right of an `=`, to the end of its statement."""
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
    """Whether a new statement begins here: a new line after a value, outside all brackets."""
    new_line = at > equals + 1 and tokens[at].line > tokens[at - 1].line
    return new_line and tokens[at].kind not in (".", "?", "literal", "+", "&")
