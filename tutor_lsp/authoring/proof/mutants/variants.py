"""Wrong versions of a reference, which its tests should notice. Pure."""

from collections.abc import Iterator

from tutor_lsp.core.language.syntax import Grammar, Token
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.syntax import body_of, parse

MOST = 4
_SWAPPED = {
    "<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "==", "+": "-", "-": "+",
    "*": "+", "/": "*", "%": "/", "and": "or", "or": "and", "&&": "||", "||": "&&",
    "+=": "-=", "-=": "+=",
}  # fmt: skip


def mutants(text: str, site: FunctionSite, grammar: Grammar) -> Iterator[str]:
    """Up to `MOST` texts with one thing wrong in the function, spread over its body."""
    tokens = [t for t in body_of(parse(text, grammar), site) if _wrong(t, grammar) is not None]
    step = max(len(tokens) // MOST, 1)
    for token in tokens[::step][:MOST]:
        yield text[: token.start] + str(_wrong(token, grammar)) + text[token.end :]


def _wrong(token: Token, grammar: Grammar) -> str | None:
    text = token.text
    if token.kind != "literal":
        return _SWAPPED.get(token.kind)
    if text in grammar.words.opposites:
        return grammar.words.opposites[text]
    if text.isdecimal():
        return str(int(text) + 1)
    if len(text) > 1 and text[0] == text[-1] == '"':
        return '"x' + text[1:]
    return None
