"""What was read of a text is kept with what read it, and only of texts that are not long."""

from dataclasses import replace

from tutor_lsp.core.text.remembered import LONGEST, MOST, remembering
from tutor_lsp.languages.common.syntax import parse
from tutor_lsp.languages.registry import languages


class By:
    """Equal to every other one: only which it is may count."""

    def __init__(self):
        self.asked = []

    def __eq__(self, other):
        return True

    __hash__ = None


@remembering
def read(text, by):
    by.asked.append(text)
    return (text, by)


def test_a_text_is_read_once_by_each():
    first, second = By(), By()
    assert read("a", first)[1] is first
    assert read("a", second)[1] is second
    assert read("a", first)[1] is first
    assert (first.asked, second.asked) == (["a"], ["a"])


def test_a_few_are_kept():
    by = By()
    for _ in range(2):
        for number in range(MOST + 1):
            read(str(number), by)
    assert len(by.asked) == 2 * (MOST + 1)


def test_a_long_one_is_read_each_time():
    by = By()
    for _ in range(2):
        read("x" * (LONGEST + 1), by)
        read("x" * LONGEST, by)
    assert [len(text) for text in by.asked] == [LONGEST + 1, LONGEST, LONGEST + 1]


def test_grammars_of_one_name_are_told_apart():
    (grammar, *_) = (each.dialect().grammar for each in languages().values())
    text = "f(1, 2)\n"
    plain = parse(text, grammar)
    assert parse(text, grammar) is plain
    other = replace(grammar, literals=frozenset())
    assert parse(text, other) is not plain
