"""Sources made to hold up, or to get past, what looks through them before a run."""

import time

import pytest

from tutor_lsp.languages.c import tampering as c_tampering
from tutor_lsp.languages.rust import tampering as rust_tampering

SMALL, LARGE = 4000, 16_000
MOST = 9.0
"""How many times as long the larger one may take. A linear look takes 4 times, a quadratic 16."""
LEAST_S = 0.005
"""What takes less than this is taken to take this: clocks and caches are not precise enough."""

RUST = [
    ("brackets", "fn eq ", "([{"),
    ("extern blocks", "", "extern {"),
    ("headers", "", "fn eq("),
    ("headers with self", "", "fn eq(self, o) "),
    ("open bodies", "", "fn eq(self, o) {"),
    ("statements", "fn eq(self, o) {", "let _x = o;"),
    ("open statements", "fn eq(self, o) {", "let _x = "),
    ("lines of comment", "fn eq() {}", "/// a\n"),
]
C = [
    ("brackets", "", "([{"),
    ("defines", "", "#define exit \\\n"),
    ("lines that go on", "", "a\\\n"),
    ("strings", "", 'exit "'),
    ("escaped quotes", "", '\\"'),
    ("escaped quotes after one", '"', '\\"'),
    ("escaped characters", "", "\\'"),
    ("escaped quotes of both kinds", "", "\\'\\\""),
    ("paths", "", '"/proc/'),
    ("comments", "", "/* exit "),
    ("stars", "", "/***"),
    ("attributes", "", "__attribute__(("),
    ("spaces", "constructor", " "),
]


def named(cases):
    return pytest.mark.parametrize(
        ("head", "part"), [pytest.param(head, part, id=name) for name, head, part in cases]
    )


def seconds(look, text):
    """The least of two times: a machine makes nothing faster than it is."""
    times = []
    for _ in range(2):
        begun = time.process_time()
        found = list(look("src/lib", text))
        times.append(time.process_time() - begun)
    # What the text begins with is found: it was looked through.
    assert found[0].line == 1
    return max(LEAST_S, min(times))


def growth(look, begin, head, part):
    """How many times as long a text of four times the size takes."""
    small, large = (begin + head + part * (size // len(part)) for size in (SMALL, LARGE))
    return seconds(look, large) / seconds(look, small)


@pytest.mark.first(4)
@named(RUST)
def test_rust_is_looked_through_in_linear_time(head, part):
    begin = 'extern "C" { fn exit(n: i32); }\n'
    assert growth(rust_tampering.look, begin, head, part) < MOST


@named(C)
def test_c_is_looked_through_in_linear_time(head, part):
    assert growth(c_tampering.look, "int a = tutor_secret();\n", head, part) < MOST


def test_a_look_that_takes_quadratic_time_is_noticed():
    def look(file, text):
        sum(1 for _ in text for _ in range(0, len(text), 64))
        return rust_tampering.look(file, 'extern "C" { fn exit(n: i32); }')

    assert growth(look, "", "", "a") > MOST


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (r'char *a = "\" tutor_secret() \"";', []),
        (r"char a = '\''; tutor_secret();", [1]),
        (r"""char *a = "\'"; tutor_secret(); char b = '"';""", [1]),
        (r"""char *a = "\"'"; char *b = "tutor_secret()";""", []),
        ("int a = 0;\n#def\\\nine TEST\\\n_ASSERT(x)\nint b;", [2]),
        ("#\\\nde\\\nfi\\\nne TUTOR\\\n_X 1\ntutor_secret();", [1, 6]),
        ("int a = tu\\\nto\\\nr_se\\\ncret();\ntutor_secret();", [1, 5]),
        ("tu\\ \t\nto\\\r\nr_secret();", [1]),
        ("// a comment \\\n tutor_secret(); \\\n tutor_secret();\nint a;", []),
        ('char *a = "\\\n tutor_secret() \\\n";\ntutor_secret();', [4]),
        ("#define A \\\n    1 + \\\n    2\nint b = tutor_secret(); \\", [4]),
        ("int a = 1'000; tutor_secret();", [1]),
        ('S(\\" "); tutor_secret(); S(" \\")', [1]),
        (r'"\\"; tutor_secret(); "\\"', [1]),
    ],
)
def test_words_in_strings_of_c_are_no_code(text, lines):
    assert [each.line for each in c_tampering.look("src/a.c", text)] == lines


BOTH = "{ self.0 == o.0 }"
EQUALITIES = [
    ("looks at both", f"fn eq(&self, o: &Self) -> bool {BOTH}", ""),
    ("always", "fn eq(&self, o: &Self) -> bool { true }", "eq"),
    ("one value", "fn eq(&self, o: &Self) -> bool { self.0 == 3 }", "eq"),
    ("names the other", "fn eq(&self, o: &Self) -> bool { let _o = o; self.0 == 3 }", "eq"),
    ("names it last", "fn eq(&self, o: &Self) -> bool { return self.0 == 3; let _o = o; }", "eq"),
    ("never equal", "fn eq(&self, _: &Self) -> bool { false }", ""),
    ("a declaration", "trait T { fn eq(&self, o: &Self) -> bool; }", ""),
    ("no body yet", f"fn eq(&self, o: &Self) -> bool\nfn ne(&self, o: &Self) -> bool {BOTH}", ""),
    (
        "by another one's words",
        f"fn eq(&self, o: &Self) -> bool {{ fn ne(&self, o: &Self) -> bool {BOTH} true }}",
        "eq",
    ),
    (
        "in another one",
        f"fn eq(&self, o: &Self) -> bool {{ fn ne(&self, o: &S) -> bool {{ true }} {BOTH} }}",
        "ne",
    ),
]


@pytest.mark.parametrize(("text", "said"), [pytest.param(*c[1:], id=c[0]) for c in EQUALITIES])
def test_comparisons_must_look_at_both_values(text, said):
    found = [each.what for each in rust_tampering.look("src/lib.rs", text)]
    assert found == ([f"compares without looking at both values (`{said}`)"] if said else [])


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('extern "C" { fn exit(n: i32); }', [1]),
        ('extern { fn f();\n fn raise(n: i32); }\nfn exit() {}', [2]),
        ('extern "C" {\n fn f() { extern "C" { fn fork(); } }\n fn exit(); }', [2, 3]),
        ('"extern { fn exit(); }"; fn exit() {}', []),
        ('extern crate a; fn exit() {}', []),
    ],
)  # fmt: skip
def test_foreign_functions_are_found_where_they_are_declared(text, lines):
    found = rust_tampering.look("src/lib.rs", text)
    assert [each.line for each in found] == lines
    assert all("of the system by itself" in each.what for each in found)
