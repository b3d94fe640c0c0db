"""Which loops of Rust may go on for ever."""

import re
from collections.abc import Iterator

from tutor_lsp.languages.common.look.endless import Loops
from tutor_lsp.languages.common.sites import named
from tutor_lsp.languages.common.texts import words
from tutor_lsp.languages.common.treesitter import Node, Source

_OPEN = ("while_expression", "loop_expression")
_MACROS = words(
    "assert assert_eq assert_ne debug_assert eprintln format matches panic print println "
    "unreachable vec write writeln"
)
_SOURCES = ("cycle", "repeat", "repeat_with", "successors", "from_fn", "recv", "lock", "join")


def _functions(source: Source) -> Iterator[tuple[str, Node]]:
    yield from ((source.text_of(name), node) for node, name in named(source, "function_item"))


def _endless(source: Source, node: Node) -> bool:
    if node.type in _OPEN:
        return True
    if node.type == "range_expression":
        return source.text_of(node.children[-1]) == ".."
    if node.type == "macro_invocation":
        known = source.text_of(node.children[0]) in _MACROS
        return (
            not known
            or re.search(r"\b(loop|while)\b|\.\.\s*[)\]]", source.text_of(node)) is not None
        )
    return node.type.endswith("identifier") and source.text_of(node) in _SOURCES


LOOPS = Loops("rust", _functions, _endless)
