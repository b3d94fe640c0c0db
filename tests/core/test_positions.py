"""Lines end at \\n, \\r\\n and \\r only; every conversion clamps and goes both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.text.positions import LineIndex, split_lines, width

ENCODINGS = ["utf-8", "utf-16", "utf-32"]
texts = st.text(
    st.one_of(st.sampled_from("\n\r\t aé€😀\f\u2028\u0085\x0b"), st.characters()), max_size=40
)
numbers = st.integers(-5, 60) | st.sampled_from([-(10**12), 10**12])


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("a\n", ["a", ""]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("a\fb\u2028c\u0085d\x0be", ["a\fb\u2028c\u0085d\x0be"]),
        ("\r\r\n\n", ["", "", "", ""]),
    ],
)
def test_only_three_line_ends_split(text, lines):
    assert split_lines(text) == lines
    assert [LineIndex(text).line(n + 1) for n in range(len(lines))] == lines


@pytest.mark.parametrize(
    ("encoding", "character"), [("utf-8", 1 + 2 + 4), ("utf-16", 1 + 1 + 2), ("utf-32", 3)]
)
def test_the_same_place_in_every_unit(encoding, character):
    index = LineIndex("x\naé😀b")
    assert index.to_client(2, 4, encoding) == (1, character)
    assert index.from_client(1, character, encoding) == (2, 4)


def test_inside_a_character_is_its_start():
    index = LineIndex("a😀b")
    assert index.from_client(0, 2, "utf-16") == (1, 2)
    assert index.from_client(0, 3, "utf-16") == (1, 3)
    assert [index.from_client(0, n, "utf-8").column for n in range(1, 6)] == [2, 2, 2, 2, 3]


def test_places_outside_the_text_are_clamped():
    index = LineIndex("ab\r\ncd")
    assert index.from_client(-1, 5, "utf-16") == (1, 1)
    assert index.from_client(0, -3, "utf-16") == (1, 1)
    assert index.from_client(0, 99, "utf-16") == (1, 3)
    assert index.from_client(99, 0, "utf-16") == (2, 3)
    assert index.to_client(99, 1, "utf-8") == (1, 2)
    assert index.offset(0, 9) == 0
    assert index.line(0) == index.line(3) == ""


def test_an_offset_inside_a_line_end_is_the_end_of_its_line():
    assert LineIndex("ab\r\ncd").position(3) == (1, 3)


@given(texts)
def test_lines_and_ends_make_up_the_text(text):
    assert sum(map(len, split_lines(text))) + text.count("\r") + text.count("\n") == len(text)


@given(texts, numbers)
def test_offset_to_position_and_back(text, offset):
    index = LineIndex(text)
    clamped = min(max(offset, 0), len(text))
    place = index.position(offset)
    inside_line_end = text[clamped - 1 : clamped + 1] == "\r\n"
    assert index.offset(*place) == clamped - inside_line_end


@given(texts, numbers, numbers, st.sampled_from(ENCODINGS))
def test_position_to_client_and_back(text, line, column, encoding):
    index = LineIndex(text)
    place = index.position(index.offset(line, column))
    sent = index.to_client(line, column, encoding)
    assert index.from_client(*sent, encoding) == place
    assert sent.character == width(index.line(place.line)[: place.column - 1], encoding)


@given(texts, numbers, numbers, st.sampled_from(ENCODINGS))
def test_any_client_position_gives_a_place_in_the_text(text, line, character, encoding):
    index = LineIndex(text)
    place = index.from_client(line, character, encoding)
    assert 1 <= place.line <= index.line_count
    assert 1 <= place.column <= len(index.line(place.line)) + 1
    assert (
        index.to_client(*place, encoding).character <= max(character, 0)
        or line < 0
        or (line >= index.line_count)
    )


@given(texts, texts, st.sampled_from(ENCODINGS))
def test_widths_add_up(first, second, encoding):
    assert width(first + second, encoding) == width(first, encoding) + width(second, encoding)
