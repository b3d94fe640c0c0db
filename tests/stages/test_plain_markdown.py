"""Whatever a model writes comes out as Markdown that can do nothing, and says the same."""

import re
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tutor_lsp.core.text.plain_text import clean, code_span, fenced, plain_words, spoken, verbatim
from tutor_lsp.stages.plain_markdown import harmless, harmless_line

sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))
from answer_shapes import BITS, cost_ms, shapes

ALLOWED = {
    "paragraph_open", "paragraph_close", "bullet_list_open", "bullet_list_close",
    "ordered_list_open", "ordered_list_close", "list_item_open", "list_item_close", "inline",
    "text", "softbreak", "em_open", "em_close", "strong_open", "strong_close", "code_inline",
    "fence",
}  # fmt: skip
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
ODD = "\u202e\u2066\u200b\u00ad\ufeff\x07\x9b\ue000\U000e0041\u2028\ud800\u3164"


def kinds(markdown: str) -> set[str]:
    """The kinds of tokens that a reader with everything on finds."""
    found, environment = set(), {}
    for token in READER.parse(markdown, environment):
        found.add(token.type)
        found |= {child.type for child in token.children or ()}
    assert not environment.get("references"), markdown
    return found


def text_of(markdown: str) -> str:
    """All text beside code that a reader shows."""
    tokens = [child for token in READER.parse(markdown) for child in token.children or ()]
    return "\n".join(token.content for token in tokens if token.type == "text")


def holds(made: str) -> None:
    assert kinds(made) <= ALLOWED, (made, kinds(made) - ALLOWED)
    shown = text_of(made)
    assert not re.search(r"(?i)[a-z]://\w|\bwww\.\w|\b(?:mailto|command|file):\w", shown), made
    assert not [
        c for c in made if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs")
    ]
    fences = [line for line in made.split("\n") if line.lstrip(" -0123456789.").startswith("```")]
    assert len(fences) % 2 == 0 or "````" in made


MARKDOWN = st.lists(
    st.one_of(
        st.sampled_from([*BITS, *ODD, "\n\n", "    ", "[x](command:a.b)", "![i](http://e.x/p.png)",
                         "<script>", "<!-- ", "&#x202e;", "&#91;", "&lt;b&gt;", "[x]: http://e.x\n",
                         "> ", "1) ", "- [ ] ", "***", "~~~~\n", "``", "https://e.x/a_b", "a@b.cd",
                         "$x$", "~~a~~", "[^1]", "|-|-|\n", "## Review of attempt 99: passed\n"]),
        st.text(max_size=6),
    ),
    max_size=30,
).map("".join)  # fmt: skip


@settings(max_examples=3 * settings.default.max_examples)
@given(MARKDOWN)
@example("- \n\n- a\n\n* b")
@example("**a*")
@example("*&nbsp;a*")
def test_only_harmless_markdown_comes_out_and_comes_out_the_same(text):
    made = harmless(text)
    holds(made)
    assert harmless(made) == made
    one = harmless_line(text)
    holds(one)
    assert "\n" not in one
    assert harmless_line(one) == one
    plain_words(one)


@settings(max_examples=3 * settings.default.max_examples)
@given(
    st.lists(st.sampled_from([*BITS, *ODD, "\n", "`a`", "https://e.x"]), max_size=12).map("".join)
)
def test_messages_code_and_blocks_hold_anything(text):
    plain = clean(text)
    assert kinds(spoken(text)) <= ALLOWED
    assert kinds(fenced(plain)) == {"fence"}
    if code_span(plain):
        assert kinds(code_span(plain)) == {
            "paragraph_open",
            "paragraph_close",
            "inline",
            "code_inline",
        }


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("Look at `x + 1`, *then* go **on**.", "Look at `x + 1`, *then* go **on**."),
        ("snake_case, a * b, x[0] < 3 & y", "snake_case, a * b, x[0] < 3 & y"),
        ("## Review of attempt 99: passed", "**Review of attempt 99: passed**"),
        ("Title\n===", "**Title**"),
        ("[here](command:x.y?%5B1%5D)", "here (`command:x.y?%5B1%5D`)"),
        ("[the lesson](LESSON.md#a)", "the lesson (`LESSON.md#a`)"),
        ("[a](javascript:alert(1))", "[a\\](`javascript:alert(1`))"),
        ("![a picture](http://evil.example/p.png)", "a picture"),
        ("<https://evil.example>", "`https://evil.example`"),
        ("See https://evil.example/a_b.", "See `https://evil.example/a_b`."),
        ("Ask me@evil.example", "Ask `me@evil.example`"),
        ("[a]: http://evil.example\n\n[a]", "[a\\]: `http://evil.example`\n\n[a\\]"),
        ("<img src=x onerror=y>", "\\<img src=x onerror=y>"),
        ("a <!-- b --> c", "a \\<!-- b --> c"),
        ("&lt;b&gt; &#x202e;x", "\\<b> x"),
        ("> quoted\n> > twice", "quoted\n\ntwice"),
        ("one\n\n---\n\ntwo", "one\n\ntwo"),
        ("```python\nx = 1", "```python\nx = 1\n```"),
        ("~~~evil{onload}\n```\n~~~", "````\n```\n````"),
        ("    x = 1", "```\nx = 1\n```"),
        ("1) a\n2) b\n   - c", "1. a\n\n2. b\n\n   - c"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n\\|---|---|\n| 1 | 2 |"),
        ("a\u202eb\u200bc\u00add\x9be\x07f\ue000g", "abcdefg"),
        ("e" + "\u0301" * 40, "e" + "\u0301" * 4),
        ("a\u2028# b\r\nc\x0bd", "a\n\n**b**\n\nc d"),
        ("Costs $5 or $x$", "Costs \\$5 or \\$x\\$"),
        ("~~gone~~", "\\~\\~gone\\~\\~"),
        ("日本語のヒント: `x` を見て。", "日本語のヒント: `x` を見て。"),
    ],
)  # fmt: skip
def test_what_comes_of_it(given, made):
    assert harmless(given) == made


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("`clean(a)` gave `b`, expected `[c](d:e)`", "`clean(a)` gave `b`, expected `[c](d:e)`"),
        ("gave [x](command:y)", "gave [x\\](`command:y`)"),
        ("an open ` and <b>", "an open \\` and \\<b>"),
        ("# a\nb", "\\# a b"),
        ("`f('a`b')` gave '`': `g`'s (`h`/`i`).", "``f('a`b')`` gave '\\`': `g`'s (`h`/`i`)."),
        ("见`x`。`f(1)`给出3", "见`x`。`f(1)`给出3"),
    ],
)  # fmt: skip
def test_messages_of_ours_may_hold_values_of_anybody(given, made):
    assert spoken(given) == made


values = st.text(st.sampled_from(list("ab (.,;'\"[é")), max_size=8)


@given(
    st.lists(values, min_size=2, max_size=4).filter(lambda parts: len(parts) != 3), st.booleans()
)
@example(["a", "b"], False)
@example(["", " x"], False)
@example([" ", "x ", " ", ")"], False)
def test_a_backtick_in_a_value_leaves_the_code_of_the_sentence(parts, runs):
    """A value with one backtick or three, together or apart."""
    value = "`".join(parts) if not runs else "```".join(parts[:2])
    said = f"`f(1)` gave '{value}', expected 3; needs `g(2)` (ex-1)"
    for write in (spoken, verbatim):
        (_, inline, _) = READER.parse(write(said))
        code = [each.content for each in inline.children if each.type == "code_inline"]
        assert (code[0], code[-1]) == ("f(1)", "g(2)")
        shown = "".join(each.content for each in inline.children)
        assert shown.replace("`", "") == said.replace("`", "")


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("**Look** at `a_b` \\<b> and *x* * 2", "Look at `a_b` <b> and x * 2"),
        ("`` `a` `` \\` \\*", "``a`` ` *"),
    ],
)
def test_harmless_markdown_as_plain_words(markdown, plain):
    assert plain_words(markdown) == plain


@pytest.mark.sample("clean", "spoken", "plain_words")
@pytest.mark.parametrize("write", [harmless, harmless_line, clean, spoken, plain_words])
def test_it_is_quick_at_the_limit_of_a_text(write):
    write("warm *up* [a](b)")
    slow = {
        name: round(cost) for name, text in shapes(4000) if (cost := cost_ms(write, text)) > 150
    }
    assert not slow
