"""Reading source by syntax tree: positions, comments, tests, imports, broken text."""

import pytest
from toolchain_kit import TOOLS

from tutor_lsp.core.exercise.stub_comment import parse_stub_comment

RUST = """\
//! Wörter.

/// Counts 🦀 words.
///
/// ex-1 — First principle: one
/// Start here: there
#[must_use]
pub fn count(text: &str) -> usize {
    let _ = text;
    todo!("count")
}

struct Größe;

impl Größe {
    /// A method.
    fn länge(&self) -> usize { 1 }
}

// no doc comment
fn helper() {}
"""

PYTHON = '''\
"""Wörter 🦀."""


@decorated
def count(text: str) -> int:
    """Count words.

    ex-1 — First principle: one
    Start here: there
    """
    # a note
    raise NotImplementedError("count")


class Größe:
    def länge(self) -> int:
        return 1


def bare(): pass
'''


def functions(language, text):
    return {site.name: site for site in TOOLS[language].functions(text)}


@pytest.mark.parametrize(
    ("language", "text", "name", "definition", "body"),
    [
        ("rust", RUST, "count", ("pub fn", "}"), ("let _", 'todo!("count")')),
        ("rust", RUST, "länge", ("fn länge", "1 }"), ("1", "1")),
        ("python", PYTHON, "count", ("@decorated", '("count")'), ("raise", '("count")')),
        ("python", PYTHON, "länge", ("def länge", "return 1"), ("return 1", "return 1")),
        ("python", PYTHON, "bare", ("def bare", "pass"), ("pass", "pass")),
    ],
)
def test_offsets_cut_out_definition_and_body(language, text, name, definition, body):
    site = functions(language, text)[name]
    whole, inner = text[site.start : site.end], text[site.body_start : site.body_end]
    assert whole.startswith(definition[0])
    assert whole.endswith(definition[1])
    assert inner.startswith(body[0])
    assert inner.endswith(body[1])
    line = text.split("\n")[site.line - 1]
    assert line[site.column - 1 : site.end_column - 1] == name


@pytest.mark.parametrize(("language", "text"), [("rust", RUST), ("python", PYTHON)])
def test_the_comment_lies_line_for_line_on_the_text(language, text):
    site = functions(language, text)["count"]
    lines = text.split("\n")
    for index, line in enumerate(site.comment.split("\n")):
        assert line.strip() in lines[site.comment_line - 1 + index]
    parsed = parse_stub_comment(site.comment)
    assert "Start here" in lines[site.comment_line + parsed.places["start"][0] - 2]
    assert functions(language, text)["länge"].comment == (
        "A method." if language == "rust" else None
    )


@pytest.mark.parametrize(("language", "text"), [("rust", RUST), ("python", PYTHON)])
def test_windows_line_ends_change_no_line_and_no_column(language, text):
    plain, other = functions(language, text), functions(language, text.replace("\n", "\r\n"))
    for name, site in plain.items():
        got = other[name]
        assert (got.line, got.column, got.comment) == (site.line, site.column, site.comment)
        assert got.comment_end_line == site.comment_end_line


def test_signatures_are_one_line():
    assert functions("rust", RUST)["count"].signature == "pub fn count(text: &str) -> usize"
    assert functions("python", "def f(\n    a: int,\n) -> int:\n    pass\n")["f"].signature == (
        "def f(a: int,) -> int"
    )


def test_a_body_of_only_a_docstring_is_empty_at_the_end():
    text = 'def f():\n    """Doc."""\n'
    site = functions("python", text)["f"]
    assert site.body_start == site.body_end == site.end


@pytest.mark.parametrize(
    "text", ["", "fn", "pub fn count(", "fn a() { let x = ; }\nfn b() {}", "}}}}", "\0", "é" * 99]
)
def test_broken_rust_never_raises(text):
    TOOLS["rust"].functions(text)
    TOOLS["rust"].tests(text)
    TOOLS["rust"].imports(text)
    TOOLS["rust"].syntax_error("src/lib.rs", text)


@pytest.mark.parametrize(
    "text", ["", "def", "def f(", "def f(:\n  x\ndef g(): pass", ")))", "\0", "(" * 5000]
)
def test_broken_python_never_raises(text):
    TOOLS["python"].functions(text)
    TOOLS["python"].tests(text)
    TOOLS["python"].imports(text)
    assert (TOOLS["python"].syntax_error("a.py", text) is None) == (text == "")


def test_functions_before_and_after_a_broken_one_are_still_found():
    broken = "fn a() {}\nfn b( {\nfn c() {}\n"
    assert {"a", "c"} <= set(functions("rust", broken))
    assert "a" in functions("python", "def a():\n    pass\n\ndef b(:\n    pass\n")


def test_rust_tests_know_what_they_call_inside_macros_too():
    text = """
#[test]
fn test_a() {
    let mut stack = Stack::new();
    stack.push(exercise::words::count("a"));
    assert_eq!(longest::<u8>("x").unwrap(), shape.area(inner(3)));
}

fn helper() {}

#[cfg(feature = "x")]
#[test]
fn test_b() {}
"""
    sites = {site.name: site for site in TOOLS["rust"].tests(text)}
    assert set(sites) == {"test_a", "test_b"}
    assert {"new", "push", "count", "unwrap", "area", "inner"} <= set(sites["test_a"].calls)
    assert "assert_eq" not in sites["test_a"].calls
    assert (sites["test_a"].line, sites["test_a"].end_line) == (3, 7)


def test_python_tests_know_what_they_call():
    text = "def test_a():\n    assert words.count(f(1)) == len(f(2))\n\ndef other(): pass\n"
    (site,) = TOOLS["python"].tests(text)
    assert site.calls == ("count", "f", "len") or set(site.calls) == {"count", "f", "len"}
    assert (site.name, site.line, site.end_line) == ("test_a", 1, 2)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("use std::collections::HashMap;", ["std"]),
        ("use exercise::{a, b::c};", ["exercise"]),
        ("use {std::fmt, ::rand::Rng as R};", ["std", "rand"]),
        ("use exercise::*;", ["exercise"]),
        ("use serde;", ["serde"]),
        ("extern crate rand;", ["rand"]),
        ("use crate::a; use self::b; mod m { use super::c; }", []),
        ("enum Shape { A } use Shape::*;", []),
        ("use exercise::Shape; use Shape::*;", ["exercise"]),
        ("mod common; use common::setup;", []),
    ],
)
def test_rust_imports(text, wanted):
    assert [name for _, name in TOOLS["rust"].imports(text)] == wanted


def test_python_imports():
    text = (
        "from __future__ import annotations\nimport os.path, sys as s\n"
        "from exercise.words import (\n    a,\n)\nfrom . import b\n\n"
        "def test_a():\n    import numpy as np\n"
    )
    assert TOOLS["python"].imports(text) == (
        (1, "__future__"),
        (2, "os"),
        (2, "sys"),
        (3, "exercise"),
        (6, "."),
        (9, "numpy"),
    )


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("fn a() {\n    let ä = (1;\n}\n", 2, 13, "`(` is never closed"),
        ("fn a() {\n    b();\n", 1, 8, "`{` is never closed"),
        ("fn a() {}\n}\n", 2, 1, "`}` closes nothing"),
        ('fn a() { let s = "}"; }\n}', 2, 1, "`}` closes nothing"),
    ],
)
def test_a_rust_bracket_without_its_partner_is_named(text, line, column, message):
    error = TOOLS["rust"].syntax_error("src/lib.rs", text)
    assert (error.file, error.line, error.column) == ("src/lib.rs", line, column)
    assert error.message == message


@pytest.mark.parametrize("text", ["break\n", "def f():\n    continue\n", "return 1\n"])
def test_python_words_out_of_their_place_are_syntax_errors(text):
    error = TOOLS["python"].syntax_error("a.py", text)
    assert error is not None
    assert error.code == "SyntaxError"


def test_a_rust_error_without_brackets_is_placed():
    error = TOOLS["rust"].syntax_error("src/lib.rs", "fn a() {\n    let x = 1 +;\n}\n")
    assert error.line == 2
    assert error.end_column > error.column
    assert TOOLS["rust"].syntax_error("src/lib.rs", RUST) is None


def test_a_python_syntax_error_has_its_span():
    error = TOOLS["python"].syntax_error("a.py", 'ä = "é"; x = = 1\n')
    assert (error.line, error.column, error.message) == (1, 14, "invalid syntax")
    assert TOOLS["python"].syntax_error("a.py", PYTHON) is None
