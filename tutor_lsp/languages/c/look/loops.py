"""Which loops of C may go on for ever."""

from collections.abc import Iterator

from tutor_lsp.languages.c.source import definitions, function_name
from tutor_lsp.languages.common.look.endless import Loops
from tutor_lsp.languages.common.texts import words
from tutor_lsp.languages.common.treesitter import Node, Source, field, walk

_OPEN = ("while_statement", "do_statement", "goto_statement")
_REACHING = ("field_expression", "subscript_expression", "pointer_expression", "call_expression")
_READING = words(
    "abs isalnum isalpha isdigit islower isspace isupper memchr memcmp printf putchar puts strchr "
    "strcmp strlen strncmp strstr tolower toupper"
)
_WIDE = frozenset(
    {
        "int", "long", "long int", "long long", "long long int",
        "unsigned", "unsigned int", "unsigned long", "unsigned long long",
        "size_t", "ssize_t", "ptrdiff_t", "int32_t", "int64_t", "uint32_t", "uint64_t",
    }
)  # fmt: skip
"""Types that a count does not wrap around in before its time is over."""
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
    if source.text_of(operator) != "<" or not counts or left.type != "identifier":
        return False
    names = {source.text_of(each) for each in walk(condition) if each.type == "identifier"}
    known = _declared(source, loop)
    if not known.get(source.text_of(left), set()) <= _WIDE or source.text_of(left) not in known:
        return False
    simple = not any(each.type in _REACHING for each in walk(condition))
    fixed = all(name in known or name.isupper() for name in names)
    if not (simple and fixed) and any(_passes_on(source, each) for each in walk(body)):
        return False
    return not any(_changes(source, each, names) for each in walk(body))


def _declared(source: Source, node: Node) -> dict[str, set[str]]:
    """The types of the names that are declared in the function around a node."""
    function: Node | None = node
    while function is not None and function.type != "function_definition":
        function = function.parent
    found: dict[str, set[str]] = {}
    for each in walk(function) if function is not None else ():
        kind = field(each, "type")
        if each.type not in ("declaration", "parameter_declaration") or kind is None:
            continue
        for name in walk(each, _declares):
            if name.type == "identifier" and _declares(name):
                found.setdefault(source.text_of(name), set()).add(source.text_of(kind))
    return found


def _declares(node: Node) -> bool:
    """Whether a node of a declaration is no value in it."""
    above = node.parent
    return above is None or node not in (field(above, "value"), field(above, "size"))


def _passes_on(source: Source, node: Node) -> bool:
    """Whether a node is a call that may change what is behind a pointer, or outside of the
    function."""
    if node.type != "call_expression":
        return False
    function = field(node, "function")
    return function is None or source.text_of(function) not in _READING


def _changes(source: Source, node: Node, names: set[str]) -> bool:
    changed = None
    if node.type == "assignment_expression":
        changed = field(node, "left")
    elif node.type in ("update_expression", "pointer_expression"):
        changed = field(node, "argument")
    return changed is not None and any(source.text_of(each) in names for each in walk(changed))


LOOPS = Loops("c", _functions, _endless)
