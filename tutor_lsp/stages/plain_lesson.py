"""A model's lesson without active content: no HTML, images or remote links. Pure.

Links within the exercise and every harmless block are kept byte for byte.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from tutor_lsp.core.text.plain_text import ADDRESS, clean
from tutor_lsp.library.markdown import parser
from tutor_lsp.stages.plain_markdown import is_within, lesson_blocks

_ACTIVE = frozenset({"html_block", "html_inline", "image"})
_DEFINES = re.compile(r"(?m)^[ ]{0,3}\[[^\]\n]{1,999}\]:")


def harmless_lesson(text: str) -> str:
    """The lesson, in which every link leads to a file of the exercise and every fence is closed.
    Idempotent."""
    text = clean(text)
    lines = text.split("\n")
    made: list[str] = []
    done = 0
    for begin, end, tokens in _blocks(text):
        made += lines[done:begin]
        block = lines[begin:end]
        blanks = len(block) - len("\n".join(block).rstrip("\n").split("\n"))
        if _in_order(tokens, block):
            made += block
        else:
            made += lesson_blocks("\n".join(block)).split("\n") + [""] * blanks
        done = end
    return "\n".join([*made, *lines[done:]])


def _blocks(text: str) -> Iterable[tuple[int, int, Sequence[Any]]]:
    """Each outermost block: its first line, the line after it (both from 0), its tokens."""
    # Link definitions are not blocks: they are left as text, so that they are found.
    tokens = parser("table", "strikethrough", without=("reference",)).parse(text)
    begin = 0
    for at, token in enumerate(tokens):
        if token.level == 0 and token.nesting >= 0 and token.map:
            begin = at
        span = tokens[begin].map
        if token.level == 0 and token.nesting <= 0 and span:
            yield span[0], span[1], tokens[begin : at + 1]


def _in_order(tokens: Sequence[Any], block: Sequence[str]) -> bool:
    for token in (each for outer in tokens for each in (outer, *(outer.children or ()))):
        if token.type in _ACTIVE:
            return False
        if token.type == "link_open" and not is_within(str(token.attrs.get("href", ""))):
            return False
        if token.type == "text" and ADDRESS.search(token.content):
            return False
        if token.type == "inline" and _DEFINES.search(token.content):
            return False
        if token.type == "fence" and not _closed(token, block, tokens[0]):
            return False
    return True


def _closed(fence: Any, block: Sequence[str], first: Any) -> bool:
    begin, end = fence.map
    last = block[: end - first.map[0]][-1].strip(" >")
    return end - begin > 1 and last.startswith(fence.markup) and not last.strip(fence.markup[0])
