"""Reading answers by syntax tree: what is nothing but a value."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from tutor_lsp.core.language.predictions import Answer
from tutor_lsp.languages.common.treesitter import Node, Source


@dataclass(frozen=True, slots=True)
class Values:
    """The kinds of nodes that are values of a language: `plain` ones by themselves unless they have
    a child of a kind in `inside`, `around` those whose named children are values, too. `signed` may
    have one of the `signs` before a value; `more` says of any other node whether it is one."""

    plain: Collection[str]
    around: Collection[str]
    signed: str
    inside: Collection[str] = ()
    signs: Collection[str] = ("-", "+")
    more: Callable[[Source, Node], bool] = field(default=lambda _source, _node: False)

    def has(self, source: Source, node: Node) -> bool:
        """Whether a node is a value, with all that it holds."""
        if node.has_error:
            return False
        inner = [child for child in node.named_children if "comment" not in child.type]
        if node.type in self.plain:
            return not any(child.type in self.inside for child in inner)
        if node.type == self.signed:
            first = node.children[0] if node.children else None
            sign = first is not None and source.text_of(first) in self.signs
            return sign and all(self.has(source, child) for child in inner)
        if node.type in self.around:
            return all(self.has(source, child) for child in inner)
        return self.more(source, node)


def answer(
    source: Source, name: Node, value: Node | None, values: Values, *, is_open: bool
) -> Answer:
    """The answer of a name; `value` is None where none stands there."""
    at = value or name
    start, end = source.offset(at.start_byte), source.offset(at.end_byte)
    literal = value is not None and not is_open and values.has(source, value)
    return Answer(
        source.text_of(name),
        name.start_point[0] + 1,
        start,
        end,
        "" if value is None else source.text_of(value),
        is_open,
        literal,
    )
