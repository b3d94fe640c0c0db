"""How C's syntax trees are read."""

from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.core.language.words import Words

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
)  # fmt: skip
