"""What is out of time without a loop that may be endless is told to be slow."""

import gettext

import pytest
from toolchain_kit import TOOLS

from tutor_lsp.core.exercise.report import Location, RawTest, TestOutcome
from tutor_lsp.core.text.translation import speak

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
LATE = "did not finish within 5 s"
HELPED = "def f(n):\n    return g(n)\n\ndef g(n):\n    {}\n        n -= 1\n    return n\n"
GROWING = [
    "def f(xs):\n    for i, x in enumerate(xs):\n        xs.append(x)\n",
    "def f(xs):\n    ys = xs\n    for x in ys:\n        xs.append(x)\n",
    "def f(xs):\n    for x in xs:\n        more(xs, x)\n\ndef more(to, x):\n    to.append(x)\n",
    "def f(xs):\n    def more(x):\n        xs.insert(0, x)\n    for x in xs:\n        more(x)\n",
    "def f(xs):\n    for x in xs:\n        xs += [x]\n",
    "def f(xs):\n    ys = xs\n    for x in ys:\n        xs[len(xs):] = [x]\n",
    "def f(xs):\n    add = xs.append\n    return [add(x) for x in xs]\n",
    "def f(n):\n    out = [n]\n    also = out\n    for x in also:\n        out.append(x)\n",
    "class Up:\n    def __iter__(self):\n        yield 1\n\n"
    "def f(up):\n    return [x for x in up]\n",
]
ENDING = [
    "def f(xs):\n    for x in list(xs):\n        xs.append(x)\n",
    "def f(xs):\n    out = []\n    for x in xs:\n        if xs.index(x) > 1:\n"
    "            out.append(x)\n    return out\n",
    "def f(n, coins):\n    best = n\n    for coin in coins:\n"
    "        best = min(best, f(n - coin, coins))\n    return best\n",
    "def f(xs):\n    total = 0\n    for x in xs:\n        for y in xs:\n"
    "            total += x * y\n    return total\n",
]
C_COUNT = (
    "long f(long n) {{ long s = 0; struct list {{ int length; }} *list = here(n);\n"
    "    for ({} i++) {{ s++; {} }} return s; }}\n"
)


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
        *(("python", text, False) for text in GROWING),
        *(("python", text, True) for text in ENDING),
        ("c", C_COUNT.format("unsigned char i = 0; i < n;", ""), False),
        ("c", C_COUNT.format("int16_t i = 0; i < n;", ""), False),
        ("c", C_COUNT.format("uint8_t i; i < n;", ""), False),
        ("c", C_COUNT.format("size_t i = 0; i < (size_t)n;", "s += f(n - 1);"), True),
        ("c", C_COUNT.format("int i = 0; i < count;", "add(i);"), False),
        ("c", C_COUNT.format("int i = 0, k = count; i < count;", "add(i);"), False),
        ("c", C_COUNT.format("int i = 0; i < list->length;", "add(list);"), False),
        ("c", C_COUNT.format("int i = 0; i < list->length;", "s += abs(i);"), True),
        ("rust", "pub fn f(n: u64) -> u64 { (0..=255u8).map(|a| f(u64::from(a))).sum() }", True),
    ],
)
def test_what_cannot_go_on_for_ever_is_slow(language, source, slow):
    said = _said(language, source, FILES[language][2])
    advice = "look for a loop that never ends"
    if slow:
        advice = "it would finish eventually: look for work that is repeated"
    assert said == f"`f(40)` did not finish within 5 s: {advice}"


def test_what_a_name_holds_stands_before_the_advice():
    test = 'def test_f_big():\n    n = 40\n    assert f(": look ", n) == 1\n'
    said = _said("python", "def f(text, n):\n    while n:\n        pass\n", test)
    where = f'`f(": look ", n)` {LATE}, where `n` is 40: '
    assert said == where + "look for a loop that never ends"
    said = _said("python", "def f(text, n):\n    return f(text, n - 1)\n", test)
    assert said == where + "it would finish eventually: look for work that is repeated"


def test_advice_is_found_in_another_language_too():
    advice = "it would finish eventually: look for work that is repeated"
    spoken = gettext.NullTranslations()
    spoken._catalog = {advice: "das endet: suche nach doppelter Arbeit"}
    spoken.gettext = lambda text: spoken._catalog.get(text, text)
    speak(spoken)
    try:
        said = _said("python", FIB_PYTHON, "def test_f_big():\n    n = 40\n    assert f(n) == 1\n")
    finally:
        speak(gettext.NullTranslations())
    assert said == f"`f(n)` {LATE}, where `n` is 40: das endet: suche nach doppelter Arbeit"


def _said(language, source, test):
    file, test_file, _ = FILES[language]
    line = next(n for n, text in enumerate(test.split("\n"), 1) if "assert" in text.lower())
    raw = RawTest("test_f_big", TestOutcome.TIMEOUT, location=Location(test_file, line), error=LATE)
    return TOOLS[language].explain(raw, {file: source, test_file: test}, ["f"]).message
