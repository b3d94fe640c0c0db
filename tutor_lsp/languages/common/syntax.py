"""Source text as a row of tokens: what normal forms, call graphs and assertions are read from.

Pure; what differs between languages is data of theirs (`Grammar`).
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from tutor_lsp.core.language.syntax import Comment, Grammar, Parsed, Span, Token
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.core.text.remembered import remembering
from tutor_lsp.languages.common.treesitter import Source, walk

_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = frozenset(_OPEN.values())


@remembering
def parse(text: str, grammar: Grammar) -> Parsed:
    """Read a text. Never raises on broken text."""
    if grammar.reads is not None:
        return grammar.reads(text)
    source = Source(grammar.name, text)
    offset = _offsets(source.data)
    tokens: list[Token] = []
    spans: list[Span] = []
    comments: list[Comment] = []
    depth = 0
    closing: list[int] = []

    for node in walk(source.root, lambda node: not _whole(node, grammar)):
        start, end = offset[node.start_byte], offset[node.end_byte]
        while closing and node.start_byte >= closing[-1]:
            closing.pop()
        depth = len(closing)
        if node.type in grammar.blocks:
            closing.append(node.end_byte)
        line = node.start_point[0] + 1
        if node.type in grammar.comments:
            comments.append(Comment(text[start:end], start, end, line))
            continue
        pattern = grammar.assertions.get(node.type)
        if pattern is not None and re.match(pattern, text[start:end]):
            spans.append(Span(start, end, line))
        if node.end_byte > node.start_byte and (node.child_count == 0 or _whole(node, grammar)):
            said = text[start:end]
            tokens.append(Token(_kind(node.type, said, grammar), said, start, end, line, depth))
    return Parsed(text, tuple(tokens), tuple(spans), tuple(comments), source.root.has_error)


def _whole(node: Any, grammar: Grammar) -> bool:
    """Whether a node of the tree is one token, or none at all."""
    if node.type in grammar.comments:
        return True
    if node.type not in grammar.literals:
        return False
    return not any(child.type in grammar.inside for child in node.named_children)


def _kind(kind: str, text: str, grammar: Grammar) -> str:
    if kind in grammar.literals:
        return "literal"
    if kind in grammar.types:
        return "type"
    if kind in grammar.fields:
        return "field"
    return "id" if kind == "identifier" else text


def _offsets(data: bytes) -> Sequence[int]:
    """Code point offset of every byte offset, the end included."""
    if data.isascii():
        return range(len(data) + 1)
    found: list[int] = []
    count = -1
    for byte in data:
        count += (byte & 0xC0) != 0x80
        found.append(max(count, 0))
    return [*found, count + 1]


def body_of(parsed: Parsed, site: FunctionSite) -> tuple[Token, ...]:
    """The tokens of a function's body, its doc comment left out."""
    return parsed.within(site.body_start, site.body_end)


def parameters_of(parsed: Parsed, site: FunctionSite) -> tuple[Token, ...]:
    """The tokens between a function's name and its body."""
    inside = parsed.within(site.start, site.body_start)
    at = next((i for i, t in enumerate(inside) if t.kind == "id" and t.text == site.name), -1)
    first = next((i for i, t in enumerate(inside[at + 1 :], at + 1) if t.text == "("), None)
    if first is None:
        return ()
    return inside[first + 1 : partner(inside, first)]


def parameters_apart(parsed: Parsed, site: FunctionSite) -> list[tuple[Token, ...]]:
    """The tokens of each parameter of a function."""
    return [piece for piece in split_top(parameters_of(parsed, site), {","}) if piece]


def partner(tokens: Sequence[Token], index: int) -> int:
    """Index of the bracket that closes the one at `index`; the end if there is none."""
    wanted = [_OPEN[tokens[index].kind]]
    for at in range(index + 1, len(tokens)):
        kind = tokens[at].kind
        if kind in _OPEN:
            wanted.append(_OPEN[kind])
        elif kind in _CLOSE and wanted and kind == wanted[-1]:
            wanted.pop()
            if not wanted:
                return at
    return len(tokens)


def split_top(tokens: Sequence[Token], at: Collection[str]) -> list[tuple[Token, ...]]:
    """The pieces between the separators in `at` that stand outside of all brackets."""
    pieces: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.kind in _OPEN) - (token.kind in _CLOSE)
        if depth == 0 and token.kind in at:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return [tuple(piece) for piece in pieces]


def is_call(tokens: Sequence[Token], index: int) -> bool:
    """Whether the identifier at `index` is called: a bracket follows, or `!` of a macro."""
    following = tokens[index + 1].kind if index + 1 < len(tokens) else ""
    if tokens[index].kind not in ("id", "field"):
        return False
    return following in ("(", "!")


def outer_calls(tokens: Sequence[Token], names: Collection[str]) -> Iterator[tuple[int, int]]:
    """Each call of one of `names` that is no argument of another such call: from index, to index
    (the closing bracket, included)."""
    at = 0
    while at < len(tokens):
        if tokens[at].text in names and tokens[at].kind in ("id", "field"):
            opening = _after_generics(tokens, at + 1)
            if opening < len(tokens) and tokens[opening].kind == "(":
                end = partner(tokens, opening)
                yield at, end
                at = end
        at += 1


def _after_generics(tokens: Sequence[Token], at: int) -> int:
    """Behind a `::<…>` that begins at this index, else the index itself."""
    if [token.kind for token in tokens[at : at + 2]] != ["::", "<"]:
        return at
    depth = 0
    for index in range(at + 1, len(tokens)):
        depth += {"<": 1, "<<": 2, ">": -1, ">>": -2}.get(tokens[index].kind, 0)
        if depth <= 0:
            return index + 1
    return at


def receiver(tokens: Sequence[Token], at: int, grammar: Grammar) -> int:
    """Index of the start of the expression on which the method at this index is called."""
    while at >= 2 and tokens[at - 1].kind in (".", "::"):
        at -= 2
        depth = 0
        while at > 0:
            depth += (tokens[at].kind in (")", "]")) - (tokens[at].kind in ("(", "["))
            name = tokens[at].kind in ("id", "field", "type", "literal", *grammar.words.receivers)
            if depth == 0 and (
                name or tokens[at - 1].kind not in ("id", "field", "type", ")", "]")
            ):
                break
            at -= 1
    return at


def mentioned(tokens: Sequence[Token]) -> frozenset[str]:
    """Every name that occurs."""
    return frozenset(token.text for token in tokens if token.kind in ("id", "field", "type"))


def parameter_names(parameters: Sequence[Token]) -> tuple[str, ...]:
    """The name of each parameter: the first one between two commas that is no type."""
    pieces = split_top(parameters, {","})
    firsts = (next((t.text for t in piece if t.kind == "id"), None) for piece in pieces)
    return tuple(name for name in firsts if name is not None)


def is_constant(token: Token) -> bool:
    """Whether a token is the name of a constant, which may also be written as its value."""
    named = token.kind in ("id", "field", "type")
    return named and len(token.text) > 1 and token.text.isupper()


def normal_form(parameters: Sequence[Token], body: Sequence[Token]) -> tuple[str, ...]:
    """The shape of a function: names are numbered in the order in which they come up, literals
    and constants are all alike. Two functions that differ in names and values only have the same.
    """
    names = parameter_names(parameters)
    numbers = {name: number for number, name in enumerate(names)}
    top = min((token.depth for token in body), default=0)
    form = [f"{len(names)} parameters"]
    for token in body:
        shape = token.kind
        if is_constant(token):
            shape = "literal"
        elif shape in ("id", "field", "type"):
            shape = f"{shape} {numbers.setdefault(token.text, len(numbers))}"
        form.append(f"{token.depth - top} {shape}")
    return tuple(form)
