"""Which mistake it is, and where: the rules alone."""

from tutor_lsp.core.exercise.diagnosis import (
    agreed,
    first_error,
    first_line,
    with_error,
    with_form,
)
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.exercise.report import BuildError


def mistake(name, tag="", error=""):
    return Mistake(name, f"You do {name}.", "code", tag, error)


def error(line, file="src/a.rs", code="E0382"):
    return BuildError(file, line, 1, line, 2, code, "borrow of moved value")


def test_several_are_one_if_they_have_one_tag():
    one, other, third = mistake("a", "x"), mistake("b", "x"), mistake("c", "y")
    assert agreed([one, other]) is one
    assert agreed([one, third]) is None
    assert agreed([]) is None
    assert agreed([mistake("a"), mistake("b")]) is None
    assert agreed([mistake("a"), mistake("a")]).name == "a"


def test_the_reference_is_no_mistake():
    known = [mistake("a", "x")]
    assert with_form("f", {"a": "f"}, known, "g") is known[0]
    assert with_form("f", {"a": "f"}, known, "f") is None
    assert with_form("h", {"a": "f"}, known, "g") is None
    assert with_form(None, {"a": None}, known, "g") is None


def test_an_error_is_the_same_in_the_same_statement_alone():
    known = [mistake("a", "x", "E0382"), mistake("b", "y", "E0499"), mistake("c", "z")]
    forms = {"a": "s", "b": "s", "c": "s"}
    assert with_error(error(3), "s", forms, known) is known[0]
    assert with_error(error(3), "t", forms, known) is None
    assert with_error(error(3, code="E0505"), "s", forms, known) is None
    assert with_error(error(3), None, {"a": None}, known) is None


def test_the_first_error_in_the_function_counts():
    errors = [error(9), error(5), error(4, "src/b.rs"), error(1)]
    assert first_error(errors, "src/a.rs", 2, 8).line == 5
    assert first_error(errors, "src/a.rs", 6, 8) is None


def test_the_line_is_the_first_that_is_not_right():
    given, right = "def f(a):\n    pass\n", "def f(a):\n    b = a\n    return b + 1\n"
    assert first_line("def f(a):\n    b = a\n    return b\n", given, right) == 2
    assert first_line("def f(a):\n    b = a\n", given, right) == 1
    assert first_line("def f(a):\n\n    c  =  a\n", given, right) == 2
    assert first_line(given, given, right) == 0
