"""Constructs that units practise are found in code that uses them, and nowhere else."""

from types import SimpleNamespace

import pytest

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.languages.practises import about_code, constructs, kept, left_out
from tutor_lsp.languages.registry import languages
from tutor_lsp.languages.toolchains import toolchains

PYTHON = {
    "break-statement": "for x in y:\n        break",
    "class-definition": "class A: pass",
    "conditional-expression": "return 1 if x else 2",
    "decorator": "@cache\n    def g(): pass",
    "default-argument": "def g(a, b=1): pass",
    "dict-comprehension": "return {a: 1 for a in x}",
    "enumerate": "return list(enumerate(x))",
    "f-string": 'return f"{x}"',
    "finally-clause": "try:\n        pass\n    finally:\n        pass",
    "for-loop": "for a in x: pass",
    "generator-expression": "return sum(a for a in x)",
    "inner-function": "def g(): pass",
    "key-function": "return sorted(x, key=len)",
    "lambda": "return lambda: 1",
    "list-comprehension": "return [a for a in x]",
    "match-statement": "match x:\n        case 1: pass",
    "raise-statement": "raise ValueError",
    "set-comprehension": "return {a for a in x}",
    "slice": "return x[1:]",
    "try-statement": "try:\n        pass\n    except ValueError:\n        pass",
    "unpacking": "a, b = x",
    "while-loop": "while x: pass",
    "with-statement": "with x: pass",
    "yield": "yield 1",
    "zip": "return list(zip(x, x))",
}
RUST = {
    "closure": "let g = |a: i32| a;",
    "derive": "#[derive(Debug)] struct A;",
    "enum-definition": "enum A { B }",
    "for-loop": "for a in 0..3 {}",
    "generic-parameter": "fn g<T>(x: T) {}",
    "if-let": "if let Some(a) = x {}",
    "impl-block": "impl A {}",
    "lifetime-parameter": "fn g<'a>(x: &'a str) {}",
    "macro-definition": "macro_rules! m { () => {} }",
    "match": "match x { _ => {} }",
    "question-mark": "x?;",
    "slice-range": "&x[1..];",
    "struct-definition": "struct A { b: i32 }",
    "trait-bound": "fn g<T: Clone>(x: T) {}",
    "trait-definition": "trait A {}",
    "trait-impl": "impl A for B {}",
    "while-let": "while let Some(a) = x {}",
    "while-loop": "while x {}",
}
C = {
    "address-of": "g(&x);",
    "arrow": "x->y;",
    "conditional-expression": "return x ? 1 : 2;",
    "dereference": "return *x;",
    "enum-definition": "enum a { B };",
    "for-loop": "for (;;) {}",
    "function-pointer": "int (*g)(int) = 0;",
    "macro-definition": "\n#define A 1\n",
    "malloc-free": "free(malloc(1));",
    "prototype": "int g(int);",
    "sizeof": "return sizeof(int);",
    "struct-definition": "struct a { int b; };",
    "switch": "switch (x) {}",
    "typedef": "typedef int a;",
    "while-loop": "while (x) {}",
}
PLAIN = {"python": "return x", "rust": "x;", "c": "return x;"}
AROUND = {
    "python": "def f(x):\n    {}\n",
    "rust": "fn f() {{ {} }}\n",
    "c": "int f(int x) {{ {} }}\n",
}
USES = {"python": PYTHON, "rust": RUST, "c": C}
CASES = [(language, name) for language, each in USES.items() for name in each]


def unit_of(stub, names, kind=UnitKind.BODY):
    return SimpleNamespace(stub=stub, file="src/a", practises=tuple(names), kind=kind)


def without(language, body, names, stub="f"):
    unit = unit_of(stub, names)
    texts = {"src/a": AROUND[language].format(body)}
    return left_out(language, unit, texts, toolchains()[language].functions)


@pytest.mark.parametrize(
    ("language", "names", "of_a_body"),
    [
        ("rust", ["trait-impl", "match", "struct-definition"], ["match"]),
        ("python", ["class-definition", "yield"], ["yield"]),
        ("c", ["typedef", "macro-definition", "nonsense"], ["macro-definition"]),
    ],
)
def test_a_unit_that_asks_for_a_body_is_about_nothing_outside_of_it(language, names, of_a_body):
    assert kept(language, names, UnitKind.BODY) == of_a_body
    known = [name for name in names if name != "nonsense"]
    assert kept(language, names, UnitKind.DECLARE) == known


@pytest.mark.parametrize("language", USES)
def test_every_construct_has_an_example(language):
    assert list(constructs(language)) == list(USES[language])


@pytest.mark.parametrize(("language", "name"), CASES)
def test_it_is_found_where_it_is_used(language, name):
    assert without(language, USES[language][name], [name]) == ()


@pytest.mark.parametrize("language", USES)
def test_none_is_found_in_code_without(language):
    names = constructs(language)
    assert without(language, PLAIN[language], names) == tuple(names)


def test_both_halves_are_asked_for():
    assert without("c", "malloc(1);", ["malloc-free"]) == ("malloc-free",)


def test_code_of_others_does_not_count():
    texts = {"src/a": "def g():\n    return lambda: 1\n\n\ndef f():\n    return 1\n"}
    functions = toolchains()["python"].functions
    assert left_out("python", unit_of("f", ["lambda"]), texts, functions) == ("lambda",)
    whole = unit_of("f", ["lambda"], UnitKind.DECLARE)
    assert left_out("python", whole, texts, functions) == ()


def test_code_that_does_not_parse_and_a_missing_function_are_read():
    assert without("python", "return [a for a in (", ["lambda"]) == ("lambda",)
    assert without("python", "pass", ["lambda"], stub="gone") == ("lambda",)


def test_what_the_language_does_not_know_is_not_asked_for():
    assert without("python", "pass", ["lifetime-parameter"]) == ()


@pytest.mark.parametrize("language", USES)
def test_codes_are_those_of_the_language(language):
    form = languages()[language].error_codes
    codes = [code for each in constructs(language).values() for code in each.codes]
    assert all(form and form.fullmatch(code) for code in codes)


def test_a_code_leads_to_its_constructs():
    assert about_code("rust", "error[E0106]") == about_code("rust", "E0106")
    assert "lifetime-parameter" in about_code("rust", "E0106")
    assert about_code("python", "E0106") == frozenset()
