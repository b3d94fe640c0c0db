"""Which functions can have other bodies beside them or within, and how those are called."""

import pytest
from proof_kit import TOOLCHAINS

from tutor_lsp.authoring.proof import LIMITS
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import BuildError, RawReport, RunOutcome
from tutor_lsp.core.language.variants import Variant
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.registry import dialect

FILE = {"rust": "src/lib.rs", "c": "src/a.c"}
TESTS = {
    "rust": ("tests/t.rs", "#[test]\nfn test_f_is() {\n    assert!(true);\n}\n"),
    "c": ("tests/t.c", '#include "test.h"\n\nvoid test_f_is(void)\n{\n    TEST_ASSERT(1);\n}\n'),
}
UNIT = {lang: Unit("ex-1", "f", FILE[lang], 1, "", "", 1, ("test_f_is",)) for lang in FILE}


def merged(language, text, *bodies):
    """The exercise of all these bodies of `f`."""
    path, tests = TESTS[language]
    files = {FILE[language]: text, path: tests}
    variants = [
        Variant(str(at), files, None, UNIT[language], body) for at, body in enumerate(bodies)
    ]
    return dialect(language).merge(files, variants, (), TOOLCHAINS[language])


@pytest.mark.parametrize(
    ("language", "text", "call"),
    [
        ("rust", "pub fn f(mut a: u32, b: &str) -> u32 {\n    1\n}\n", "return f__tutor_1(a, b)"),
        ("rust", "fn f<T: Ord>(list: &[T]) -> usize {\n    1\n}\n", "return f__tutor_1(list)"),
        ("rust", "struct A;\nimpl A {\n    fn f(&self, n: u8) {\n        1\n    }\n}\n",
         "return Self::f__tutor_1(self, n)"),
        ("rust", "struct A;\nimpl Into<B> for A {\n    fn f(&self) {\n        1\n    }\n}\n",
         "{\nx\n},"),
        ("rust", "trait A {\n    fn f(&self) {\n        1\n    }\n}\n", "{\nx\n},"),
        ("rust", "fn f((a, b): (u8, u8)) -> u8 {\n    1\n}\n", "{\nx\n},"),
        ("rust", "#![forbid(missing_docs)]\nfn f(a: u8) -> u8 {\n    a\n}\n", None),
        ("rust", "fn f(a: u8) -> impl Iterator<Item = u8> {\n    a\n}\n", None),
        ("rust", "fn f(a: u8, // the first\n    b: u8) -> u8 {\n    1\n}\n", "{\nx\n},"),
        ("c", "int f(const char *text, int list[3])\n{\n    return 1;\n}\n",
         "return f__tutor_1(text, list)"),
        ("c", "void f(void)\n{\n    return;\n}\n", "return f__tutor_1()"),
        ("c", "int f(int (*less)(int, int), size_t n)\n{\n    return 1;\n}\n",
         "return f__tutor_1(less, n)"),
        ("c", "static int f(int a)\n{\n    return 1;\n}\n", "{\nx\n__builtin_trap();\n}"),
        ("c", "static void f(int a)\n{\n    return;\n}\n", "{\nx\nreturn;\n}"),
        ("c", "int f(rule rule, int a)\n{\n    return 1;\n}\n", "{\nx\n__builtin_trap();\n}"),
        ("c", "order f(int order)\n{\n    return 0;\n}\n", "{\nx\n__builtin_trap();\n}"),
    ],
)  # fmt: skip
def test_a_copy_is_called_as_the_stub_was_or_stands_in_it(language, text, call):
    found = merged(language, text, "x")
    assert (found is None) == (call is None)
    if found is not None:
        assert call in found.files[FILE[language]]


@pytest.mark.parametrize("language", FILE)
def test_an_error_is_told_of_the_body_that_it_stands_in(language):
    text = {"rust": "fn f(a: u8) -> u8 {\n    a\n}\n", "c": "int f(int a)\n{\n    return a;\n}\n"}
    found = merged(language, text[language], "one", "two\n    // with a comment", "three")
    whole = found.files[FILE[language]].split("\n")
    for at, word in enumerate(("one", "two", "three")):
        line = next(number for number, each in enumerate(whole, start=1) if word in each)
        error = BuildError(FILE[language], line, 1, line, 2, None, "wrong")
        elsewhere = BuildError(FILE[language], 1, 1, 1, 2, None, "wrong")
        report = RawReport(RunOutcome.BUILD_ERROR, build_errors=(error, elsewhere))
        assert found.broken(report) == {str(at)}


def test_methods_of_one_type_each_have_bodies_beside_them():
    text = "struct A;\nimpl A {\n    fn f(&self) -> u8 {\n        1\n    }\n\n"
    text += "    fn g(&self) -> u8 {\n        2\n    }\n}\n"
    path, tests = TESTS["rust"]
    files = {FILE["rust"]: text, path: tests}
    other = Unit("ex-2", "g", FILE["rust"], 1, "", "", 1, ("test_f_is",))
    variants = [
        Variant("one", files, None, UNIT["rust"], "3"),
        Variant("two", files, None, other, "4"),
    ]
    found = dialect("rust").merge(files, variants, (), TOOLCHAINS["rust"])
    assert {key for key, _ in found.names.values()} == {"one", "two"}


@pytest.mark.cargo
async def test_methods_of_traits_have_bodies_within_them(tmp_path):
    """What is required, what a type keeps, and what a trait gives: none may have others beside."""
    text = """pub trait Counts {
    fn count(&self) -> usize;

    fn f(&self) -> bool {
        self.count() > 0
    }
}

impl Counts for str {
    fn count(&self) -> usize {
        let all = self.split(' ');
        all.count()
    }
}
"""
    tests = """use exercise::Counts;

#[test]
fn test_count_is() {
    assert_eq!("a b".count(), 2);
}

#[test]
fn test_f_is() {
    assert!("a".f());
}
"""
    tools = TOOLCHAINS["rust"]
    files = tools.complete({"src/lib.rs": text, "tests/t.rs": tests})
    count = Unit("ex-2", "count", "src/lib.rs", 1, "", "", 1, ("test_count_is",))
    bodies = [(count, "if self.is_empty() { return 0 }\nself.len()"), (count, "self.len() - 1"),
              (UNIT["rust"], "self.count() > 1"), (UNIT["rust"], "!self.nothing()")]  # fmt: skip
    variants = [Variant(str(at), files, u.tests, u, body) for at, (u, body) in enumerate(bodies)]
    found = dialect("rust").merge(files, variants, (), tools)
    bench = Bench(tools, tmp_path, LIMITS)
    broken = found.broken(await bench.run(found.files, found.tests))
    assert broken == {"3"}
    found = dialect("rust").merge(files, variants[:3], (), tools)
    reports = found.split(await bench.run(found.files, found.tests))
    assert {key: report.outcome for key, report in reports.items()} == {
        "0": RunOutcome.FAILED, "1": RunOutcome.PASSED, "2": RunOutcome.FAILED,
    }  # fmt: skip
