"""The stub comment, as written by the rules and as people and models write it."""

import pytest

from tutor_lsp.core.exercise.stub_comment import parse_stub_comment

EXACT = """\
Returns the offset of the new block.

ex-2 — First principle: bump pointer advance
Read: LESSON.md § "Arena layout and bump pointers"
Test: test_arena_alloc_advances_offset, test_arena_alloc_refuses_overflow
Start here: compute the aligned size, then look at how far the offset moves"""
"""The form of earlier versions."""
FORM = """\
ex-2 - First principle: bump pointer advance
Read: LESSON.md, "Arena layout and bump pointers"
Test: test_arena_alloc_advances_offset
Start here: compute the aligned size, then look at how far the offset moves"""


def test_all_fields_are_read_with_their_lines():
    comment = parse_stub_comment(EXACT)
    assert comment is not None
    assert comment.unit_id == "ex-2"
    assert comment.first_principle == "bump pointer advance"
    assert comment.heading == "Arena layout and bump pointers"
    assert comment.tests == (
        "test_arena_alloc_advances_offset",
        "test_arena_alloc_refuses_overflow",
    )
    assert comment.start_here.startswith("compute the aligned size")
    assert comment.contract == "Returns the offset of the new block."
    assert list(comment.places.values()) == [(3, 3), (4, 4), (5, 5), (6, 6)]
    assert (comment.line, comment.end_line) == (3, 6)
    assert comment.complete


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("—", "-"),
        ("—", "–"),
        (" — ", ": "),
        ('"Arena layout and bump pointers"', "“Arena layout and bump pointers”"),
        ('"Arena layout and bump pointers"', "'Arena layout and bump pointers'"),
        ('"Arena layout and bump pointers"', "Arena layout and bump pointers"),
        ("§ ", "§"),
        ("§ ", ""),
        ("LESSON.md §", "`LESSON.md` §"),
        ("Test:", "Tests:"),
        ("offset, test", "offset,\n    test"),
        ("First principle", "first principle"),
        ("\n", "\r\n"),
    ],
)
def test_other_spellings_mean_the_same(old, new):
    assert old in EXACT
    exact, other = parse_stub_comment(EXACT), parse_stub_comment(EXACT.replace(old, new))
    assert other is not None
    assert (other.heading, other.tests, other.start_here, other.first_principle) == (
        exact.heading,
        exact.tests,
        exact.start_here,
        exact.first_principle,
    )


def test_a_continued_test_line_moves_the_lines_below_it():
    comment = parse_stub_comment(EXACT.replace("offset, test", "offset,\n    test"))
    assert (comment.places["test"], comment.places["start"], comment.end_line) == (
        (5, 6),
        (7, 7),
        7,
    )


def test_text_after_the_fields_belongs_to_none_of_them():
    comment = parse_stub_comment(EXACT + "\n\nSee also: something else.")
    assert comment.start_here.endswith("the offset moves")
    assert comment.end_line == 6


def test_a_heading_with_quotes_inside_keeps_them():
    comment = parse_stub_comment(EXACT.replace("Arena layout", 'The `"a"` case: layout'))
    assert comment.heading == 'The `"a"` case: layout and bump pointers'


@pytest.mark.parametrize("text", ["", "Only prose.", "ex-1: no principle", "Test: test_a"])
def test_other_comments_are_none(text):
    assert parse_stub_comment(text) is None


def test_missing_fields_are_empty():
    comment = parse_stub_comment("ex-1 — First principle: one")
    assert (comment.heading, comment.tests, comment.start_here) == ("", (), "")
    assert list(comment.places) == ["first"]
    assert not comment.complete


def test_what_is_read_is_written_in_one_form():
    assert list(parse_stub_comment(EXACT).written().values()) == FORM.split("\n")
    assert list(parse_stub_comment(FORM).written().values()) == FORM.split("\n")


@pytest.mark.parametrize(
    ("old", "written"),
    [
        ("bump pointer — advance", "bump pointer - advance"),
        ("bump pointer advance…", "bump pointer advance..."),
        ("“bump” pointer advance", '"bump" pointer advance'),
        ("naïve Größe", "naive Grosse"),
        ("a number’s `“` sign", "a number's `“` sign"),
        ('what "Köln" is – roughly', 'what "Köln" is - roughly'),
        ("1–3 ≤ 4", "1-3 <= 4"),
        ("указатель", "указатель"),
    ],
)
def test_what_has_an_ascii_form_is_written_in_it(old, written):
    comment = parse_stub_comment(EXACT.replace("bump pointer advance", old))
    assert comment.written()["first"] == f"ex-2 - First principle: {written}"


def test_a_missing_field_is_not_written():
    assert parse_stub_comment("ex-1 — First principle: one").written() == {
        "first": "ex-1 - First principle: one"
    }
