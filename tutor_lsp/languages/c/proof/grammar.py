"""How C's syntax trees are read."""

from tutor_lsp.core.language.syntax import Grammar, Normal
from tutor_lsp.core.language.words import Words
from tutor_lsp.languages.common.texts import words


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
_STRINGS = words(
    "strlen strcpy strncpy strcat strcmp strncmp memcpy memmove memset strchr strrchr strstr"
)
_CHARACTERS = words("isdigit isalpha isalnum isspace toupper tolower isupper islower")
_GENERAL = words("abs labs strtol strtoul qsort div malloc calloc")
_PRINTS = words("printf snprintf sprintf")
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
        brings=("#include ",),
        brought={
            **dict.fromkeys(_STRINGS, "#include <string.h>"),
            **dict.fromkeys(_CHARACTERS, "#include <ctype.h>"),
            **dict.fromkeys(_GENERAL, "#include <stdlib.h>"),
            **dict.fromkeys(_PRINTS, "#include <stdio.h>"),
        },
        nothing=frozenset({"NULL", "nullptr"}),
        suffix=r"[uUlLfF]+",
        entries=frozenset({"main"}),
        searches=frozenset({"strstr", "strcmp"}),
    ),
    normal=NORMAL,
)  # fmt: skip
