"""Which loops of Python may go on for ever."""

import re
from collections.abc import Iterator

from tutor_lsp.languages.common.look.endless import Loops
from tutor_lsp.languages.common.sites import named
from tutor_lsp.languages.common.treesitter import Node, Source, field

_SOURCES = ("count", "cycle", "repeat", "iter", "input", "sleep", "join", "acquire", "wait", "get")


def _functions(source: Source) -> Iterator[tuple[str, Node]]:
    for kind in ("function_definition", "class_definition"):
        yield from ((source.text_of(name), node) for node, name in named(source, kind))


def _endless(source: Source, node: Node) -> bool:
    if node.type == "while_statement":
        return True
    if node.type == "for_statement":
        through, body = field(node, "right"), field(node, "body")
        return through is None or body is None or _grows(source, through, body)
    return node.type == "identifier" and source.text_of(node) in _SOURCES


def _grows(source: Source, through: Node, body: Node) -> bool:
    """Whether a loop may add to what it goes through."""
    text = source.text_of(through)
    if through.type in ("call", "list", "tuple", "string"):
        return False
    return re.search(rf"\b{re.escape(text)}\s*(\.\w+\(|\+=|\[)", source.text_of(body)) is not None


LOOPS = Loops("python", _functions, _endless)
