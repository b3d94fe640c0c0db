"""Stubs that no text calls by name: a loop calls `next`, `len` calls `__len__`."""

import textwrap

import pytest
from proof_kit import TOOLCHAINS

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof.prove import prove
from tutor_lsp.languages.rust.source import tests as rust_tests

COMMENT = """{number} is {what}.

ex-{number} — First principle: {what}
Read: LESSON.md § "{heading}"
Test: {tests}
Start here: what comes first?"""
RUST = """//! Countdown.

/// Counts down.
pub struct Countdown {{
    /// What is left.
    pub left: u32,
}}

impl Iterator for Countdown {{
    type Item = u32;

{first}
    fn next(&mut self) -> Option<u32> {{
        {next}
    }}
}}

{second}
pub fn total(from: u32) -> u32 {{
    {total}
}}
"""
RUST_TESTS = """use exercise::{Countdown, total};

#[test]
fn test_next_counts_down_to_one() {
    let mut seen = Vec::new();
    for number in (Countdown { left: 3 }) {
        seen.push(number);
    }
    assert_eq!(seen, [3, 2, 1]);
}

#[test]
fn test_next_ends_at_once_without_any() {
    assert_eq!(Countdown { left: 2 }.count(), 2);
}

#[test]
fn test_total_adds_them_all() {
    assert_eq!(total(4), 10);
}

#[test]
fn test_total_of_one_is_one() {
    assert_eq!(total(1), 1);
}
"""
PYTHON = '''"""Shelf."""


class Shelf:
    """A shelf of books."""

    def __init__(self, books: list[str]) -> None:
        self.books = books

    def __len__(self) -> int:
{first}
        {next}


def is_full(shelf: Shelf) -> bool:
{second}
    {total}
'''
PYTHON_TESTS = """from exercise.shelf import Shelf, is_full


def test___len___counts_books() -> None:
    assert len(Shelf(["a", "b"])) == 2


def test___len___of_one_book_is_one() -> None:
    assert len(Shelf(["a"])) == 1


def test_is_full_from_three_on() -> None:
    assert is_full(Shelf(["a", "b", "c"])) is True
    assert is_full(Shelf([])) is False


def test_is_full_is_false_below_three() -> None:
    assert is_full(Shelf(["a", "b", "c", "d"])) is True
    assert is_full(Shelf(["a"])) is False
"""
LANGUAGES = {
    "rust": (
        "src/lib.rs", RUST, "tests/countdown.rs", RUST_TESTS, "/// ", ("    ", ""),
        ('todo!("next")', 'let _ = from;\n    todo!("total")'),
        ("if self.left == 0 {\n            return None;\n        }\n        self.left -= 1;\n"
         "        Some(self.left + 1)",
         "let mut sum = 0;\n    for number in (Countdown { left: from }) {\n"
         "        sum += number;\n    }\n    sum"),
    ),
    "python": (
        "src/exercise/shelf.py", PYTHON, "tests/test_shelf.py", PYTHON_TESTS, "",
        ("        ", "    "),
        ('raise NotImplementedError("__len__")', 'raise NotImplementedError("is_full")'),
        ("return len(self.books)", "return len(shelf) > 2"),
    ),
}  # fmt: skip


def candidate(language):
    path, source, tests_path, tests, mark, indents, stubs, solved = LANGUAGES[language]
    names = [site.name for site in TOOLCHAINS[language].tests(tests)]
    comments = []
    for number, indent in enumerate(indents, start=1):
        mine = ", ".join(names[2 * number - 2 : 2 * number])
        text = COMMENT.format(number=number, what="it", heading=f"Part {number}", tests=mine)
        if not mark:
            text = f'"""{text}\n"""'
        comments.append(textwrap.indent(text, indent + mark, lambda _: True))
    first, second = comments

    def filled(bodies):
        return source.format(first=first, second=second, next=bodies[0], total=bodies[1])

    authored = {path: filled(stubs), tests_path: tests, "LESSON.md": "# It\n"}
    toolchain = TOOLCHAINS[language]
    complete = toolchain.complete(authored)
    units = build_index(complete, None, toolchain).units
    return Candidate(language, authored, complete, {path: filled(solved)}, units)


@pytest.mark.sample("python")
@pytest.mark.parametrize(
    "language", [pytest.param("rust", marks=pytest.mark.cargo), "python"], ids=str
)
async def test_what_runs_says_which_stub_a_test_needs(language):
    made = candidate(language)
    assert [len(unit.tests) for unit in made.units] == [2, 2]
    result = await prove(made, TOOLCHAINS[language])
    wrong = [f for f in result.findings if f.step in ("shape", "builds", "stubs", "units")]
    assert wrong == []
    assert result.proof.needs == {"ex-2": ("ex-1",)}


def test_generic_calls_in_macros_are_calls():
    text = "#[test]\nfn test_a() {\n    assert_eq!(chart::<Vec<u8>>(1), pick::<A, B>());\n}\n"
    (site,) = rust_tests(text)
    assert [name for name in site.calls if name in ("chart", "pick")] == ["chart", "pick"]
