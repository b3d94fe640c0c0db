"""Answers in Rust: `pub fn first() -> i32 { todo!() }`, with a value in the place of `todo!()`."""

from tutor_lsp.core.language.predictions import Answer, Answers
from tutor_lsp.languages.common.predict.reading import Values, answer
from tutor_lsp.languages.common.treesitter import Node, Source

_WRAPPERS = frozenset({"Some", "Ok", "Err"})
_NOTHING = frozenset(
    {"line_comment", "block_comment", "attribute_item", "inner_attribute_item", "empty_statement"}
)


def _more(source: Source, node: Node) -> bool:
    """`None`, and a value that is wrapped as the language has no other way to write it."""
    if node.type == "identifier":
        return source.text_of(node) == "None"
    called = node.child_by_field_name("function") if node.type == "call_expression" else None
    inside = node.child_by_field_name("arguments")
    if called is None or inside is None or source.text_of(called) not in _WRAPPERS:
        return False
    return all(_VALUES.has(source, each) for each in inside.named_children)


_VALUES = Values(
    plain=(
        "integer_literal", "float_literal", "string_literal", "raw_string_literal",
        "char_literal", "boolean_literal", "unit_expression", "negative_literal",
    ),
    around=(
        "tuple_expression", "array_expression", "parenthesized_expression", "reference_expression",
    ),
    signed="unary_expression",
    signs=("-",),
    more=_more,
)  # fmt: skip


def answers(text: str) -> Answers:
    """The answers of a file."""
    source = Source("rust", text)
    found: list[Answer] = []
    strays: list[int] = []
    for node in source.root.named_children:
        if node.type in _NOTHING:
            continue
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        taken = node.child_by_field_name("parameters")
        if (
            node.type != "function_item"
            or name is None
            or body is None
            or taken is None
            or taken.named_children
        ):
            strays.append(node.start_point[0] + 1)
        else:
            value = _value(body)
            is_open = value is not None and _is_placeholder(source, value)
            found.append(answer(source, name, value or body, _VALUES, is_open=is_open))
    return Answers(tuple(found), tuple(strays), source.root.has_error)


def _value(body: Node) -> Node | None:
    """What a function hands back, if it does nothing else."""
    inner = [node for node in body.named_children if "comment" not in node.type]
    if len(inner) != 1:
        return None
    (only,) = inner
    if only.type == "expression_statement" and only.named_children:
        given = only.named_children[0]
        # Without `return`, what ends with a semicolon is not handed back.
        ends = only.children[-1].type == ";"
        if ends and given.type not in ("return_expression", "macro_invocation"):
            return None
        only = given
    if only.type == "return_expression":
        return only.named_children[0] if only.named_children else None
    return only


def _is_placeholder(source: Source, value: Node) -> bool:
    macro = value.child_by_field_name("macro") if value.type == "macro_invocation" else None
    return macro is not None and source.text_of(macro) in ("todo", "unimplemented")
