"""What readers of all languages say of a function, a test or a bracket, once the node is found."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from tutor_lsp.core.ports import FunctionSite, TestSite
from tutor_lsp.languages.common.treesitter import Node, Source, field, one_line, walk

Comment = tuple[str | None, int, int]
"""The text of a doc comment with its first and last line; `NO_COMMENT` where there is none."""
NO_COMMENT: Comment = (None, 0, 0)

_PAIRS = {")": "(", "]": "[", "}": "{"}


def function_site(
    source: Source,
    node: Node,
    name: Node,
    *,
    head_end: int,
    body: Sequence[Node],
    empty_at: int,
    comment: Comment,
    outer: Node | None = None,
) -> FunctionSite:
    """The site of the function `node`, or of `outer`, which holds it and decorates it.

    Its signature ends at byte `head_end`. `body` are the parts of its body without comments; where
    there are none, a body would stand at byte `empty_at`.
    """
    text, first, last = comment
    line = source.line(name)
    return FunctionSite(
        name=source.text_of(name),
        line=line,
        column=source.column(name.start_byte),
        end_column=source.column(name.end_byte),
        signature=one_line(source.slice(node.start_byte, head_end)),
        comment=text,
        comment_line=first or line,
        comment_end_line=last or line,
        start=source.offset((outer or node).start_byte),
        end=source.offset(node.end_byte),
        body_start=source.offset(body[0].start_byte if body else empty_at),
        body_end=source.offset(body[-1].end_byte if body else empty_at),
    )


def braced_site(
    source: Source,
    node: Node,
    name: Node,
    body: Node | None,
    comments: Collection[str],
    comment: Comment,
) -> FunctionSite:
    """The same of a function whose body stands in braces; `comments` are the node types of those.

    A last expression without `;` ends before the brace; trailing comments are left out.
    """
    inner = [] if body is None else [c for c in body.named_children if c.type not in comments]
    return function_site(
        source,
        node,
        name,
        head_end=node.end_byte if body is None else body.start_byte,
        body=inner,
        empty_at=node.end_byte if body is None else body.start_byte + 1,
        comment=comment,
    )


def doc_comment(lines: dict[int, str]) -> Comment:
    """A doc comment from its lines without marks, by their numbers; gaps become empty lines."""
    if not lines:
        return NO_COMMENT
    first, last = min(lines), max(lines)
    joined = "\n".join(lines.get(number, "") for number in range(first, last + 1))
    return joined.rstrip(), first, last


def named(source: Source, kind: str) -> Iterator[tuple[Node, Node]]:
    """Every node of a function's type with its name."""
    for node in walk(source.root):
        if node.type == kind and (name := field(node, "name")) is not None:
            yield node, name


def test_site(source: Source, node: Node, name: Node, called: Iterable[str]) -> TestSite:
    """The site of a test that calls these functions."""
    calls = tuple(dict.fromkeys(called))
    return TestSite(source.text_of(name), source.line(name), source.end_line(node), calls)


def lone_bracket(source: Source, opaque: Collection[str]) -> tuple[Node, str] | None:
    """The first bracket without its partner, and what is wrong with it; nodes of the types
    `opaque` are not looked into."""
    opened: list[Node] = []
    for node in walk(source.root, lambda node: node.type not in opaque):
        if node.is_missing or node.child_count:
            continue
        kind = source.text_of(node)
        if kind in _PAIRS.values():
            opened.append(node)
        elif kind in _PAIRS:
            if not opened:
                return node, f"`{kind}` closes nothing"
            if source.text_of(opened[-1]) != _PAIRS[kind]:
                break
            opened.pop()
    return (opened[-1], f"`{source.text_of(opened[-1])}` is never closed") if opened else None


def lines_of(
    source: Source, types: Collection[str], chosen: Callable[[Node], bool] = lambda _: True
) -> tuple[tuple[int, int], ...]:
    """First and last line of every node of these types that is `chosen`."""
    return tuple(
        (source.line(node), source.end_line(node))
        for node in walk(source.root)
        if node.type in types and chosen(node)
    )
