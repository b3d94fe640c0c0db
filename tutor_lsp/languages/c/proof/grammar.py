"""How C's syntax trees are read."""

from tutor_lsp.core.language.syntax import Grammar, Normal
from tutor_lsp.core.language.words import Words


def _literal(text: str) -> str:
    return text.lower() if text[:1].isdigit() else text


NORMAL = Normal(
    binds={"parameter_declaration": ("declarator",), "declaration": ("declarator",)},
    exact=frozenset({"for_statement"}),
    wraps=frozenset({"parenthesized_expression"}),
    unwraps=frozenset({"compound_statement"}),
    augmented={"assignment_expression": ("assignment_expression", "binary_expression")},
    steps={"update_expression": "assignment_expression"},
    step_in=frozenset({"expression_statement", "for_statement"}),
    compares=frozenset({"binary_expression"}),
    acts=frozenset({"call_expression", "assignment_expression", "update_expression"}),
    literal=_literal,
)
GRAMMAR = Grammar(
    name="c",
    comments=frozenset({"comment"}),
    literals=frozenset(
        {"number_literal", "string_literal", "char_literal", "concatenated_string", "true",
         "false", "null"}
    ),
    assertions={"call_expression": r"(?:TEST_ASSERT\w*|assert)\s*\("},
    types=frozenset({"type_identifier", "primitive_type", "sized_type_specifier"}),
    fields=frozenset({"field_identifier"}),
    blocks=frozenset({"compound_statement"}),
    wrapped="void f(void) { {} }",
    lists={"{": frozenset({"=", ")"})},
    fixed_lists=True,
    words=Words(
        nothing=frozenset({"NULL", "nullptr"}),
        suffix=r"[uUlLfF]+",
        entries=frozenset({"main"}),
        searches=frozenset({"strstr", "strcmp"}),
    ),
    normal=NORMAL,
)  # fmt: skip
