"""A model's Markdown without active content: paragraphs, lists, emphasis, inline code and
closed fences. Pure.

A CommonMark parser reads it and it is written anew. Links, images, HTML, headings, tables,
addresses and open fences become text, so nothing depends on how an editor would render them.
Rewriting the result changes nothing.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tutor_lsp.core.text.plain_text import clean, code_span, escaped, fenced, in_one_line, line
from tutor_lsp.languages.registry import special_names
from tutor_lsp.library.markdown import parser

LISTS, SHOWN = 4, 200
"""How many levels of nested lists are kept, and how many characters of an address are shown."""
_OTHERS = """
bash console cpp cs css diff go haskell html ini java javascript js json julia kotlin lua make ocaml
output perl php r rb ruby scala sh shell sql swift text toml ts typescript xml yaml zig
"""
_TAGS = frozenset(_OTHERS.split())
"""Words allowed after a fence, besides those of the languages that are taught."""
_ROUNDS = 3
_RELATIVE = re.compile(r"(?!/|\.\./|.*/\.\.)[\w./-]*(?:#[\w%.-]*)?")


def harmless(text: str) -> str:
    """Several paragraphs made harmless. Idempotent."""
    return _settled(clean(text), _blocks)


def harmless_line(text: str) -> str:
    """A text made harmless on one line, lists and code blocks included."""
    return _settled(clean(text), _one_line)


def lesson_blocks(text: str) -> str:
    """Part of a lesson made harmless; headings and links within the exercise stay."""
    return _settled(text, _lesson)


READ_AS = {
    "markdown": harmless,
    "line": harmless_line,
    "words": lambda text: in_one_line(clean(text)),
    "text": clean,
}
"""How each text of a model's answer is made harmless, by how a learner reads it
(`contracts.base.Bytes`)."""


def _settled(text: str, write: Any) -> str:
    for emphasis in (True, False):
        made = text
        for _ in range(_ROUNDS):
            before, made = made, write(_parsed(made), emphasis)
            if made == before:
                return str(made)
        if made == write(_parsed(made), emphasis):
            return str(made)
    return fenced(text) if write is _blocks else code_span(text)


def _parsed(text: str) -> Any:
    # Whatever this parser takes for text is escaped, so that every other parser does too.
    return parser(html=False, without=("reference",)).parse(text)


def _blocks(tokens: Sequence[Any], emphasis: bool) -> str:
    return "\n\n".join(_Writer(emphasis).blocks(tokens, 0))


def _lesson(tokens: Sequence[Any], emphasis: bool) -> str:
    return "\n\n".join(_LessonWriter(emphasis).blocks(tokens, 0))


def _one_line(tokens: Sequence[Any], emphasis: bool) -> str:
    writer = _Writer(emphasis)
    said = []
    for token in tokens:
        if token.type == "inline":
            said.append(" ".join(writer.inline(token.children).split("\n")))
        elif token.type in ("fence", "code_block"):
            said.append(code_span(clean(token.content)))
    return line(" ".join(part for part in said if part))


class _Writer:
    def __init__(self, emphasis: bool) -> None:
        self._emphasis = emphasis

    def blocks(self, tokens: Sequence[Any], depth: int) -> list[str]:
        """The text of each block."""
        found: list[str] = []
        for token, inside in _nodes(tokens):
            if token.type == "paragraph_open":
                found.append(_lines(self.inline(inside[0].children)))
            elif token.type == "heading_open":
                found.append(self._heading(token, inside[0].children))
            elif token.type in ("fence", "code_block"):
                found.append(fenced(clean(token.content.rstrip("\n")), _tag(token.info)))
            elif token.type in ("bullet_list_open", "ordered_list_open") and depth < LISTS:
                found.append(self._list(token, inside, depth))
            else:
                found += self.blocks(inside, depth)
        return [block for block in found if block.strip()]

    def _heading(self, token: Any, inside: Sequence[Any]) -> str:
        title = " ".join(_Writer(emphasis=False).inline(inside).split())
        return f"**{title}**" if title and self._emphasis else line(title)

    def _list(self, token: Any, inside: Sequence[Any], depth: int) -> str:
        items = [self.blocks(item, depth + 1) for _, item in _nodes(inside)]
        number = int(token.attrs.get("start", 1)) if token.type == "ordered_list_open" else None
        told = []
        for blocks in items:
            if blocks:
                mark = "- " if number is None else f"{number}. "
                number = None if number is None else number + 1
                told.append(mark + _indented("\n\n".join(blocks), len(mark)))
        plain = all(len(blocks) <= 1 for blocks in items)
        return ("\n" if plain else "\n\n").join(told)

    def inline(self, tokens: Sequence[Any] | None, within: frozenset[str] = frozenset()) -> str:
        """The inline content, with its line breaks."""
        out: list[str] = []
        text = ""
        for token, inside in _nodes(tokens or ()):
            if token.type == "text":
                text += clean(token.content).replace("\n", " ")
                continue
            if token.type == "image":
                text += clean(token.content)
                continue
            out.append(escaped(text))
            text = ""
            if token.type in ("softbreak", "hardbreak"):
                out.append("\n")
            elif token.type == "code_inline":
                out.append(code_span(clean(token.content)))
            elif token.type == "link_open":
                out.append(self._link(token, inside, within))
            elif token.type in ("em_open", "strong_open"):
                out.append(self._emphasised(token, inside, within))
        return "".join([*out, escaped(text)])

    def _link(self, token: Any, inside: Sequence[Any], within: frozenset[str]) -> str:
        said = self.inline(inside, within)
        address = clean(str(token.attrs.get("href", "")))[:SHOWN]
        if not address or said.strip("`") == address:
            return code_span(address) or said
        return f"{said} ({code_span(address)})" if said.strip() else code_span(address)

    def _emphasised(self, token: Any, inside: Sequence[Any], within: frozenset[str]) -> str:
        said = self.inline(inside, within | {token.type})
        if not self._emphasis or token.type in within or not said.strip() or said != said.strip():
            return said
        mark = "*" if token.type == "em_open" else "**"
        return f"{mark}{said}{mark}"


class _LessonWriter(_Writer):
    def _heading(self, token: Any, inside: Sequence[Any]) -> str:
        title = " ".join(_Writer(emphasis=False).inline(inside).split())
        return f"{token.markup if token.markup[0] == '#' else '##'} {title}"

    def _link(self, token: Any, inside: Sequence[Any], within: frozenset[str]) -> str:
        address = str(token.attrs.get("href", ""))
        said = self.inline(inside, within)
        if is_within(address) and said.strip():
            return f"[{said}]({address})"
        return super()._link(token, inside, within)


def is_within(address: str) -> bool:
    """Whether an address leads into the lesson, or to a file beside or below it."""
    return bool(address) and _RELATIVE.fullmatch(address) is not None


def _nodes(tokens: Sequence[Any]) -> Iterator[tuple[Any, Sequence[Any]]]:
    """The outermost tokens, each with those inside it."""
    at = 0
    while at < len(tokens):
        token, end = tokens[at], at
        depth = token.nesting
        while depth > 0:
            end += 1
            depth += tokens[end].nesting
        yield token, tokens[at + 1 : end] if end > at else ()
        at = end + 1


def _lines(text: str) -> str:
    return "\n".join(filter(None, (line(each) for each in text.split("\n"))))


def _indented(text: str, by: int) -> str:
    return "\n".join(
        f"{' ' * by}{each}" if each and at else each for at, each in enumerate(text.split("\n"))
    )


def _tag(info: str) -> str:
    words = re.split(r"[\s,{]", info.strip().lower(), maxsplit=1)
    return words[0] if is_tag(words[0]) else ""


def is_tag(word: str) -> bool:
    """Whether a word is allowed after a fence: editors then only show the block as code."""
    return word in _TAGS or word in special_names().fences
