"""The single changes of a learner's function that are tried. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tutor_lsp.authoring.locating.hunks import Body, Change, hunks, named_alike, undone
from tutor_lsp.authoring.proof.mutants.edits import edits
from tutor_lsp.core.language.mutants import Operators
from tutor_lsp.core.language.syntax import Grammar, Parsed, Token
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.proof.splice import replaced
from tutor_lsp.languages.common.syntax import parse
from tutor_lsp.languages.common.treesitter import Node, Source, walk

MOST = 60
"""Most changes of a function that are tried."""
_ORDER = (
    "nearer", "undone", "comparison", "boundary", "constant", "operator", "mended", "condition",
    "moved", "sibling", "arguments", "name", "dropped", "rounding",
)  # fmt: skip
"""Kinds of changes, the likely ones first; of the proof's those that may mend something."""
_SMALL = ("0", "1", "2")


@dataclass(frozen=True, slots=True)
class Tried:
    """A text in which a function is changed in one place: its body, and the kind of change. `right`
    is whether that makes it the reference, which needs no run to be known for right."""

    kind: str
    text: str
    body: str
    moves: bool = False
    right: bool = False


def tried(
    text: str,
    site: FunctionSite,
    grammar: Grammar,
    operators: Operators,
    right: tuple[str, FunctionSite],
    wrong: Sequence[tuple[str, FunctionSite]] = (),
) -> list[Tried]:
    """The changes of a function, each once. `right` is the reference, `wrong` known mistakes."""
    code, here = alone(text, site)
    mine, reference = Body.of(code, here, grammar), Body.of(*alone(*right), grammar)
    made: list[tuple[str, list[Change]]] = [("nearer", each) for each in hunks(mine, reference)]
    for known in wrong:
        made += [("undone", e) for e in undone(mine, Body.of(*alone(*known), grammar), reference)]
    made += [
        (e.operator, [(e.start, e.end, e.new)])
        for e in edits(code, here, grammar.name, repairing(operators))
        if e.operator in _ORDER
    ]
    made += [("constant", each) for each in _numbers(mine)]
    made += [("name", each) for each in _names(mine)]
    source = Source(grammar.name, code)
    made += [("moved", each) for each in _moved(source, here, grammar)]
    made += [("mended", each) for each in _mended(source, here, grammar, operators)]
    made.sort(key=lambda each: _ORDER.index(each[0]))
    known_forms = {form(mine.parsed, here, grammar)}
    wanted = _form(reference.tokens, named_alike(mine.tokens, reference.tokens), grammar)
    found: list[Tried] = []
    for kind, changes in made:
        changed = replaced(code, changes)
        after = replace(here, body_end=here.body_end + len(changed) - len(code))
        parsed = parse(changed, grammar)
        key = form(parsed, after, grammar)
        if parsed.broken or key in known_forms:
            continue
        known_forms.add(key)
        whole = text[: site.start] + changed + text[site.end :]
        body = changed[after.body_start : after.body_end]
        found.append(Tried(kind, whole, body, kind == "moved", key == wanted))
        if len(found) == MOST:
            break
    return found


def alone(text: str, site: FunctionSite) -> tuple[str, FunctionSite]:
    """A function without what is around it, which is read faster."""
    start = site.start
    here = replace(
        site,
        start=0,
        end=site.end - start,
        body_start=site.body_start - start,
        body_end=site.body_end - start,
    )
    return text[start : site.end], here


def form(parsed: Parsed, site: FunctionSite, grammar: Grammar) -> tuple[str, ...]:
    """What a body is apart from its layout, as far as that means nothing."""
    tokens = parsed.within(site.body_start, site.body_end)
    return _form(tokens, [each.text for each in tokens], grammar)


def _form(tokens: Sequence[Token], texts: Sequence[str], grammar: Grammar) -> tuple[str, ...]:
    margins = grammar.wrapped is None
    named = zip(tokens, texts, strict=True)
    return tuple(f"{each.depth if margins else ''} {text}" for each, text in named)


def repairing(operators: Operators) -> Operators:
    """Operators that also lead back from where they lead to."""
    swaps, siblings = _both(operators.swaps), _both(operators.siblings)
    return replace(operators, swaps=swaps, siblings=siblings, never="", texts=frozenset())


def _numbers(mine: Body) -> Iterator[list[Change]]:
    """The numbers with which most things begin, in the place of others."""
    for each in mine.tokens:
        if each.kind == "literal" and each.text.isdecimal():
            yield from ([(each.start, each.end, new)] for new in _SMALL if new != each.text)


def _names(mine: Body) -> Iterator[list[Change]]:
    """Variables in each other's place, those that are used most first. Constants have a type of
    their own, or are no names at all where a preprocessor reads them."""
    names = {name for name in mine.variables if not name.isupper()}
    used = [each for each in mine.tokens if each.kind == "id" and each.text in names]
    often = Counter(each.text for each in used) + Counter(mine.parameters)
    for other, _ in often.most_common():
        yield from ([(each.start, each.end, other)] for each in used if each.text != other)


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
    whole = list(statements(source, site, grammar))
    for node in walk(source.root):
        start, end = source.offset(node.start_byte), source.offset(node.end_byte)
        if not (site.body_start <= start and end <= site.body_end):
            continue
        for kind, pattern, new in operators.mends:
            found = re.fullmatch(pattern, source.text_of(node), re.DOTALL)
            if found is not None and (node.type == kind or (not kind and node in whole)):
                yield [(start, end, found.expand(new))]
