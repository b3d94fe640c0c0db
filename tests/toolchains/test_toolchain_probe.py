"""Which calls become a test, and how that is written in each language."""

import pytest

from tutor_lsp.core.language.probes import Probe, ProbeRefused
from tutor_lsp.languages.python.contract import outside
from tutor_lsp.languages.registry import probes
from tutor_lsp.languages.toolchains import toolchains

TESTS = {
    "python": "from exercise.tea import cups\n\n\ndef test_a():\n    assert cups(3) == 6\n",
    "rust": "use exercise::cups;\n\n#[test]\nfn test_a() {\n    assert_eq!(cups(3), 6);\n}\n",
    "c": '#include "tea.h"\n#include "test.h"\n\nvoid test_a(void)\n{\n'
    "    TEST_ASSERT_EQ(6, cups(3));\n}\n\nint main(void)\n{\n    RUN_TEST(test_a);\n"
    "    TEST_SUMMARY();\n}\n",
}
STUBS = {"cups": "def cups(guests: int) -> int:", "pots": "def pots(guests: int) -> int:"}
WRITTEN = [
    ("python", Probe(("x = 3",), "cups(x) or 1", "6"), "    assert (cups(x) or 1) == 6\n"),
    ("python", Probe((), "cups(3)", "not 0"), "    assert cups(3) == (not 0)\n"),
    ("rust", Probe(("let x = vec![cups(3)];",), "x[0]", "6"), "    assert_eq!(x[0], 6);\n"),
    ("c", Probe(("int x = 3;",), "cups(x)", "6"), "    TEST_ASSERT_EQ(6, cups(x));\n"),
]


@pytest.mark.parametrize(("language", "probe", "line"), WRITTEN)
def test_a_probe_is_one_more_test_of_the_file(language, probe, line):
    text, name = probes(language).added(TESTS[language], probe, STUBS)
    assert line in text
    assert {site.name for site in toolchains()[language].tests(text)} == {"test_a", name}
    assert toolchains()[language].syntax_error("t", text) is None
    if language == "c":
        assert f"RUN_TEST({name});" in text


INNER_RETURN = (
    "def told():\n    try:\n        return cups(1)\n    except ValueError:\n        return 0"
)
REFUSED = [
    ("python", ((), "cups(1), 2", "(2, 2)"), "expression list"),
    ("python", ((), "cups(1)\n    import os", "2"), "not one expression"),
    ("python", ((), "x = cups(1)", "2"), "not one expression"),
    ("python", ((), "cups(1)  # why", "2"), "not one expression"),
    ("python", (("import os",), "cups(1)", "2"), "uses os"),
    ("python", (("return",), "cups(1)", "2"), "returns before"),
    ("python", (("if cups(1):\n    return",), "cups(1)", "2"), "returns before"),
    ("python", ((), "cups(1)", "pots(1)"), "computed by the code under test"),
    ("python", ((), "cups(len(open('x').read()))", "1"), "uses open"),
    ("python", ((), "cups.__doc__", "1"), "uses __doc__"),
    ("python", (("'cups'",), "1", "2"), "calls no stub"),
    ("python", ((), "cups(1", "2"), "does not parse"),
    ("python", ((), "cups(None)", "2"), "not for None"),
    ("rust", ((), 'cups(include_str!("../src/lib.rs").len())', "2"), "include_str"),
    ("rust", (("}\n#[test] fn a() {",), "cups(1)", "2"), "does not parse"),
    ("rust", ((), 'cups(std::fs::read("x").unwrap().len())', "2"), "std::fs"),
    ("rust", (("unsafe { cups(1); }",), "cups(1)", "2"), "unsafe block"),
    ("rust", (("if cups(1) == 2 { return; }",), "cups(1)", "2"), "returns before"),
    ("c", ((), "cups(1), 2", "2"), "not one expression"),
    ("c", (("#define cups(x) 3",), "cups(1)", "2"), "preproc"),
    ("c", (('system("ls");',), "cups(1)", "2"), "uses system"),
    ("c", (("if (cups(1) == 2) { return; }",), "cups(1)", "2"), "returns before"),
]


@pytest.mark.parametrize(("language", "probe", "why"), REFUSED)
def test_what_is_more_than_a_call_is_refused(language, probe, why):
    with pytest.raises(ProbeRefused, match=why):
        probes(language).added(TESTS[language], Probe(*probe), STUBS)


def test_words_in_texts_and_returns_of_helpers_are_no_matter():
    for setup, call in (((), "cups(len('open sys __x__'))"), ((INNER_RETURN,), "told()")):
        probes("python").added(TESTS["python"], Probe(setup, call, "2"), STUBS)
    closure = Probe(("let line = |x| { return cups(x); };",), "line(1)", "2")
    probes("rust").added(TESTS["rust"], closure, STUBS)


@pytest.mark.parametrize(
    ("annotation", "good", "bad"),
    [
        ("int", ["1", "True", "x", "len('a')"], ["1.5", "'1'", "None", "[1]"]),
        ("float", ["1", "1.5"], ["'1'"]),
        ("list[int]", ["[]", "[1, 2]", "list(x)"], ["[1, 'a']", "(1, 2)", "None"]),
        ("dict[str, list[int]]", ["{}", "{'a': [1]}"], ["{1: []}", "{'a': 1}"]),
        ("tuple[int, str]", ["(1, 'a')"], ["(1,)", "(1, 2)"]),
        ("tuple[int, ...]", ["(1, 2, 3)", "()"], ["[1]"]),
        ("str | None", ["'a'", "None"], ["1"]),
        ("Optional[str]", ["'a'", "None"], ["1"]),
        ("Sequence[str]", ["['a']", "('a',)", "'ab'"], ["[1]", "3"]),
        ("Guest", ["1", "None"], []),
        ("list[Guest]", ["[1]"], ["1"]),
    ],
)
def test_literal_arguments_keep_to_the_annotations(annotation, good, bad):
    signature = f"def f(a: int, guest: {annotation} = ..., *, more: int = 1) -> int:"
    for value in good:
        assert outside(signature, f"f(1, {value})") is None
        assert outside(signature, f"x = words.f(a=1, guest={value}, more=2)") is None
    for value in bad:
        assert outside(signature, f"f(1, {value})") == value
        assert outside(signature, f"f(1, guest={value})") == value
    assert outside(signature, "f(*args, **more)") is None
    assert outside("no signature", "f('a')") is None
