"""How Python's syntax trees are read."""

import ast

from tutor_lsp.core.language.syntax import Grammar, Normal
from tutor_lsp.core.language.words import Words
from tutor_lsp.languages.python.proof.library import BROUGHT


def _is_value(said: str) -> bool:
    try:
        ast.literal_eval(said)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _literal(text: str) -> str:
    try:
        return repr(ast.literal_eval(text))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


NORMAL = Normal(
    binds={
        "parameters": ("",), "lambda_parameters": ("",), "assignment": ("left",),
        "augmented_assignment": ("left",), "for_statement": ("left",), "for_in_clause": ("left",),
        "as_pattern": ("alias",), "named_expression": ("name",), "function_definition": ("name",),
    },
    apart=frozenset({"attribute", "subscript", "call"}),
    outer=frozenset({"global_statement"}),
    fixed={"attribute": ("attribute",), "keyword_argument": ("name",)},
    without=frozenset({"type", "string_start", "string_end"}),
    silent=frozenset({"(", ")", "{", "}", ",", ";", ":", "->"}),
    exact=frozenset({"slice"}),
    wraps=frozenset({"parenthesized_expression", "typed_parameter"}),
    alike={
        "typed_default_parameter": "default_parameter", "expression_list": "tuple",
        "pattern_list": "tuple", "tuple_pattern": "tuple",
    },
    augmented={"augmented_assignment": ("assignment", "binary_operator")},
    only_numbers=True,  # `+=` changes a list that others may have, too
    compares=frozenset({"comparison_operator", "binary_operator"}),
    acts=frozenset({"call", "await", "yield", "named_expression"}),
    literal=_literal,
)  # fmt: skip

GRAMMAR = Grammar(
    name="python",
    comments=frozenset({"comment"}),
    literals=frozenset(
        {"integer", "float", "true", "false", "none", "string", "string_content",
         "escape_sequence", "concatenated_string"}
    ),
    assertions={
        "assert_statement": "assert",
        "with_statement": r"with\s+(?:pytest\s*\.\s*)?raises\b",
    },
    blocks=frozenset({"block"}),
    inside=frozenset({"interpolation", "string"}),
    gives="return {}",
    nothing="pass",
    lists={"{": None, "(": frozenset({"", "=", ",", "[", "(", "in", "return"})},
    is_value=_is_value,
    words=Words(
        brings=("import ", "from "),
        brought=BROUGHT,
        truth=("True", "False"),
        nothing=frozenset({"None"}),
        docstrings=('"""', "'''"),
        defines=frozenset({"def"}),
        receivers=frozenset({"self", "cls"}),
        wraps=frozenset({"str"}),
        searches=frozenset({"startswith", "endswith", "contains"}),
        failed=("AssertionError", "Failed:"),
    ),
    normal=NORMAL,
)  # fmt: skip
