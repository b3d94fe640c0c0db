"""Advice on an error presumes nothing that the learner's code has not."""

import pytest

from tutor_lsp.stages import explained
from tutor_lsp.stages.plain_hint import plain_hint

ARRAYS = "int last(const int *values, int n)\n{\n    return values[n];\n}\n"
LOOPED = (
    "int sum(const int *values, int n)\n{\n    int sum = 0;\n"
    "    for (int i = 0; i <= n; i++)\n        sum += values[i];\n    return sum;\n}\n"
)
COPIED = "void copy(char *to, const char *from)\n{\n    strcpy(to, from);\n}\n"
OUTSIDE = "`f(a)` crashed: it read past the end of a local array (stack-buffer-overflow; {})"
ROUND, ZERO = "in the last round", "terminating zero"
SELFLESS = "class Account:\n    def deposit(amount):\n        pass\n"
TOO_MANY = "TypeError: Account.deposit() takes 1 positional argument but 2 were given"


@pytest.mark.parametrize(
    ("language", "source", "line", "message", "said", "unsaid"),
    [
        ("c", ARRAYS, 3, OUTSIDE, ["which place does it lead to"], [ROUND, ZERO]),
        ("c", LOOPED, 5, OUTSIDE, [ROUND], [ZERO]),
        ("c", COPIED, 3, OUTSIDE, [ZERO], [ROUND]),
        ("c", ARRAYS + LOOPED, 3, OUTSIDE, [], [ROUND, ZERO]),
        (
            "python",
            "def last(values):\n    return values[len(values)]\n",
            2,
            "`last([1])` raised IndexError: list index out of range ({})",
            ["what if the list is empty"],
            [ROUND],
        ),
        (
            "rust",
            "fn last(v: &[i32]) -> i32 {\n    let mut s = 0;\n    for i in 0..=v.len() {\n"
            "        s += v[i];\n    }\n    s\n}\n",
            4,
            "`last(&[1])` panicked: index out of bounds: the len is 1 but the index is 1 ({})",
            [ROUND],
            [],
        ),
        (
            "python",
            SELFLESS,
            0,
            f"`a.deposit(3)` raised {TOO_MANY}",
            ["no parameter"],
            ["count the parameters"],
        ),
        (
            "python",
            SELFLESS.replace("(amount)", "(self)"),
            0,
            f"`a.deposit(3)` raised {TOO_MANY}",
            ["count the parameters"],
            ["object itself"],
        ),
    ],
)
def test_what_a_failure_means_presumes_nothing_that_the_code_has_not(
    language, source, line, message, said, unsaid
):
    file = "src/code"
    failure = {
        "test": "test_a", "unit_id": "ex-1", "outcome": "errored", "expected": None,
        "actual": None, "message": message.format(f"{file}, line {line}"),
    }  # fmt: skip
    tutoring = {
        "hint_level": 2,
        "unit": {
            "unit_id": "ex-1",
            "test_names": ["test_a"],
            "file_path": file,
            "contract": "",
            "lesson_heading": "A",
            "first_principle": "b",
        },
        "files": [{"file_path": file, "content": source}],
        "run": {"passed": [], "failures": [failure], "build_errors": []},
    }
    text = plain_hint(tutoring, ["", "", ""], language)["text"]
    assert all(each in text for each in said), text
    assert not any(each in text for each in unsaid), text


@pytest.mark.parametrize(
    ("language", "code", "message", "line", "said", "unsaid"),
    [
        ("rust", "E0308", "mismatched types: expected `i32`, found `&str`", "", "Compare", ["`;`"]),
        (
            "rust",
            "E0308",
            "mismatched types: expected `i32`, found `()`; remove this semicolon to return",
            "",
            "`;` after the last line drops",
            [],
        ),
        (
            "rust",
            "E0277",
            "the type `[u32]` cannot be indexed by `u32`: slice indices are of type `usize` or "
            "ranges of `usize`",
            "",
            "indexed by a `usize`",
            ["characters", "trait"],
        ),
        (
            "rust",
            "E0277",
            "the type `str` cannot be indexed by `{integer}`: string indices are ranges of `usize`",
            "",
            "no characters by number",
            ["A list"],
        ),
        (
            "rust",
            "E0277",
            "the `?` operator can only be used in a function that",
            "",
            "signature",
            [],
        ),
        ("rust", "E0277", "`Pet` doesn't implement `std::fmt::Display`", "", "placeholder", []),
        (
            "rust",
            "E0277",
            "the trait bound `T: Copy` is not satisfied",
            "",
            "which trait",
            ["type."],
        ),
        (
            "rust",
            "E0369",
            "binary operation `==` cannot be applied to type `T`",
            "",
            "which",
            ["`*`"],
        ),
        (
            "rust",
            "E0070",
            "invalid left-hand side of assignment",
            "    3 = x;",
            "place in",
            ["`==`"],
        ),
        ("rust", "E0070", "invalid left-hand side", "    if 3 = x {", "write `==`", []),
        (
            "rust",
            "E0106",
            "missing lifetime specifier",
            "    name: &str,",
            "own its value",
            ["Return"],
        ),
        (
            "c",
            None,
            "lvalue required as left operand of assignment",
            "    x + 1 = y;",
            "place",
            ["=="],
        ),
        ("c", None, "lvalue required as left operand", "    if (x + 1 = y)", "write `==`", []),
        (
            "c",
            None,
            "initialization of `char` from `char *` makes integer from pointer",
            '    char c = "a";',
            "single quotes",
            ["`*`"],
        ),
        (
            "c",
            None,
            "passing argument 1 of `f` discards `const` qualifier",
            "",
            "`const`",
            ["copy"],
        ),
        ("python", "SyntaxError", "cannot assign to literal", "3 = x", "On the left", ["=="]),
        ("python", "SyntaxError", "cannot assign to literal", "if 3 = x:", "write `==`", []),
    ],
)
def test_what_a_build_error_means_presumes_nothing_that_the_code_has_not(
    language, code, message, line, said, unsaid
):
    found = explained.of_build_error(language, code, message, {"line": line})
    whole = f"{found.means} {found.mend}"
    assert said in whole
    assert not any(each in found.mend for each in unsaid), whole
