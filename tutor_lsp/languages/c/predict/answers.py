"""Answers in C: a function that is `NOT_IMPLEMENTED`, to be replaced by `return` with a value."""

from collections.abc import Iterator

from tutor_lsp.core.language.predictions import Answer, Answers
from tutor_lsp.languages.common.predict.reading import Values, answer
from tutor_lsp.languages.common.treesitter import Node, Source

_VALUES = Values(
    plain=("number_literal", "string_literal", "char_literal", "true", "false", "null"),
    around=("parenthesized_expression", "concatenated_string"),
    signed="unary_expression",
)
_NOTHING = frozenset({"comment", "preproc_include", "preproc_call", "declaration", "identifier"})


def answers(text: str) -> Answers:
    """The answers of a file."""
    source = Source("c", text)
    found: list[Answer] = []
    strays: list[int] = []
    for node in _top(source.root):
        if node.type in _NOTHING:
            continue
        if node.type == "preproc_def" and node.child_by_field_name("value") is None:
            continue
        body, name = node.child_by_field_name("body"), _name(node)
        if node.type != "function_definition" or body is None or name is None:
            strays.append(node.start_point[0] + 1)
            continue
        inner = [each for each in body.named_children if each.type != "comment"]
        only = inner[0] if len(inner) == 1 else body
        if only.type in ("return_statement", "expression_statement") and only.named_children:
            value = only.named_children[0]
            if only.type == "return_statement":
                found.append(answer(source, name, value, _VALUES, is_open=False))
                continue
            called = value.child_by_field_name("function")
            is_open = called is not None and source.text_of(called) == "NOT_IMPLEMENTED"
            found.append(answer(source, name, only, _VALUES, is_open=is_open))
            continue
        found.append(answer(source, name, body, _VALUES, is_open=False))
    return Answers(tuple(found), tuple(strays), source.root.has_error)


def _top(node: Node) -> Iterator[Node]:
    """What stands at the top of a file, also within the guard of a header."""
    for child in node.named_children:
        if child.type in ("preproc_ifdef", "preproc_if"):
            yield from _top(child)
        else:
            yield child


def _name(node: Node) -> Node | None:
    """The name of a function without parameters."""
    at = node.child_by_field_name("declarator")
    while at is not None and at.type == "pointer_declarator":
        at = at.child_by_field_name("declarator")
    if at is None or at.type != "function_declarator":
        return None
    taken = at.child_by_field_name("parameters")
    named = [] if taken is None else taken.named_children
    if len(named) > 1 or any(each.named_child_count > 1 for each in named):
        return None
    name = at.child_by_field_name("declarator")
    return name if name is not None and name.type == "identifier" else None
