"""How a call becomes a test in Rust."""

import re

from tutor_lsp.languages.common.probe import TreeProbes
from tutor_lsp.languages.common.texts import words

PROBES = TreeProbes(
    language="rust",
    check="fn tutor_check() {{\n{setup}    let tutor_call = {call};\n"
    "    let tutor_expected = {expected};\n}}\n",
    test="\n#[test]\nfn {name}() {{\n{setup}    assert_eq!({call}, {expected});\n}}\n",
    names=words("transmute type_name Instant SystemTime"),
    nodes=words(
        "unsafe_block use_declaration mod_item extern_crate_declaration foreign_mod_item "
        "attribute_item"
    ),
    spelled=re.compile(
        r"\bstd\s*::\s*(?:fs|env|process|net|time|os|io|thread|any|backtrace)\b"
        r"|\b(?:include\w*|env|option_env|file|line|column|module_path|asm)\s*!(?!=)"
    ),
)
