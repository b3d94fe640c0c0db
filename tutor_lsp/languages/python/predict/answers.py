"""Answers in Python: `FIRST = ...`, with a value in the place of the dots."""

from tutor_lsp.core.language.predictions import Answer, Answers
from tutor_lsp.languages.common.predict.reading import Values, answer
from tutor_lsp.languages.common.treesitter import Node, Source, walk

_VALUES = Values(
    plain=("integer", "float", "string", "true", "false", "none"),
    around=(
        "list", "tuple", "set", "dictionary", "pair", "parenthesized_expression",
        "expression_list", "concatenated_string",
    ),
    signed="unary_operator",
    inside=("interpolation",),
)  # fmt: skip
_NOTHING = frozenset({"comment", "pass_statement", "future_import_statement"})


def answers(text: str) -> Answers:
    """The answers of a file."""
    source = Source("python", text)
    found: list[Answer] = []
    strays: list[int] = []
    for node in source.root.named_children:
        inner = node.named_children[0] if node.type == "expression_statement" else node
        if node.type in _NOTHING or inner.type == "string":
            continue
        left = inner.child_by_field_name("left") if inner.type == "assignment" else None
        if left is None or left.type != "identifier":
            strays.append(node.start_point[0] + 1)
            continue
        right = inner.child_by_field_name("right")
        found.append(answer(source, left, right, _VALUES, is_open=right is None or _open(right)))
    return Answers(tuple(found), tuple(strays), source.root.has_error)


def _open(value: Node) -> bool:
    return any(node.type == "ellipsis" for node in walk(value))
