"""Which calls a text tells of, whose they are, and which of them say nothing of how it is done."""

import pytest

from tutor_lsp.languages.registry import dialect
from tutor_lsp.tutor.hinting.coach.claims import (
    Whose,
    calls_in,
    holds_value,
    is_one_call,
    spelled,
    tells_of_mine,
    told,
    without_claims,
)

GRAMMARS = {name: dialect(name).grammar for name in ("python", "rust", "c")}
PYTHON = GRAMMARS["python"]
STUBS = {"clamp", "clean", "Basket"}


@pytest.mark.parametrize(
    ("language", "code", "is_one"),
    [
        ("python", "clamp(150)", True),
        ("python", 'clean("a b", [1, -2], None)', True),
        ("python", 'Basket(["a"])', True),
        ("python", 'Basket(["a"]).count("a")', True),
        ("python", "max(0, min(100, 150))", False),
        ("python", "clamp(max(0, 150))", False),
        ("python", "clamp(clamp(150))", False),
        ("python", "clamp(150)[0]", False),
        ("python", "clamp(1) + clamp(2)", False),
        ("python", "clamp(3 * 50)", False),
        ("python", "clamp(n)", False),
        ("python", "clean(f'{max(1, 2)}')", False),
        ("python", "'-'.join('a_b c'.replace('_', ' ').split())", False),
        ("python", 'clean("a").strip()', False),
        ("python", 'Basket("a".upper())', False),
        ("python", "Basket([1]).sorted().count(1)", False),
        ("rust", "clamp(1_500, &[1, 2], Some(3))", True),
        ("rust", "clamp(vec![1, 2])", True),
        ("rust", 'Basket::new("a")', True),
        ("rust", 'Basket::new("a").count()', True),
        ("rust", "clamp(150).min(100)", False),
        ("rust", 'clamp(&Pantry::new(), "a")', True),
        ("rust", "clamp(&Pantry::from(max(1, 2)))", False),
        ("rust", "150.min(100)", False),
        ("c", "clamp(150, true)", True),
        ("c", 'clean("a", NULL)', True),
        ("c", 'strlen("a")', False),
        ("c", 'clamp(strlen("a"))', False),
    ],
)
def test_one_call_of_a_stub_is_told_from_all_else(language, code, is_one):
    assert is_one_call(code, STUBS, GRAMMARS[language]) is is_one


def test_only_such_a_call_is_taken_out_with_its_value():
    way = "`max(0, min(100, 150))` gives `100`."
    text = f"`clamp(150)` gives `150`. {way}"
    assert without_claims(text, STUBS, PYTHON) == f" gives . {way}"


def test_a_value_that_is_also_an_argument_counts_where_it_is_said_to_be_given():
    assert [each.gives for each in told("`clamp(150)` returns 150.", STUBS, PYTHON)] == ["150"]
    assert not list(told("For `clamp(150)` the 150 is too much.", STUBS, PYTHON))


@pytest.mark.parametrize(
    ("said", "tells"),
    [
        ("Your `clamp(150)` has three digits.", True),
        ("Now try `clamp(150)` on paper.", False),
        ("What is `clamp(150)` now?", False),
        ("`clamp(150)` is one call.", False),
        ("Dein `clamp(150)` hat drei Ziffern.", True),
        ("今の `clamp(150)` は三桁です。", True),
    ],
)
def test_what_is_told_of_the_learners_code(said, tells):
    assert tells_of_mine(said) is tells


def test_a_value_beside_a_refuted_claim_is_told_where_it_is_a_fact():
    assert holds_value("With an empty one your function returns 1.", "1")
    assert not holds_value("Does it return 1?", "1")
    assert not holds_value("It returns 1.5 or 10.", "1")


@pytest.mark.parametrize(
    ("said", "whose"),
    [
        ("If you call `clamp(150)` it is `100`.", Whose.EITHER),
        ("What you want of `clamp(150)` should be `100`.", Whose.WANTED),
        ("Your code makes `150` of `clamp(150)`.", Whose.MINE),
    ],
)
def test_a_word_to_the_learner_is_no_word_of_their_code(said, whose):
    (found,) = told(said, STUBS, PYTHON)
    assert found.whose is whose


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("With `clean('B')` it is the same.", True),
        ("With `clean( \"B\" )` it is the same.", True),
        ("See clean(\"B\") for that.", True),
        ("What is `clean(\"B\") + \"!\"` then?", True),
        ("With `unclean(\"B\")` it is the same.", False),
        ("With `clean(\"B\", 2)` it is the same.", False),
    ],
)  # fmt: skip
def test_a_call_is_known_however_it_is_written(said, holds):
    assert (spelled('clean("B")', PYTHON) in calls_in(said, STUBS, PYTHON)) is holds


def test_a_value_belongs_to_one_call():
    said = "`clean([1, 2])` is `[2]`, and `clamp([2])` is 2."
    assert [(each.call, each.gives) for each in told(said, STUBS, PYTHON)] == [
        ("clean([1, 2])", "[2]")
    ]


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("`clamp(3)` should give `4`, but yours gives `9`.", True),
        ("`clamp(3)` should give `4`.", False),
        ("With 3 in it, `clamp(3)` gives `4`.", False),
    ],
)
def test_a_sentence_with_another_value_is_not_all_run(said, more):
    assert [each.more for each in told(said, STUBS, PYTHON)] == [more]


def test_values_are_left_where_they_say_how_it_is_done():
    text = "`clamp(3)` gives `4`. Return `4` when `n` is `3`."
    assert without_claims(text, STUBS, PYTHON) == " gives . Return `4` when `n` is `3`."
    text = "`clamp(0)` gives `[]`: start with `[]`."
    assert without_claims(text, STUBS, PYTHON) == " gives : start with `[]`."
