"""What a test looks at becomes inputs in which nothing compares."""

import pytest

from tutor_lsp.languages.registry import dialect


def inputs(language, test, stub="f"):
    found = dialect(language).watch.inputs(test, stub)
    return [(each.setup, each.call, each.after) for each in found]


PYTHON = [
    ("assert f(1) == 2\n    assert f(3) is True", [((), "f(1)", ()), ((), "f(3)", ())]),
    ("assert len(f([1])) == 1, 'one'", [((), "f([1])", ()), ((), "len(f([1]))", ())]),
    (
        "n = 5\n    home = [1]\n    assert f(home) == [1, 2]\n    assert home == [1]",
        [
            (("home = [1]",), "f(home)", ("home",)),
            (
                ("home = [1]", "with _contextlib.suppress(Exception):\n    f(home)"),
                "home",
                (),
            ),
        ],
    ),
    ("with pytest.raises(ValueError, match='x'):\n        f(-1)", [((), "f(-1)", ())]),
    (
        "for n in (1, 2):\n        assert f(n) == n",
        [(("for n in (1, 2):\n    _tutor_see(lambda: (f(n)))",), "", ())],
    ),
    ("f(days=3)\n    assert True", []),
    (
        "with pytest.raises(ValueError) as caught:\n        f(-1)\n"
        "    assert str(caught.value) == 'x'",
        [
            ((), "f(-1)", ()),
            (
                ("with pytest.raises(ValueError) as caught:\n    f(-1)",),
                "str(caught.value)",
                ("caught",),
            ),
        ],
    ),
    (
        "log = []\n    ask = f(log)\n    ask('x')\n    assert log == ['x']",
        [(("log = []", "ask = f(log)", "ask('x')"), "log", ())],
    ),
]
RUST = [
    ("assert_eq!(f(1), 2);\n    assert!(f(3));", [((), "f(1)", ()), ((), "f(3)", ())]),
    ("assert!(f(3).is_some());", [((), "f(3)", ()), ((), "f(3).is_some()", ())]),
    (
        "let mut a = A::new(1);\n    a.f(2);\n    assert_eq!(a.left(), 3);",
        [(("let mut a = A::new(1);", "a.f(2);"), "a.left()", ("a",))],
    ),
    (
        "let mut v = vec![1];\n    assert!(f(&mut v));\n    assert_eq!(v, [2]);",
        [
            (("let mut v = vec![1];",), "f(&mut v)", ("v",)),
            (("let mut v = vec![1];", "let _ = f(&mut v);"), "v", ()),
        ],
    ),
    ("f(&[]);", [((), "f(&[])", ())]),  # it shall panic
]
C = [
    ("TEST_ASSERT_EQ(2, f(1));", [((), "f(1)", ())]),
    (
        'char out[8];\n    f(3, out, sizeof out);\n    TEST_ASSERT(strcmp(out, "3") == 0);',
        [(("char out[8];", "f(3, out, sizeof out);"), "out", ())],
    ),
    (
        "int list[] = {2, 1};\n    TEST_ASSERT_EQ(1, f(list, 2));",
        [(("int list[] = {2, 1};",), "f(list, 2)", ("list",))],
    ),
]


@pytest.mark.parametrize(("body", "expected"), PYTHON)
def test_python_inputs(body, expected):
    assert inputs("python", f"def test_f():\n    {body}\n") == expected


@pytest.mark.parametrize(("body", "expected"), RUST)
def test_rust_inputs(body, expected):
    assert inputs("rust", f"fn test_f() {{\n    {body}\n}}\n") == expected


@pytest.mark.parametrize(("body", "expected"), C)
def test_c_inputs(body, expected):
    assert inputs("c", f"void test_f(void)\n{{\n    {body}\n}}\n") == expected


def test_the_words_of_an_error_count_where_a_test_looks_at_them():
    test = "def test_f():\n    with pytest.raises(ValueError{}):\n        f(-1)\n"
    watch = dialect("python").watch
    assert [each.words for each in watch.inputs(test.format(""), "f")] == [False]
    (given,) = watch.inputs(test.format(", match='below'"), "f")
    assert given.words
    assert "words=True" in watch.case(given, "tutor_case")


def test_what_is_printed_belongs_to_its_case():
    watch = dialect("c").watch
    output = (
        "tutor-probe 0 ! crash\ntutor-probe 0 = 3\n"
        "tutor-probe 1 ! crashhello\nyou\ntutor-probe 1 = 4\n"
        "tutor-probe 2 ! crash\ntutor-probe 2 ~\n"
        "tutor-probe 3 ! crash"
    )
    assert watch.outcomes(output) == {0: "= 3", 1: "= 4 > 'hello\\nyou'", 2: "~", 3: "! crash"}
    assert dialect("python").watch.outcomes("tutor-probe 0 = 3\ntutor-probe 1 ~\n") == {
        0: "= 3",
        1: "~",
    }
