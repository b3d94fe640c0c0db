"""The single changes of a learner's function that are tried. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tutor_lsp.authoring.locating.hunks import Body, Change, hunks, undone
from tutor_lsp.authoring.proof.mutants.edits import edits
from tutor_lsp.core.language.mutants import Operators
from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.proof.splice import replaced
from tutor_lsp.languages.common.syntax import parse
from tutor_lsp.languages.common.treesitter import Node, Source, walk

MOST = 60
"""Most changes of a function that are tried."""
_ORDER = (
    "nearer", "undone", "comparison", "boundary", "operator", "sibling", "constant", "arguments",
    "condition", "moved", "mended", "dropped", "rounding", "return",
)  # fmt: skip
"""Kinds of changes, the likely ones first."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A text in which a function is changed in one place: its body, and the kind of change."""

    kind: str
    text: str
    body: str
    moves: bool = False


def tried(
    text: str,
    site: FunctionSite,
    grammar: Grammar,
    operators: Operators,
    right: tuple[str, FunctionSite],
    wrong: Sequence[tuple[str, FunctionSite]] = (),
) -> list[Tried]:
    """The changes of a function, each once. `right` is the reference, `wrong` known mistakes."""
    mine, reference = Body.of(text, site, grammar), Body.of(*right, grammar)
    made: list[tuple[str, list[Change]]] = [("nearer", each) for each in hunks(mine, reference)]
    for known in wrong:
        made += [("undone", e) for e in undone(mine, Body.of(*known, grammar), reference)]
    both = repairing(operators)
    made += [(e.operator, [(e.start, e.end, e.new)]) for e in edits(text, site, grammar.name, both)]
    source = Source(grammar.name, text)
    made += [("moved", each) for each in _moved(source, site, grammar)]
    made += [("mended", each) for each in _mended(source, site, grammar, operators)]
    made.sort(key=lambda each: _ORDER.index(each[0]))
    found: dict[tuple[str, ...], Tried] = {form(text, site, grammar): Tried("", text, "")}
    for kind, changes in made:
        changed = replaced(text, changes)
        end = site.body_end + len(changed) - len(text)
        after = replace(site, body_end=end)
        if Source(grammar.name, changed).root.has_error:
            continue
        key = form(changed, after, grammar)
        if key not in found:
            body = changed[site.body_start : end]
            found[key] = Tried(kind, changed, body, kind == "moved")
        if len(found) > MOST:
            break
    return list(found.values())[1:]


def form(text: str, site: FunctionSite, grammar: Grammar) -> tuple[str, ...]:
    """What a body is apart from its layout, as far as that means nothing."""
    tokens = parse(text, grammar).within(site.body_start, site.body_end)
    margins = grammar.wrapped is None
    return tuple(f"{each.depth if margins else ''} {each.text}" for each in tokens)


def repairing(operators: Operators) -> Operators:
    """Operators that also lead back from where they lead to."""
    return replace(
        operators, swaps=_both(operators.swaps), siblings=_both(operators.siblings), never=""
    )


def _both(table: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    found = {old: list(new) for old, new in table.items()}
    for old, news in table.items():
        for new in news:
            found.setdefault(new, []).append(old)
    return {old: tuple(dict.fromkeys(new)) for old, new in found.items()}


def statements(source: Source, site: FunctionSite, grammar: Grammar) -> Iterator[Node]:
    """The statements of a function, also those within others."""
    for node in walk(source.root):
        above = node.parent
        if above is None or above.type not in grammar.blocks or not node.is_named:
            continue
        start, end = source.offset(node.start_byte), source.offset(node.end_byte)
        inside = site.body_start <= start and end <= site.body_end
        if inside and node.type not in grammar.comments:
            yield node


def _moved(source: Source, site: FunctionSite, grammar: Grammar) -> Iterator[list[Change]]:
    """Statements in each other's place, at the end of the block before, and behind their block."""
    listed = list(statements(source, site, grammar))
    text = source.text

    def span(node: Node) -> tuple[int, int]:
        return source.offset(node.start_byte), source.offset(node.end_byte)

    def margin(node: Node) -> str:
        start = span(node)[0]
        return text[text.rfind("\n", 0, start) + 1 : start]

    def taken(node: Node) -> Change:
        start, end = span(node)
        return text.rfind("\n", 0, start) + 1, end + (text[end : end + 1] == "\n"), ""

    alone = [node for node in listed if not margin(node).strip()]
    for one, other in pairwise(listed):
        if one.parent == other.parent:
            (a, b), (c, d) = span(one), span(other)
            yield [(a, b, text[c:d]), (c, d, text[a:b])]
    for node in alone:
        block = node.parent
        whole = block.parent if block is not None else None
        if block is None or whole is None or "\n" in source.text_of(node):
            continue
        said = source.text_of(node)
        last = [each for each in block.named_children if each.type not in grammar.comments][-1:]
        outside = next((each for each in listed if _holds(each, block)), None)
        if last == [node] and outside is not None and len(block.named_children) > 1:
            end = span(outside)[1]
            yield _with_taken(taken(node), (end, end, f"\n{margin(outside)}{said}"), text)
        before = [each for each in listed if each.end_byte <= node.start_byte]
        inner = [
            each
            for each in before
            if each.parent != block and block == _block_above(each, grammar) and each in alone
        ]
        if inner and _is_next(inner[-1], node, block):
            end = span(inner[-1])[1]
            yield [(end, end, f"\n{margin(inner[-1])}{said}"), taken(node)]


def _with_taken(one: Change, other: Change, text: str) -> list[Change]:
    """Both changes; of two that touch, one."""
    if one[1] <= other[0]:
        return [one, other]
    return [(one[0], other[1], text[one[1] : other[1]].rstrip("\n") + other[2])]


def _holds(node: Node, block: Node) -> bool:
    """Whether a statement is the innermost around a block."""
    above: Node | None = block.parent
    while above is not None and above != node:
        if above.type == block.type:
            return False
        above = above.parent
    return above == node


def _block_above(node: Node, grammar: Grammar) -> Node | None:
    """The block around the statement that a statement is in."""
    above = node.parent.parent if node.parent is not None else None
    while above is not None and above.type not in grammar.blocks:
        above = above.parent
    return above


def _is_next(inner: Node, node: Node, block: Node) -> bool:
    """Whether a statement follows the one that another is in."""
    children = list(block.named_children)
    at = children.index(node)
    return at > 0 and children[at - 1].start_byte <= inner.start_byte < children[at - 1].end_byte


def _mended(
    source: Source, site: FunctionSite, grammar: Grammar, operators: Operators
) -> Iterator[list[Change]]:
    for node in statements(source, site, grammar):
        for pattern, new in operators.mends:
            found = re.fullmatch(pattern, source.text_of(node), re.DOTALL)
            if found is not None:
                start, end = source.offset(node.start_byte), source.offset(node.end_byte)
                yield [(start, end, found.expand(new))]
