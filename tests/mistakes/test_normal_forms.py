"""Normal forms: what is written differently and means the same, and what is not."""

import re

import pytest

from tutor_lsp.authoring.proof.mutants.variants import mutants
from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.languages.common.normal.form import (
    form_at,
    form_of_error,
    form_of_file,
    form_of_function,
    form_of_line,
    form_of_unread,
)
from tutor_lsp.languages.common.normal.names import own_names
from tutor_lsp.languages.common.proof.splice import site_of, with_names
from tutor_lsp.languages.common.syntax import parse
from tutor_lsp.languages.common.treesitter import Source
from tutor_lsp.languages.registry import dialect
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library

TOOLS = toolchains()

SAME = {
    "python": (
        ("def f(a: int) -> int:\n    return a\n",
         'def f(b):\n    """Gives it."""\n    return (b)\n'),
        ("def f(a):\n    return 'x'\n", 'def f(a):\n    return "x"  # so\n'),
        ("def f(a):\n    t = 0\n    for x in a:\n        t += x\n    return t\n",
         "def f(q):\n    s = 0\n    for y in q: s = s + y\n    return s\n"),
        ("def f(a):\n    return 0 < a\n", "def f(a):\n    return a > 0\n"),
        ("def f(a):\n    return a == 'x'\n", "def f(a):\n    return 'x' == a\n"),
        ("def f(a):\n    return 1_000 + a\n", "def f(a):\n    return a + 1000\n"),
        ("def f(a):\n    return [x for x in a if x]\n",
         "def f(a):\n    return [y for y in a if y]\n"),
        ("def f(a):\n    return g(a)\n\ndef g(x):\n    return x + 1\n",
         "def plus(v):\n    return v + 1\n\ndef f(a):\n    return plus(a)\n"),
    ),
    "rust": (
        ("fn f(a: i32) -> i32 {\n    return a;\n}\n", "fn f(b: i32) -> i32 { b }\n"),
        ("fn f(v: &[i32]) -> i32 {\n    let mut t = 0;\n    for x in v { t += x; }\n    t\n}\n",
         "fn f(w: &[i32]) -> i32 {\n    let mut s = 0; // sum\n    for y in w { s = s + y; }\n"
         "    s\n}\n"),
        ('fn f(a: i32) -> String { format!("{a}") }', 'fn f(b: i32) -> String { format!("{b}") }'),
        ("fn f(a: i32) -> bool { (a) > 1_0 }", "fn f(a: i32) -> bool { 10 < a }"),
        ("fn f(o: Option<i32>) -> i32 { match o { Some(x) => x, None => 0 } }",
         "fn f(o: Option<i32>) -> i32 {\n    match o {\n        Some(n) => n,\n"
         "        None => 0,\n    }\n}"),
    ),
    "c": (
        ("int f(int a)\n{\n    int t = 0;\n    for (int i = 0; i < a; i++) { t += i; }\n"
         "    return t;\n}\n",
         "int f(int n) {\n    int s = 0; /* sum */\n    for (int k = 0; n > k; k = k + 1)\n"
         "        s = s + k;\n    return (s);\n}\n"),
        ("int f(int a) { if (a) { return 1; } return 0x1F; }",
         "int f(int b) { if (b) return 1; return 0x1f; }"),
        ("int f(const int *a) { return a[0] != 0; }", "int f(const int *p) { return 0 != p[0]; }"),
    ),
}  # fmt: skip

DIFFERENT = {
    "python": (
        ("def f(a):\n    return a[1:]\n", "def f(a):\n    return a[:1]\n"),
        ("def f(a):\n    return a.x\n", "def f(a):\n    return a.y\n"),
        ("def f(a, b):\n    return a - b\n", "def f(a, b):\n    return b - a\n"),
        ("def f(a):\n    return 1\n", "def f(a):\n    return 1.0\n"),
        ("def f(a):\n    a += [1]\n    return a\n", "def f(a):\n    a = a + [1]\n    return a\n"),
        ("def f(a):\n    return f'{a:>3}'\n", "def f(a):\n    return f'{a:<3}'\n"),
        ("def f(a):\n    return (a,)\n", "def f(a):\n    return (a)\n"),
        ("def f(a):\n    return g(x=a)\n", "def f(a):\n    return g(y=a)\n"),
        ("def f(a):\n    return 'a'  \n", "def f(a):\n    return 'A'\n"),
        ("def f(a):\n    for x in a:\n        t = x\n    return t\n",
         "def f(a):\n    for x in a:\n        t = x\n        return t\n"),
        ("def f(a):\n    print(a)\n", "def f(a):\n    return a\n"),
        ("def f(a):\n    global x\n    x = a\n", "def f(a):\n    global y\n    y = a\n"),
        ("def f(a):\n    return g(a)\n\ndef g(x):\n    return x + 1\n",
         "def f(a):\n    return g(a)\n\ndef g(x):\n    return x + 2\n"),
    ),
    "rust": (
        ("fn f() -> [i32; 2] { [0; 2] }", "fn f() -> [i32; 2] { [0, 2] }"),
        ("fn f(a: i32) -> Vec<i32> { vec![a; 2] }", "fn f(a: i32) -> Vec<i32> { vec![a, 2] }"),
        ("fn f(a: i32) { a }", "fn f(a: i32) { a; }"),
        ("fn f(a: P) -> i32 { let P { x, .. } = a; x }",
         "fn f(a: P) -> i32 { let P { y, .. } = a; y }"),
        ("fn f(a: &P) -> String { format!(\"{}\", a.x) }",
         "fn f(a: &P) -> String { format!(\"{}\", a.y) }"),
        ("fn f(a: i32) -> i32 { let b = a; b }", "fn f(a: i32) -> i32 { let mut b = a; b }"),
        ("fn f(a: i32) -> bool { a < 1 }", "fn f(a: i32) -> bool { a > 1 }"),
        ('fn f(a: i32, b: i32) -> String { format!("{a}{b}") }',
         'fn f(a: i32, b: i32) -> String { format!("{b}{a}") }'),
    ),
    "c": (
        ("int f(int a) { for (;a;) {} return a; }", "int f(int a) { for (a;;) {} return a; }"),
        ("int f(int a) { return a++; }", "int f(int a) { return ++a; }"),
        ("int f(int *a) { return *a++; }", "int f(int *a) { return (*a)++; }"),
        ("int f(struct p *a) { return a->x; }", "int f(struct p *a) { return a->y; }"),
        ("int f(int a) { return 'a'; }", "int f(int a) { return 'A'; }"),
        ("int f(int a) { if (a) { int b = 1; } return a; }",
         "int f(int a) { if (a) { b = 1; } return a; }"),
    ),
}  # fmt: skip


def form(language, text, name="f", given=()):
    tools = TOOLS[language]
    return form_of_function(tools.functions, text, name, given, dialect(language).grammar)


@pytest.mark.parametrize("language", SAME)
def test_what_means_the_same_has_one_form(language):
    for one, other in SAME[language]:
        assert form(language, one) is not None, one
        assert form(language, one) == form(language, other), (one, other)


@pytest.mark.parametrize("language", DIFFERENT)
def test_what_means_something_else_has_another(language):
    for one, other in DIFFERENT[language]:
        assert form(language, one) is not None, one
        assert form(language, one) != form(language, other), (one, other)


def test_what_cannot_be_read_has_none():
    assert form("python", "def f(:\n") is None
    assert form("python", "def g():\n    pass\n") is None
    assert form("python", "def f(): pass\n\ndef f(): return 1\n") is None
    assert form("python", f"def f():\n    return {'(' * 5000}1{')' * 5000}\n") is None
    assert form("c", "int f(void) { return ") is None


def test_given_functions_stay_names():
    text = "def f(a):\n    return g(a)\n\ndef g(x):\n    return x + 1\n"
    other = text.replace("+ 1", "+ 2")
    assert form("python", text, given=("g",)) == form("python", other, given=("g",))


def test_a_statement_is_found_by_its_line():
    grammar = dialect("rust").grammar
    one = "fn f(a: String) -> String {\n    let b = a;\n    g(&a);\n    b\n}\n"
    other = (
        "// first\nfn f(x: String) -> String {\n    let y = x;\n    g( &x ); // again\n    y\n}\n"
    )

    def at(text, line):
        (site,) = TOOLS["rust"].functions(text)
        return form_at(text, site, line, grammar)

    assert at(one, 3) == at(other, 4) is not None
    assert at(one, 2) == at(other, 3)
    assert at(one, 3) != at(one, 2)
    assert at(one, 3) != at(one.replace("g(&a)", "g(&b)"), 3)


def test_a_line_that_cannot_be_read_is_its_tokens():
    grammar = dialect("python").grammar
    one = form_of_line("def f(a):\n    for x in a\n        return x\n", 2, grammar)
    assert one == form_of_line("\ndef f(b):\n    for  each  in b # so\n", 3, grammar)
    assert one != form_of_line("def f(a):\n    for x in g(a)\n", 2, grammar)


def test_an_error_is_what_is_said_of_its_statement_too():
    grammar = dialect("rust").grammar

    def at(name, said):
        text = f"fn f({name}: &str) -> u32 {{\n    g({name})\n}}\n"
        (site,) = TOOLS["rust"].functions(text)
        return form_of_error(text, site, BuildError("", 2, 7, 2, 8, "E0308", said), grammar)

    one = at("a", "mismatched types: expected `u8`, found `&str`; here is `a`")
    assert one == at("b", "mismatched types: expected `u8`, found `&str`") is not None
    assert one != at("b", "mismatched types: expected `u8`, found `String`")
    assert at("a", "`a` is moved") == at("b", "`b` is moved")
    assert at("a", "a `u8`") != at("b", "b `u8`")


def test_a_line_that_cannot_be_read_is_not_the_same_for_another_reason():
    tools, grammar = TOOLS["python"], dialect("python").grammar

    def at(text):
        return form_of_unread(text, tools.syntax_error("src/a.py", text), grammar)

    one = at("def f(a):\n    for x in a:\n    return a\n")
    assert one == at("def f(b):\n\n    for each in b:\n    return b\n") is not None
    assert one != at("def f(a):\n    if a:\n    return a\n")


def test_a_file_has_a_form():
    grammar = dialect("c").grammar
    one, other = "int f(int a) { return a; }\n", "/* x */\nint f(int b)\n{\n    return (b);\n}\n"
    assert form_of_file(one, grammar) == form_of_file(other, grammar) is not None


def references(language):
    library = Library([BUNDLED])
    for entry in library.entries(language):
        bundled = library.load(entry)
        for unit in entry.units:
            text = bundled.solution.get(unit.file, "")
            site = site_of(TOOLS[language], text, unit.stub)
            if site is not None and form(language, text, unit.stub) is not None:
                yield f"{entry.id} {unit.id}", text, site


@pytest.mark.first(1)
@pytest.mark.parametrize("language", SAME)
def test_other_names_change_nothing_and_a_mutant_does(language):
    grammar, looked_at = dialect(language).grammar, 0
    for where, text, site in references(language):
        mine = form(language, text, site.name)
        source = Source(language, text[site.start : site.end])
        # A parameter's name may be a field's, too: those are left as they are.
        taken = set(re.findall(r"(?:\.|->)\s*(\w+)|(\w+)\s*=", source.text) or ())
        fields = {name for pair in taken for name in pair}
        own = own_names(source, grammar.normal).keys() - {site.name} - fields
        names = {name: f"{name}_of_mine" for name in own}
        renamed = with_names((site.start, site.end), parse(text, grammar), names)
        if language == "rust":  # texts name locals, and fields are named like them
            if "!" in source.text or re.search(r"\{[^{}]*,", source.text):
                continue
        elif "{" in source.text and language == "python":
            continue
        whole = text[: site.start] + renamed + text[site.end :]
        assert form(language, whole, site.name) == mine, where
        looked_at += 1
        for wrong in mutants(text, site, grammar):
            assert form(language, wrong, site.name) != mine, (where, wrong)
    assert looked_at > 20
