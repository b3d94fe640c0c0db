"""Parts of a file that several units ask for declarations in."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.exercise.declared import file_site
from tutor_lsp.core.exercise.parts import parts, put_back, text_of, with_code, without
from tutor_lsp.languages.registry import languages

LINES = {each: languages()[each].lines for each in ("python", "rust", "c")}
GIVEN = {
    "python": "# `a()` is 1.\n#\n# ex-1 - First principle: one\n# Start here: a?\n\n\n"
    "# `b()` is 2.\n#\n# ex-2 - First principle: two\n# Start here: b?\n",
    "rust": "// `a()` is 1.\n//\n// ex-1 - First principle: one\n// Start here: a?\n\n\n"
    "// `b()` is 2.\n//\n// ex-2 - First principle: two\n// Start here: b?\n",
    "c": "/*\n * `a()` is 1.\n *\n * ex-1 - First principle: one\n * Start here: a?\n */\n\n\n"
    "/*\n * `b()` is 2.\n *\n * ex-2 - First principle: two\n * Start here: b?\n */\n",
}
CODE = {
    "python": ("def a():\n    return 1", "def b():\n    return 2"),
    "rust": ("pub fn a() -> u8 {\n    1\n}", "pub fn b() -> u8 {\n    2\n}"),
    "c": ("static int a(void)\n{\n    return 1;\n}", "static int b(void)\n{\n    return 2;\n}"),
}


def written(language, *units):
    text = GIVEN[language]
    for unit in units:
        text = with_code(text, f"ex-{unit}", CODE[language][unit - 1], LINES[language])
    return text


@pytest.mark.parametrize("language", GIVEN)
def test_a_part_is_put_back_and_no_other_changes(language):
    lines, both = LINES[language], written(language, 1, 2)
    assert put_back(both, GIVEN[language], ["ex-1"], lines) == written(language, 2)
    assert put_back(both, GIVEN[language], ["ex-2"], lines) == written(language, 1)
    assert put_back(both, GIVEN[language], ["ex-1", "ex-2"], lines) == GIVEN[language]
    assert put_back(GIVEN[language], both, ["ex-2"], lines) == written(language, 2)


def test_a_comment_that_ends_the_code_above_is_of_the_part_above():
    lines, kept = LINES["python"], "def a():\n    return 1\n    # or 2?\n"
    first, second = GIVEN["python"].split("\n\n\n")
    text = f"{first}\n\n\n{kept}{second}"
    assert kept in put_back(text, GIVEN["python"], ["ex-2"], lines)
    assert put_back(text, GIVEN["python"], ["ex-1"], lines) == GIVEN["python"]


@pytest.mark.parametrize("language", GIVEN)
def test_other_line_ends_stay(language):
    lines = LINES[language]
    both, one = (
        text.replace("\n", "\r\n") for text in (written(language, 1, 2), written(language, 2))
    )
    assert put_back(both, GIVEN[language], ["ex-1"], lines) == one


@pytest.mark.parametrize("language", GIVEN)
def test_what_has_lost_its_comment_comes_back_where_it_belongs(language):
    lines = LINES[language]
    for unit in ("ex-1", "ex-2"):
        rest = without(written(language, 1, 2), [unit], lines)
        assert list(parts(rest, lines)) == [{"ex-1": "ex-2", "ex-2": "ex-1"}[unit]]
        again = put_back(rest, GIVEN[language], [unit], lines)
        assert list(parts(again, lines)) == ["ex-1", "ex-2"]
        assert text_of(again, unit, lines).split() == text_of(GIVEN[language], unit, lines).split()
    assert (
        put_back("", GIVEN[language], ["ex-1"], lines).split()
        == text_of(GIVEN[language], "ex-1", lines).split()
    )


OPEN = {"python": 'x = """\n', "rust": "/* open\n", "c": "/* open\n"}


@pytest.mark.parametrize("language", GIVEN)
def test_what_is_left_open_above_takes_no_comment_in(language):
    lines = LINES[language]
    text = with_code(written(language, 2), "ex-1", OPEN[language], lines)
    assert text_of(text, "ex-2", lines) == text_of(written(language, 2), "ex-2", lines)


@pytest.mark.parametrize("language", GIVEN)
def test_what_stands_above_the_first_comment_is_of_no_unit(language):
    lines, top = LINES[language], "top\n\n"
    text = top + written(language, 1)
    assert put_back(text, GIVEN[language], ["ex-1"], lines) == top + GIVEN[language]


ROWS = [
    "", "x = 1", "    def a(", "# ex-1 - First principle: a", "/*", " * ex-2 - First principle: b",
    " */", "// ex-2 - First principle: b", "#", "//", "def b(): ...", "pub fn a() {", "\ufeff#",
]  # fmt: skip


@pytest.mark.parametrize("language", GIVEN)
@given(st.lists(st.sampled_from(ROWS), max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
def test_any_text_has_a_place_for_each_mark(language, rows, end):
    text, lines = end.join(rows), LINES[language]
    for unit, stub in (("ex-1", "a"), ("ex-2", "b")):
        site = file_site(stub, text, lines, shared=unit)
        assert 1 <= site.line <= len(rows) or not rows
        assert site.column <= site.end_column
        assert 0 <= site.start <= site.body_start <= site.body_end <= max(site.end, site.start)
        assert site.end <= len(text)
        assert text_of(put_back(text, GIVEN[language], [unit], lines), unit, lines) is not None
    found = sorted(parts(text, lines).values(), key=lambda part: part.first)
    for one, other in itertools.pairwise(found):
        assert one.first <= one.code <= one.end <= other.first
