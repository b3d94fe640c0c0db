"""The names that a piece of code gives itself: parameters, variables, what loops go through."""

from collections.abc import Iterator

from tutor_lsp.core.language.syntax import Fields, Normal
from tutor_lsp.languages.common.treesitter import Node, Source, walk

NOT_BOUND = frozenset({"type", "value", "size", "parameters", "path", "condition"})
"""Fields of a pattern that hold no names of its own."""


def own_names(source: Source, normal: Normal) -> dict[str, int]:
    """Each of them, with the byte at which it comes up first."""
    found: dict[str, int] = {}
    outer: set[str] = set()
    for node in walk(source.root):
        if node.type in normal.outer:
            outer.update(source.text_of(child) for child in node.named_children)
        for place in _in_fields(node, normal.binds):
            for name in _of_pattern(source, place, normal):
                # A capital begins a constant or a type.
                if not name[0].isupper():
                    found.setdefault(name, place.start_byte)
    return {name: at for name, at in found.items() if name not in outer}


def is_fixed(node: Node, normal: Normal) -> bool:
    """Whether a name is of something else than a variable: an attribute, an argument's."""
    parent = node.parent
    if parent is None:
        return False
    return any(place == node for place in _in_fields(parent, normal.fixed))


def _in_fields(node: Node, fields: Fields) -> Iterator[Node]:
    for name in fields.get(node.type, ()):
        yield from node.children_by_field_name(name) if name else node.named_children


def _of_pattern(source: Source, pattern: Node, normal: Normal) -> Iterator[str]:
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        if is_name(node):
            yield source.text_of(node)
        elif node.type not in normal.apart:
            inner = enumerate(node.children)
            waiting += [c for i, c in inner if node.field_name_for_child(i) not in NOT_BOUND][::-1]


def is_name(node: Node) -> bool:
    """Whether a node is a name that may be a variable's."""
    return node.type in ("identifier", "shorthand_field_identifier")
