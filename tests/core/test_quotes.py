"""Quotes stand at their places, character for character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.core.text.quotes import find_quote, own_lines

TEXT = "def f():\n    x = 1\n\n    return x\n"


@pytest.mark.parametrize(
    ("line", "end", "quote", "place"),
    [
        (2, 2, "x = 1", (2, 5, 2, 10)),
        (2, 2, "  x = 1  \n", (2, 5, 2, 10)),
        (1, 4, "= 1", (2, 7, 2, 10)),
        (2, 4, "x = 1\r\n\r\n    return x", (2, 5, 4, 13)),
        (2, 4, "x = 1\n\nreturn x", None),
        (1, 1, "x = 1", None),
        (2, 2, "x  = 1", None),
        (2, 3, "x = 1\n\n    return x", None),
        (2, 2, " \n", None),
        (0, 2, "x = 1", None),
        (4, 2, "x = 1", None),
        (2, 99, "x = 1", None),
    ],
)
def test_a_quote_is_found_where_it_stands_and_nowhere_else(line, end, quote, place):
    for text in (TEXT, TEXT.replace("\n", "\r\n"), TEXT.replace("\n", "\r")):
        found = find_quote(text, line, end, quote)
        assert (found and found[:4]) == place
    assert find_quote(None, line, end, quote) is None


texts = st.text(st.sampled_from("ab\n\r\t äß日\u2028\x0c😀"), max_size=30)


@given(texts, texts, st.integers(-1, 9), st.integers(-1, 9))
def test_what_is_found_stands_there(text, quote, line, end):
    found = find_quote(text, line, end, quote)
    if found is None:
        return
    lines = split_lines(text)[found.line - 1 : found.end_line]
    assert line <= found.line <= found.end_line <= end
    assert found.quote in "\n".join(lines)
    cut = [*lines[:-1], lines[-1][: found.end_column - 1]]
    cut[0] = cut[0][found.column - 1 :]
    assert "\n".join(cut) == found.quote


@given(texts, st.data())
def test_every_copied_quote_is_found(text, data):
    lines = split_lines(text)
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    quote = "\n".join(lines[first - 1 : last])
    assert (find_quote(text, first, last, quote) is not None) == bool(quote.strip())


def test_own_lines_are_those_that_were_not_given():
    text = "def f(): \r\n    x = 1\r\n    return x\r\n\r\n"
    assert own_lines(text, ["def f():\n    pass", "    return x\n"]) == {2}
