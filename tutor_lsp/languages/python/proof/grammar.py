"""How Python's syntax trees are read."""

import ast

from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.core.language.words import Words


def _is_value(said: str) -> bool:
    try:
        ast.literal_eval(said)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


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
        truth=("True", "False"),
        nothing=frozenset({"None"}),
        docstrings=('"""', "'''"),
        defines=frozenset({"def"}),
        receivers=frozenset({"self", "cls"}),
        wraps=frozenset({"str"}),
        searches=frozenset({"startswith", "endswith", "contains"}),
        failed=("AssertionError", "Failed:"),
    ),
)  # fmt: skip
