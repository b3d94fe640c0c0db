"""Markdown for clients that show text only."""

import pytest

from tutor_lsp.library.markdown import as_text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**Not written yet** — `2 ** 3` is 8", "Not written yet — 2 ** 3 is 8"),
        ("- ✓ `test_a`\n- ✗ `test_b`: gave `1`", "- ✓ test_a\n- ✗ test_b: gave 1"),
        ("a \\* b \\`c", "a * b `c"),
        ("```python\nx = `2 ** 3`\n```\n\nafter", "x = `2 ** 3`\n\nafter"),
        ("````\n```\n**a**\n```\n````", "```\n**a**\n```"),
        ("- one:\n  ```\n  a ** b\n  ```\n- two", "- one:\na ** b\n- two"),
        ("see [the *lesson*](LESSON.md#a)", "see the lesson (LESSON.md#a)"),
        ("## A `b`\n\none\ntwo", "## A b\n\none\ntwo"),
        ("a\n\n```\nnever closed", "a\n\nnever closed"),
    ],
)
def test_marks_go_and_code_stays(markdown, text):
    assert as_text(markdown) == text
