"""Which loops of Python may go on for ever."""

import re
from collections.abc import Iterator

from tutor_lsp.languages.common.look.endless import Loops
from tutor_lsp.languages.common.sites import named
from tutor_lsp.languages.common.texts import words
from tutor_lsp.languages.common.treesitter import Node, Source, field, walk

_SOURCES = ("count", "cycle", "repeat", "iter", "input", "sleep", "join", "acquire", "wait", "get")
_COPIES = words("dict frozenset list range set sorted str tuple")
"""What they give does not grow with what they were given."""
_WRITTEN = words(
    "concatenated_string dictionary dictionary_comprehension float integer list list_comprehension "
    "set set_comprehension string tuple"
)
_ADDING = words("append extend heappush insert insort insort_left insort_right")
"""Nothing but a list can grow while a loop goes through it."""
_HANDED_ON = r"(?<!len)(?<!max)(?<!min)(?<!sum)(?<!sorted)[=(,\[{{:]\s*{}\s*(?:[,)\]}}\n;]|$)"


def _functions(source: Source) -> Iterator[tuple[str, Node]]:
    for kind in ("function_definition", "class_definition"):
        yield from ((source.text_of(name), node) for node, name in named(source, kind))


def _endless(source: Source, node: Node) -> bool:
    is_name = node.type == "identifier"
    return node.type == "while_statement" or (is_name and source.text_of(node) in _SOURCES)


def _may_grow(source: Source, node: Node) -> bool:
    if node.type not in ("for_statement", "for_in_clause"):
        return False
    through = field(node, "right")
    return through is None or not _is_new(source, through)


def _is_new(source: Source, value: Node) -> bool:
    """Whether nothing else can hold a value."""
    if value.type == "call":
        function = field(value, "function")
        return function is not None and source.text_of(function) in _COPIES
    return value.type in _WRITTEN


def _adds(source: Source, node: Node) -> bool:
    """Whether a node may add to something that a loop goes through."""
    if node.type == "identifier" and source.text_of(node) in _ADDING:
        above = node.parent
        owner = field(above, "object") if above is not None and above.type == "attribute" else None
    elif node.type == "augmented_assignment":
        owner = field(node, "left")
        right = field(node, "right")
        if right is not None and right.type in ("integer", "float", "string"):
            return False
    elif node.type == "assignment":
        left = field(node, "left")
        sliced = left is not None and any(each.type == "slice" for each in walk(left))
        owner = left if sliced else None
        if not sliced:
            return False
    else:
        return False
    return owner is None or owner.type != "identifier" or not _is_apart(source, node, owner)


def _is_apart(source: Source, node: Node, name: Node) -> bool:
    """Whether a name holds only what its function makes, gives to nothing else, and goes through
    in no loop."""
    function: Node | None = node
    while function is not None and function.type != "function_definition":
        function = function.parent
    body = field(function, "body") if function is not None else None
    if body is None:
        return False
    own, made = source.text_of(name), False
    for each in walk(body):
        left, right = field(each, "left"), field(each, "right")
        if left is None or right is None:
            continue
        loops = each.type in ("for_statement", "for_in_clause")
        if loops and re.search(rf"\b{re.escape(own)}\b", source.text_of(right)):
            return False
        if each.type == "assignment" and source.text_of(left) == own:
            if not _is_new(source, right):
                return False
            made = True
    return made and not re.search(_HANDED_ON.format(re.escape(own)), source.text_of(body))


LOOPS = Loops("python", _functions, _endless, _may_grow, _adds)
