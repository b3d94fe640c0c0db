"""Mending `use` lines of Rust tests."""

import pytest

from tutor_lsp.languages.common.proof.test_imports import ImportRefusedError
from tutor_lsp.languages.registry import dialect
from tutor_lsp.languages.toolchains import toolchains

SRC = {
    "src/lib.rs": "pub mod bill;\n\npub struct Guest;\n",
    "src/bill.rs": "pub const TIP: u32 = 10;\n\npub fn share(a: u32) -> u32 {\n    a\n}\n",
}
TEST = "\n\n#[test]\nfn test_share_a() {\n    assert_eq!(share(TIP), 1);\n}\n"


def mended(head, body=TEST):
    tests = dialect("rust").mend_imports({"tests/all.rs": head + body}, SRC, toolchains()["rust"])
    text = tests["tests/all.rs"]
    assert text.endswith(body)
    return text.removesuffix(body)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("use exercise::bill::{TIP, share};", "use exercise::bill::{TIP, share};"),
        ("use std::fmt;\nuse exercise::bill::*;", "use std::fmt;\nuse exercise::bill::*;"),
        ("use rust_exercise::bill::share;", "use exercise::bill::share;"),
        ("use my_crate::{bill::share, Guest};", "use exercise::{bill::share, Guest};"),
        ("use my_crate::{\n    bill::share,\n};", "use exercise::{\n    bill::share,\n};"),
        ("use crate::bill::share;", "use exercise::bill::share;"),
        ("use super::*;", "use exercise::*;"),
        ("use bill::share;", "use exercise::bill::share;"),
        ("#![allow(unused)]", "#![allow(unused)]\n\nuse exercise::bill::*;"),
        ("use exercise::*;\nuse Guest::*;", "use exercise::*;\nuse Guest::*;"),
        ("use std::fmt;", "use exercise::bill::*;\nuse std::fmt;"),
    ],
)
def test_uses_are_mended(given, wanted):
    assert mended(given).rstrip("\n") == wanted


def test_a_module_of_the_test_file_is_no_crate():
    head = "use exercise::bill::share;\nuse samples::A;\n\nmod samples {\n    use super::*;\n}"
    assert mended(head) == head


@pytest.mark.parametrize(
    "line", ["use rand::Rng;", "extern crate serde;", "use my_crate::nothing;"]
)
def test_other_crates_are_refused(line):
    with pytest.raises(ImportRefusedError) as caught:
        mended(line)
    assert (caught.value.rule, caught.value.line) == ("import-foreign", 1)
