"""Wrong versions of a reference, to see whether its tests notice. Pure."""

from collections.abc import Iterator, Sequence

from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.syntax import Grammar, Token, body_of, parse

MOST = 4
_SWAPPED = {
    "<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "==", "+": "-", "-": "+",
    "*": "+", "/": "*", "%": "/", "and": "or", "or": "and", "&&": "||", "||": "&&",
    "+=": "-=", "-=": "+=",
}  # fmt: skip
_TRUTH = {"true": "false", "false": "true", "True": "False", "False": "True"}


def mutants(text: str, site: FunctionSite, grammar: Grammar) -> Iterator[str]:
    """Up to `MOST` texts in which one thing in the function is wrong, spread over its body."""
    tokens = [t for t in body_of(parse(text, grammar), site) if _wrong(t) is not None]
    step = max(len(tokens) // MOST, 1)
    for token in _spread(tokens, step):
        body = text[site.body_start : token.start] + str(_wrong(token))
        body += text[token.end : site.body_end]
        yield text[: site.body_start] + body + text[site.body_end :]


def _spread(tokens: Sequence[Token], step: int) -> Sequence[Token]:
    return tokens[::step][:MOST]


def _wrong(token: Token) -> str | None:
    text = token.text
    if token.kind != "literal":
        return _SWAPPED.get(token.kind)
    if text in _TRUTH:
        return _TRUTH[text]
    if text.isdecimal():
        return str(int(text) + 1)
    if len(text) > 1 and text[0] == text[-1] == '"':
        return '"x' + text[1:]
    return None
