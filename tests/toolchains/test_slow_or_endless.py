"""What is out of time without a loop that may be endless is told to be slow."""

import pytest
from toolchain_kit import TOOLS

from tutor_lsp.core.exercise.report import RawTest, TestOutcome

FIB_RUST = "pub fn f(n: u64) -> u64 { if n < 2 { n } else { f(n - 1) + f(n - 2) } }\n"
FIB_C = "long f(long n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
FIB_PYTHON = "def f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)\n"
FILES = {
    "rust": (
        "src/lib.rs",
        "tests/a.rs",
        "#[test]\nfn test_f_big() {\n    assert_eq!(f(40), 1);\n}\n",
    ),
    "c": (
        "src/a.c",
        "tests/test_a.c",
        "void test_f_big(void)\n{\n    TEST_ASSERT_EQ(1, f(40));\n}\n",
    ),
    "python": (
        "src/exercise/a.py",
        "tests/test_a.py",
        "def test_f_big():\n    assert f(40) == 1\n",
    ),
}
HELPED = "def f(n):\n    return g(n)\n\ndef g(n):\n    {}\n        n -= 1\n    return n\n"


@pytest.mark.parametrize(
    ("language", "source", "slow"),
    [
        ("rust", FIB_RUST, True),
        (
            "rust",
            "pub fn f(n: u64) -> u64 { (0..n).map(|a| (0..n).map(|b| a * b).sum()).sum() }",
            1,
        ),
        ("rust", "pub fn f(n: u64) -> u64 { let mut m = n; while m != 1 { m += 2; } m }", False),
        ("rust", "pub fn f(n: u64) -> u64 { for m in 1.. { if m == n { return m; } } 0 }", False),
        ("rust", "pub fn f(n: u64) -> u64 { [n].iter().cycle().sum() }", False),
        (
            "rust",
            "struct Up(u64);\nimpl Iterator for Up { type Item = u64;\n"
            "    fn next(&mut self) -> Option<u64> { Some(1) } }\n"
            "pub fn f(n: u64) -> u64 { let mut s = 0; for m in Up(n) { s += m; } s }",
            False,
        ),
        ("c", FIB_C, True),
        (
            "c",
            "long f(long n) { long s = 0; for (long a = 0; a < n; a++)\n"
            "    for (long b = 0; b < n; b++) s += a; return s; }\n",
            True,
        ),
        ("c", "long f(long n) { for (unsigned a = n; a >= 0; a--) n++; return n; }\n", False),
        ("c", "long f(long n) { for (int a = 0; a < n; a++) a = 0; return n; }\n", False),
        ("c", "long f(long n) { for (int a = 0; a < n; a++) n++; return n; }\n", False),
        ("python", FIB_PYTHON, True),
        ("python", HELPED.format("for _ in range(n):"), True),
        ("python", HELPED.format("while n != 1:"), False),
        (
            "python",
            "def f(n):\n    items = [n]\n    for item in items:\n        items.append(item)\n",
            False,
        ),
        ("python", "def other(n):\n    return n\n", False),
    ],
)
def test_what_cannot_go_on_for_ever_is_slow(language, source, slow):
    file, test_file, test = FILES[language]
    raw = RawTest(
        "test_f_big", TestOutcome.TIMEOUT, error="did not finish within 5 s", file=test_file
    )
    failure = TOOLS[language].explain(raw, {file: source, test_file: test}, ["f"])
    advice = "look for a loop that never ends"
    if slow:
        advice = "look for work that is done again and again, as it would end at last"
    assert failure.message == f"`f(40)` did not finish within 5 s: {advice}"
