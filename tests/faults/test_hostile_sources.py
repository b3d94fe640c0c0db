"""Sources made to hold up, or to get past, what looks through them before a run."""

import time

import pytest

from tutor_lsp.toolchains import c_tampering, rust_tampering

SIZE = 60_000
LIMIT_S = 4.0
"""What is linear takes a second of this; what is quadratic takes more."""

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
    ("brackets", "int exit", "([{"),
    ("defines", "", "#define exit \\\n"),
    ("strings", "", 'exit "'),
    ("comments", "", "/* exit "),
    ("attributes", "", "__attribute__(("),
]


def named(cases):
    made = [pytest.param(head + part * (SIZE // len(part)), id=name) for name, head, part in cases]
    return pytest.mark.parametrize("text", made)


def seconds(look, text):
    begun = time.process_time()
    list(look("src/lib", text))
    return time.process_time() - begun


@named(RUST)
def test_rust_is_looked_through_in_linear_time(text):
    assert seconds(rust_tampering.look, text) < LIMIT_S


@named(C)
def test_c_is_looked_through_in_linear_time(text):
    assert seconds(c_tampering.look, text) < LIMIT_S


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
