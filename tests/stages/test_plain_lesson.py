"""A lesson of a model can do nothing; what is in order in it stays byte for byte."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from test_plain_markdown import MARKDOWN, READER

import tutor_lsp
from tutor_lsp.stages.plain_lesson import harmless_lesson

LESSONS = sorted((Path(tutor_lsp.__file__).parent / "library").glob("*/*/LESSON.md"))


def test_lessons_that_are_in_order_stay_as_they_are():
    assert len(LESSONS) > 20
    for path in LESSONS:
        text = path.read_text("utf-8")
        assert harmless_lesson(text) == text, path


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("## A\n\n* x\n\n[f](src/lib.rs)\n", "## A\n\n* x\n\n[f](src/lib.rs)\n"),
        ("| a | b |\n|---|---|\n| 1 | `2` |\n", "| a | b |\n|---|---|\n| 1 | `2` |\n"),
        ("a\n\n<script>x</script>\n\nb", "a\n\n\\<script>x\\</script>\n\nb"),
        ("## A ![p](http://e.x/p)\n\nb", "## A p\n\nb"),
        ("[f](src/a.py) and [g](https://e.x)\n", "[f](src/a.py) and g (`https://e.x`)\n"),
        ("[f](../../etc/a)\n\n[g](/etc/a)", "f (`../../etc/a`)\n\ng (`/etc/a`)"),
        ("[a]: http://e.x\n\n[a]\n", "[a\\]: `http://e.x`\n\n[a]\n"),
        ("see https://e.x now", "see `https://e.x` now"),
        ("a\u202eb\n\n```c\nint x;", "ab\n\n```c\nint x;\n```"),
        ("> <b>x</b>\n\n## B", "\\<b>x\\</b>\n\n## B"),
    ],
)  # fmt: skip
def test_what_comes_of_it(given, made):
    assert harmless_lesson(given) == made
    assert harmless_lesson(made) == made


@settings(max_examples=3 * settings.default.max_examples)
@given(MARKDOWN)
def test_nothing_in_it_acts(text):
    made = harmless_lesson(text)
    environment = {}
    tokens = READER.parse(made, environment)
    every = [each for token in tokens for each in (token, *(token.children or ()))]
    assert not {token.type for token in every} & {"html_block", "html_inline", "image"}, made
    assert not environment.get("references"), made
    for token in every:
        if token.type == "link_open":
            assert ":" not in token.attrs["href"], made
            assert not token.attrs["href"].startswith("/"), made
