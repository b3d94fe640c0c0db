"""What tells the edit that is left: what it puts in whose place, names, or signs."""

import pytest

from tutor_lsp.languages.common.syntax import parse
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.languages.registry import dialect
from tutor_lsp.tutor.hinting.coach.pieces import pairs
from tutor_lsp.tutor.hinting.coach.prose import (
    dictates,
    names_in_order,
    names_missing,
    signs_in_order,
)
from tutor_lsp.tutor.hinting.coach.splices import Target, changed

PYTHON = dialect("python").grammar
BLANK = 'def area(width, height):\n    raise NotImplementedError("area")\n'


def body(code):
    return parse(code, PYTHON).tokens


def target(line):
    mine = f"def area(width, height):\n    {line}\n"
    return Target(PythonToolchain(), PYTHON, "area", BLANK, mine)


def made(line, text):
    return [each.text.split("\n")[1].strip() for each in changed(target(line), pairs(text))]


@pytest.mark.parametrize(
    ("line", "text", "wanted"),
    [
        ("return width + height", "Replace `+` by `*`.", "return width * height"),
        ("return teams", "Ersetze `teams` durch `by_name(teams)`.", "return by_name(teams)"),
        ("cells = {}", "Cambia `{}` por `set()`.", "cells = set()"),
        ("return width + height", "Schreib `% 8` dahinter.", "return (width + height) % 8"),
        ("return width", "Then `.strip()` comes.", "return width .strip()"),
    ],
)
def test_a_piece_is_tried_in_the_place_of_another_one(line, text, wanted):
    assert wanted in made(line, text)


@pytest.mark.parametrize(
    "text",
    [
        "Would `*` do instead of `+`?",
        "`print` shows a value. `return` gives it back.",
        "`print` shows a value and `return` gives it back.",
        "`+` adds. The lesson has `*` as well.",
    ],
)
def test_what_asks_or_only_names_words_is_no_edit(text):
    assert "return width * height" not in made("return width + height", text)
    assert "return(width)" not in made("print(width)", text)


REFERENCE = body("minutes = time // 60\nreturn minutes * 100 + time % 60\n")


@pytest.mark.parametrize(
    ("text", "own", "told"),
    [
        ("Wynik: czas // 60 * 100 + czas % 60.", (), True),
        ("Czas // 60, potem * 100.", (), False),
        ("125 to 2 i 5, a więc 205.", (), False),
        ("- 60\n- 100\n- 60", (), False),
        ("Wynik: czas // 60 * 100 + czas % 60.", ("//", "60", "*", "100", "+", "%"), False),
    ],
)
def test_a_formula_is_known_by_its_signs(text, own, told):
    assert signs_in_order(text, REFERENCE, own) is told


PAIR = body("return x + dx, y + dy\n")


def test_names_in_the_order_of_the_reference_dictate_it():
    assert names_in_order("`x` に `dx`、`y` に `dy` を足す。", PAIR, ())
    assert not names_in_order("`x` と `y`、それから `dx` と `dy`。", PAIR, ())
    assert not names_in_order("x に dx、y に dy。", PAIR, ()), "only code is read"
    assert not names_in_order("`x`, `dx`, `y`, `dy`", PAIR, ("x", "dx", "y", "dy"))


def test_all_that_is_missing_is_the_edit():
    wanted = body("if not pay(cents):\n    return None\nreturn card(cents)\n")
    own = ("pay", "cents", "card", "(", ")", "return")
    assert names_missing("`not` の `if` で `None` です。", wanted, ["cents"], own)
    assert not names_missing("`if` です。", wanted, ["cents"], own)
    assert not names_missing("`not`, `if`, `None`", wanted, ["cents"], ()), "nothing was begun"
    short = body("return title.strip().lower()\n")
    names = names_missing("Look at `strip` and `lower`.", short, ["title"], ("title", "return"))
    assert not names, "methods alone are names, not an edit"


def test_a_question_beside_it_hides_nothing_and_is_no_dictation_itself():
    told, asked = "Wynik: czas // 60 * 100 + czas % 60.", "Wynik: czas // 60 * 100 + czas % 60?"
    assert dictates(f"{told} Jasne?", REFERENCE, ["time"])
    assert not dictates(asked, REFERENCE, ["time"])
