"""How Rust's syntax trees are read."""

import re

from tutor_lsp.core.language.syntax import Grammar, Normal
from tutor_lsp.core.language.words import Words


def _literal(text: str) -> str:
    return text.replace("_", "") if text[:1].isdigit() else text


NORMAL = Normal(
    binds={
        "parameter": ("pattern",), "closure_parameters": ("",), "let_declaration": ("pattern",),
        "for_expression": ("pattern",), "let_condition": ("pattern",), "match_arm": ("pattern",),
    },
    apart=frozenset({"scoped_identifier", "scoped_type_identifier", "token_tree"}),
    exact=frozenset({"token_tree", "array_expression"}),
    wraps=frozenset({"parenthesized_expression"}),
    shorthand=frozenset({"shorthand_field_initializer", "shorthand_field_identifier"}),
    inline=re.compile(r"\{([a-z_]\w*)"),
    augmented={"compound_assignment_expr": ("assignment_expression", "binary_expression")},
    compares=frozenset({"binary_expression"}),
    acts=frozenset({"call_expression", "macro_invocation", "await_expression"}),
    gives=frozenset({"return_expression"}),
    literal=_literal,
)  # fmt: skip
GRAMMAR = Grammar(
    name="rust",
    comments=frozenset({"line_comment", "block_comment"}),
    literals=frozenset(
        {"integer_literal", "float_literal", "string_literal", "raw_string_literal",
         "char_literal", "boolean_literal"}
    ),
    assertions={"macro_invocation": r"(?:debug_)?assert(?:_eq|_ne|_matches)?\s*!"},
    types=frozenset({"type_identifier"}),
    fields=frozenset({"field_identifier", "shorthand_field_identifier"}),
    blocks=frozenset({"block"}),
    gives="{}",
    wrapped="fn f() { {} }",
    unused="#![allow(dead_code, unused_imports)]",
    words=Words(
        brings=("use ",),
        brought={
            **{
                name: f"use std::collections::{name};"
                for name in ("HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "BinaryHeap")
            },
            "Reverse": "use std::cmp::Reverse;",
            "Ordering": "use std::cmp::Ordering;",
            "Rc": "use std::rc::Rc;",
            "Entry": "use std::collections::hash_map::Entry;",
            "FromStr": "use std::str::FromStr;",
            "successors": "use std::iter::successors;",
        },
        nothing=frozenset({"None"}),
        empty=frozenset({"is_empty", "is_none"}),
        suffix=r"_?[iuf](?:8|16|32|64|128|size)",
        defines=frozenset({"fn"}),
        modifies=frozenset({"mut"}),
        receivers=frozenset({"self"}),
        wraps=frozenset(
            {"String", "from", "to_string", "to_owned", "into", "vec", "str", "Some", "Ok"}
        ),
        searches=frozenset({"contains", "starts_with", "ends_with"}),
        failed=("assertion", "test did not panic", "panic did not contain"),
        fails_with=r'#\[should_panic\s*\(\s*expected\s*=\s*"([^"]*)"\s*\)\][^{}]*?\bfn\s+%s\b',
    ),
    normal=NORMAL,
)  # fmt: skip
