"""Which loops of C may go on for ever."""

from collections.abc import Iterator

from tutor_lsp.languages.c.source import definitions, function_name
from tutor_lsp.languages.common.look.endless import Loops
from tutor_lsp.languages.common.treesitter import Node, Source, field, walk

_OPEN = ("while_statement", "do_statement", "goto_statement")
_WAITS = ("sleep", "usleep", "pause", "wait", "read", "getchar", "scanf", "fgets")


def _functions(source: Source) -> Iterator[tuple[str, Node]]:
    for node in definitions(source):
        name = function_name(node)
        if name is not None:
            yield source.text_of(name), node


def _endless(source: Source, node: Node) -> bool:
    if node.type == "for_statement":
        return not _counts_up(source, node)
    is_name = node.type == "identifier"
    return node.type in _OPEN or (is_name and source.text_of(node) in _WAITS)


def _counts_up(source: Source, loop: Node) -> bool:
    """Whether it counts up to something below, and its body changes neither."""
    condition, update = field(loop, "condition"), field(loop, "update")
    body = field(loop, "body")
    if condition is None or update is None or body is None:
        return False
    left, operator = field(condition, "left"), field(condition, "operator")
    if condition.type != "binary_expression" or left is None or operator is None:
        return False
    counts = source.text_of(update) in (f"{source.text_of(left)}++", f"++{source.text_of(left)}")
    if source.text_of(operator) != "<" or not counts:
        return False
    names = {source.text_of(each) for each in walk(condition) if each.type == "identifier"}
    return not any(_changes(source, each, names) for each in walk(body))


def _changes(source: Source, node: Node, names: set[str]) -> bool:
    changed = None
    if node.type == "assignment_expression":
        changed = field(node, "left")
    elif node.type in ("update_expression", "pointer_expression"):
        changed = field(node, "argument")
    return changed is not None and any(source.text_of(each) in names for each in walk(changed))


LOOPS = Loops("c", _functions, _endless)
