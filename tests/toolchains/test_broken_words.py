"""What compilers say of declarations, as learners hear it: recorded messages, nothing is built."""

import pytest
from toolchain_kit import TOOLS

from tutor_lsp.core.exercise.report import BuildError, RawTest, TestOutcome
from tutor_lsp.languages.c.diagnostics import compiler_said
from tutor_lsp.languages.rust.events import build_error

FILES = {
    "rust": ("src/till.rs", "tests/till.rs", "pub struct Till {}\n"),
    "python": ("src/exercise/till.py", "tests/test_till.py", "class Till:\n    pass\n"),
    "c": ("src/till.h", "tests/test_till.c", "struct till {\n};\n"),
}
IN_TESTS = [
    ("rust", "assert_eq!(till.total(), 3);", "E0615",
     "attempted to take value of method `total` on type `Till`: method, not a field",
     "`total` is a method, and the tests read it: it has to be a field"),
    ("rust", "assert_eq!(till, other);", "E0369",
     "binary operation `==` cannot be applied to type `Till`; consider annotating `Till`",
     "the tests compare `Till`, which cannot be: derive `PartialEq` for it"),
    ("rust", "assert_eq!(till, other);", "E0277",
     "`Till` doesn't implement `Debug`: the trait `Debug` is not implemented for `Till`",
     "`Till` cannot be shown where a test fails: derive `Debug` for it"),
    ("rust", "let till = Till { cents: 3 };", "E0574",
     "expected struct, variant or union type, found enum `Till`",
     "`Till` is declared as enum, and used as struct, variant or union type: "
     "`let till = Till { cents: 3 }`"),
    ("rust", "till.keep(&log);", "E0597",
     "`log` does not live long enough: argument requires that `log` is borrowed for `'static`",
     "`Till` does not fit its use `till.keep(&log)`: `log` does not live long enough: argument "
     "requires that `log` is borrowed for `'static`"),
    ("rust", "let till = Till::new();", "E0061",
     "this function takes 1 argument but 0 arguments were supplied; provide the argument",
     "`Till` does not fit its use `let till = Till::new()`: this function takes 1 argument but 0 "
     "arguments were supplied"),
    ("python", "@Till(3)", "TypeError", "TypeError: 'NoneType' object is not callable",
     "`@Till(3)` calls None: does `Till` return what it makes?"),
    ("c", "struct till till;", None, "storage size of `till` isn’t known",
     "the members of the struct in `struct till till` are not declared"),
    ("c", "int total = till_add(&till);", None, "void value not ignored as it ought to be",
     "`int total = till_add(&till)` needs an answer, and what it calls is declared as `void`"),
]  # fmt: skip
IN_ITS_FILE = [
    ("rust", "E0594",
     "cannot assign to `self.cents`, which is behind a `&` reference: `self` is a `&` reference, "
     "so it cannot be written to",
     "line 1 of src/till.rs does not build: `&self` lends for reading alone: what changes it takes "
     "`&mut self`"),
    ("python", "IndentationError", "unexpected indent",
     "line 1 of src/exercise/till.py does not build: unexpected indent"),
    ("python", "ZeroDivisionError", "ZeroDivisionError: division by zero",
     "line 1 of src/exercise/till.py raised ZeroDivisionError: division by zero"),
    ("c", None, "expected specifier-qualifier-list before `cents`",
     "line 1 of src/till.h does not build: the type is missing before `cents`"),
]  # fmt: skip


def told(language, file, message, code, used, column=1):
    own, tests, text = FILES[language]
    error = BuildError(file, 1, column, 1, column + 1, code, message)
    test = RawTest("test_till_is_kept", TestOutcome.ERRORED, broken=error)
    stub = "till" if language == "c" else "Till"
    return TOOLS[language].explain(test, {own: text, tests: f"{used}\n"}, [stub])


@pytest.mark.parametrize(("language", "used", "code", "message", "said"), IN_TESTS)
def test_what_does_not_fit_its_use(language, used, code, message, said):
    assert told(language, FILES[language][1], message, code, used).message == said


@pytest.mark.parametrize(("language", "code", "message", "said"), IN_ITS_FILE)
def test_what_is_wrong_in_its_own_file(language, code, message, said):
    assert told(language, FILES[language][0], message, code, "").message == said


COMPARED = "assert_eq!(till.total(), Some(3));"


@pytest.mark.parametrize(
    ("code", "column", "said"),
    [
        (
            "E0308",
            26,
            "`till.total()` is of type `integer`, and the tests compare it with `Option<",
        ),
        ("E0308", 12, "`Till` does not fit its use `assert_eq!(till.total(), Some(3))`: mismatch"),
        ("E0277", 26, "`Till` does not fit its use"),
    ],
)
def test_two_types_are_told_from_the_learner_s_side(code, column, said):
    message = "mismatched types: expected `{integer}`, found `Option<{integer}>`"
    failure = told("rust", "tests/till.rs", message, code, COMPARED, column)
    assert failure.message.startswith(said)
    if said.startswith("`till"):
        assert (failure.actual, failure.expected) == ("integer", "Option<integer>")


def rustc(message, label, *children):
    span = {
        "is_primary": True, "label": label, "file_name": "src/lib.rs", "expansion": None,
        "line_start": 1, "line_end": 1, "column_start": 1, "column_end": 2,
    }  # fmt: skip
    said = [{"level": level, "message": text} for level, text in children]
    return {"message": message, "code": None, "spans": [span], "children": said}


def test_a_value_that_is_used_up_names_the_method():
    taken = "`Till::total` takes ownership of the receiver `self`, which moves `till`"
    found = build_error(
        rustc("use of moved value: `till`", "value used here after move", ("note", taken)), "/w"
    )
    assert found.message == f"use of moved value: `till`: {taken}"
    plain = rustc("use of moved value: `till`", "value used here after move", ("note", "else"))
    assert build_error(plain, "/w").message.endswith(": value used here after move")


def test_a_label_that_says_the_same_is_left_out():
    found = build_error(
        rustc("cannot find type `T` in this scope", "not found in this scope"), "/w"
    )
    assert found.message == "cannot find type `T` in this scope"


STRUCT = "struct till {\n    int cents;\n}"


@pytest.mark.parametrize(
    ("after", "place", "said", "line"),
    [
        (
            "\n\nstatic inline void f();\n",
            "5:15",
            "expected ‘;’, identifier or ‘(’ before ‘void’",
            3,
        ),
        ("\n\nint f(void);\n", "5:1", "two or more data types in declaration specifiers", 3),
        (";\n\nint int f(void);\n", "5:5", "two or more data types in declaration specifiers", 5),
        ("\n\nint f(void);\n", "5:1", "unknown type name ‘x’", 5),
    ],
)
def test_a_semicolon_is_missing_where_the_type_ends(after, place, said, line):
    files = {"src/till.h": f"{STRUCT}{after}"}
    (found,) = compiler_said(f"src/till.h:{place}: error: {said}\n", files).errors
    assert found.line == line
    missing = found.message == "the `;` is missing after the `}` of `struct till`"
    assert missing == (line == 3)


@pytest.mark.parametrize(
    ("column", "message", "said"),
    [
        (10, "stray ‘\\342’ in program", "stray `“` in program"),
        (12, "stray ‘\\234’ in program", "stray `“` in program"),
        (1, "stray ‘@’ in program", "stray `@` in program"),
        (1, "passing argument 2 of ‘tutor_run_’ from incompatible pointer type",
         "RUN_TEST takes the name of a test: a `void` function without parameters"),
        (1, "passing argument 1 of ‘tutor_text_’ makes pointer from integer without a cast",
         "TEST_ASSERT_STR_EQ compares texts, which this is not"),
        (1, "passing argument 1 of ‘till_add’ from incompatible pointer type",
         "passing argument 1 of `till_add` from incompatible pointer type"),
    ],
)  # fmt: skip
def test_nothing_is_named_that_stands_in_no_text(column, message, said):
    files = {"src/till.h": "int till(“a”);\n"}
    (found,) = compiler_said(f"src/till.h:1:{column}: error: {message}\n", files).errors
    assert found.message == said
