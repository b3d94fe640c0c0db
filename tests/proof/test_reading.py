"""What is read from texts: tokens, comparisons, names, neutral values."""

import pytest
from proof_kit import TOOLCHAINS, put, trial

from tutor_lsp.authoring.proof.mutants.variants import mutants
from tutor_lsp.authoring.proof.reading.compare import answers, comparisons
from tutor_lsp.languages.common.syntax import (
    body_of,
    mentioned,
    normal_form,
    outer_calls,
    parameter_names,
    parameters_of,
    parse,
)
from tutor_lsp.languages.python.proof.names import (
    bad_imports,
    read,
    unknown_modules,
    unresolved,
)
from tutor_lsp.languages.python.proof.test_imports import PythonImports
from tutor_lsp.languages.registry import dialect, languages
from tutor_lsp.languages.rust.proof.values import Shapes, neutral_value


def one(language, text):
    """A text's first function: parsed, its site."""
    parsed = parse(text, dialect(language).grammar)
    return parsed, TOOLCHAINS[language].functions(text)[0]


def form(language, text):
    parsed, site = one(language, text)
    return normal_form(parameters_of(parsed, site), body_of(parsed, site))


SAME = {
    "python": (
        'def f(a: int, b: int):\n    """Doc."""\n    # why\n    c = a * 2\n    return c + b\n',
        "def other(left: int, rest: int):\n    twice = left * 100\n    return twice + rest\n",
        "def f(a: int, b: int):\n    c = a * 2\n    return c - b\n",
    ),
    "rust": (
        'fn f(a: u32) -> String {\n    let b = a + 1; // why\n    format!("{}", b)\n}\n',
        'fn g(nr: u64) -> String {\n    let more = nr + 20;\n    format!("<{}>", more)\n}\n',
        'fn f(a: u32) -> String {\n    let b = a + 1;\n    format!("{}", a)\n}\n',
    ),
    "c": (
        "int f(int a, char *text)\n{\n    /* why */\n    return a > 0 ? text[a] : 'x';\n}\n",
        "long g(long number, char *line)\n{\n    return number > 10 ? line[number] : 'y';\n}\n",
        "int f(int a, char *text)\n{\n    return a > 0 ? text[0] : 'x';\n}\n",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_normal_forms_ignore_names_literals_and_comments(language):
    first, renamed, different = (form(language, text) for text in SAME[language])
    assert first == renamed
    assert first != different


def test_blocks_of_python_count():
    nested = "def f(a):\n    if a:\n        a = 1\n        return a\n"
    flat = "def f(a):\n    if a:\n        a = 1\n    return a\n"
    assert form("python", nested) != form("python", flat)


def test_offsets_are_code_points():
    text = '# é ü\ndef f(a):\n    return "ä" + a  # ö\n'
    parsed, site = one("python", text)
    literal, *_ = [token for token in body_of(parsed, site) if token.kind == "literal"]
    assert text[literal.start : literal.end] == literal.text == '"ä"'
    assert [comment.text for comment in parsed.comments] == ["# é ü", "# ö"]


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("python", "def f(a: int = 3, *rest, b: str) -> None: ...", ("a", "rest", "b")),
        ("rust", "fn f(mut a: &mut Vec<u8>, b: Team) {}", ("a", "b")),
        ("c", "int f(const char *text, size_t n) { return 0; }", ("text", "n")),
    ],
)
def test_names_of_parameters(language, text, names):
    parsed, site = one(language, text)
    assert parameter_names(parameters_of(parsed, site)) == names


def test_calls_that_are_arguments_are_set_up():
    tokens = parse("assert f(g(1)) == h(2)", dialect("python").grammar).tokens
    called = [tokens[start].text for start, _ in outer_calls(tokens, {"f", "g", "h"})]
    assert called == ["f", "h"]
    assert mentioned(tokens) == {"f", "g", "h"}


@pytest.mark.parametrize(
    ("language", "assertion", "pair"),
    [
        ("python", 'assert note(5) == "x", "why"', ("note(5)", '"x"')),
        ("python", 'assert "x" == note(5)', ("note(5)", '"x"')),
        ("python", 'assert (note(5) == "x")', ("note(5)", '"x"')),
        ("rust", 'assert_eq!(note(5), "x", "why");', ("note(5)", '"x"')),
        ("rust", 'assert!(note(5) == "x");', ("note(5)", '"x"')),
        ("c", "TEST_ASSERT_EQ(7, note(text, sizeof text, 5));", ("note(text,sizeoftext,5)", "7")),
        ("c", "TEST_ASSERT(note(text, 1, 5) == 7);", ("note(text,1,5)", "7")),
    ],
)
def test_both_sides_of_an_assertion(language, assertion, pair):
    old = {
        "python": 'assert note(-5) == "-5 C is 23 F, frost"',
        "rust": 'assert_eq!(note(-5), "-5 C is 23 F, frost");',
        "c": "TEST_ASSERT_EQ(19, note(text, sizeof text, -5));",
    }[language]
    made = trial(language, put("T", old, assertion))
    found = comparisons(made.tests["test_note_warns_of_frost"], "note")
    sides = ["".join(token.text for token in side) for side in (found[0].actual, found[0].expected)]
    assert tuple(sides) == pair


@pytest.mark.parametrize(
    ("language", "code", "name"),
    [
        ("python", "text = note(-5)", "text"),
        ("python", "text: str = weather.note(-5)", "text"),
        ("python", "text = note(-5) + 'x'", None),
        ("python", "text, rest = note(-5)", None),
    ],
)
def test_variables_that_hold_an_answer(language, code, name):
    old = 'assert note(-5) == "-5 C is 23 F, frost"'
    made = trial(language, put("T", old, f"{code}\n    assert text"))
    held = dict(answers(made.tests["test_note_warns_of_frost"], "note"))
    assert list(held) == ([] if name is None else [name])


# names in Python


@pytest.mark.parametrize(
    "text",
    [
        "import os\nprint(os.name, __name__, __file__)\n",
        "def f(a, *b, c=1, **d):\n    e = [x for x in b if x]\n    return a, e, c, d\n",
        "class A:\n    x = 1\n    y = x\n\n    def f(self):\n        return A, self\n",
        "def f():\n    global g\n    g = 1\n\n\ndef h():\n    return g\n",
        "def f():\n    return later\n\n\nlater = 1\n",
        "from os import *\nprint(whatever)\n",
        "try:\n    import x\nexcept ImportError as e:\n    print(e)\nwith open('') as g: g\n",
        "def f():\n    a = 1\n    def g():\n        nonlocal a\n        a += 1\n    return g, a\n",
    ],
)
def test_names_that_are_there(text):
    assert unresolved("a.py", text) == []


def test_names_that_are_not():
    text = "def f() -> Nothing:\n    x = missing + 1\n    return x\n\nprint(gone, f)\n"
    found = unresolved("a.py", text)
    assert [(error.line, error.message.split("`")[1]) for error in found] == [
        (1, "Nothing"), (2, "missing"), (5, "gone"),
    ]  # fmt: skip


def test_a_name_that_is_missing_is_found_behind_any_letters():
    text = 'assert len("éé") == math.floor(2)\n'
    (error,) = unresolved("a.py", text)
    assert text[error.column - 1 : error.end_column - 1] == "math"
    assert PythonImports().missing(text) == {"math"}


def test_modules_that_nobody_has():
    files = {"tests/test_a.py": "import __main__\nimport pytest, no_such_thing\nimport os.path\n"}
    assert [e.message for e in unknown_modules(files)] == ["there is no module `no_such_thing`"]


def test_imports_from_the_exercise():
    files = {
        "src/exercise/__init__.py": "from .words import count\n",
        "src/exercise/words.py": "LIMIT = 3\ndef count(): ...\n",
        "tests/test_a.py": "from exercise.words import count, LIMIT, nothing\n"
        "from exercise import words, count, other\nfrom exercise.more import x\nimport os\n",
    }
    said = [error.message for error in bad_imports(files)]
    assert said == [
        "`exercise.words` does not define `nothing`",
        "`exercise` does not define `other`",
        "the exercise has no module `exercise.more`",
    ]


def test_errors_and_warnings_of_one_file():
    assert read("a.py", "x = (")[0][0].line == 1
    errors, warned = read("a.py", 'x = "\\d"\n')
    assert (errors, len(warned)) == ([], 1)


# neutral values


SHAPES = Shapes.of({
    "src/lib.rs": "pub struct Team { /// x\n pub name: String, pub points: u32 }\n"
    "pub struct Pair(pub u32, bool);\npub struct Unit;\n"
    "#[derive(Debug)]\npub enum Bad { Low { by: u8 }, High }\npub enum Way { Up, Down }\n"
})  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("", ""),
        ("-> u32", "0"),
        ("-> bool", "false"),
        ("-> &'static str", '""'),
        ("-> Option<&Team>", "None"),
        ("-> Result<u8, Bad>", "Ok(0)"),
        ("-> (u32, String)", "(0, Default::default(), )"),
        ("-> [u8; 4]", "[0; 4]"),
        ("-> Team", "Team { name: Default::default(), points: 0 }"),
        ("-> Pair", "Pair(0, false)"),
        ("-> Unit", "Unit"),
        ("-> Way", "Way::Up"),
        ("-> Bad", "Bad::Low { by: 0 }"),
        ("-> &mut Vec<u8>", "v"),
        ("-> &[u32]", "&[]"),
        ("-> impl Iterator<Item = u8>", "std::iter::empty()"),
        ("-> impl Fn(u8) -> u8", None),
    ],
)
def test_neutral_values_of_rust(kind, value):
    assert neutral_value(f"pub fn f(a: u32, mut v: &'a mut Vec<u8>) {kind}", SHAPES) == value


@pytest.mark.parametrize(
    ("language", "text", "body"),
    [
        ("python", "def f(a: int) -> int:\n    return 1\n", "return 0"),
        ("python", "def f() -> 'list[int]':\n    return [1]\n", "return []"),
        ("python", "def f() -> tuple[int, str]:\n    return 1, 'a'\n", 'return (0, "", )'),
        ("python", "def f() -> typing.Mapping[str, int]:\n    return 1\n", "return {}"),
        ("python", "def f() -> Team:\n    return 1\n", "return None"),
        ("python", "def f(a):\n    return 1\n", "return None"),
        ("c", "int f(void) { return 1; }", "return 0;"),
        ("c", "static inline void f(int a) { a++; }", "return;"),
        ("c", "const char *f(void) { return 0; }", "return 0;"),
        ("c", "struct team f(void) { struct team t; return t; }", "return (struct team){0};"),
    ],
)
def test_neutral_bodies(language, text, body):
    site = TOOLCHAINS[language].functions(text)[0]
    assert dialect(language).neutral({"a": text}, "a", site) == body


def test_wrong_versions():
    text = 'def f(a):\n    if a < 10 and True:\n        return "x"\n    return a + 1\n'
    site = TOOLCHAINS["python"].functions(text)[0]
    made = list(mutants(text, site, dialect("python").grammar))
    assert 1 < len(made) <= 4
    assert len(set(made)) == len(made)
    assert text not in made
