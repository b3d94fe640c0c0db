"""Syntax trees with positions as the rest of the tutor counts them: 1-based, in code points."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query, Tree
else:  # annotations name them where the parser is not loaded yet
    Language = Node = Query = Tree = Any

__all__ = ["Node", "Source", "field", "finds", "found", "one_line", "parsed", "walk"]

_LONE_CR = "\r"
_BREAK = re.compile(r"(?P<open>[(\[{]?)[^\S\n]*(?:\n\s*)+(?P<close>(?=[)\]}]))?")


class _Grammar(Protocol):
    """The package of a language's grammar."""

    def language(self) -> object:
        """What tree-sitter makes a language of."""


@cache
def _language(name: str) -> Language:
    from tree_sitter import Language

    grammar = cast("_Grammar", import_module(f"tree_sitter_{name}"))
    return Language(grammar.language())


AT_ONCE, CHUNK = 512, 4096
"""Bytes up to which a text is parsed in one go, and of the pieces in which a longer one is read."""


def parsed(language: str, data: bytes, on_pause: Callable[[], None] | None = None) -> Tree:
    """The tree of a text. Other threads go on meanwhile, however long a text full of errors takes;
    `on_pause` is called whenever they may."""
    from tree_sitter import Parser

    parser = Parser(_language(language))
    if len(data) <= AT_ONCE and on_pause is None:
        return parser.parse(data)

    # The parser holds the interpreter's lock but for these calls back.
    def read(offset: int, _: object) -> bytes:
        go_on()
        return data[offset : offset + CHUNK]

    def go_on(*_: object) -> bool:
        if on_pause is not None:
            on_pause()
        return False

    return parser.parse(read, progress_callback=go_on)


class Source:
    """A parsed text. `data` is its UTF-8; a carriage return alone counts as a line
    end, as it does in editors."""

    def __init__(self, language: str, text: str) -> None:
        self.language = language
        self.text = text
        if _LONE_CR in text:
            text = _lone_to_newline(text)
        self.data = text.encode("utf-8", "replace")
        self._ascii = len(self.data) == len(text)
        self.tree: Tree = parsed(language, self.data)

    @property
    def root(self) -> Node:
        """The whole text."""
        return self.tree.root_node

    def text_of(self, node: Node) -> str:
        """The node's text."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def slice(self, start: int, end: int) -> str:
        """The text between two byte offsets."""
        return self.data[start:end].decode("utf-8", "replace")

    def offset(self, byte: int) -> int:
        """Code point offset of a byte offset."""
        return byte if self._ascii else len(self.data[:byte].decode("utf-8", "replace"))

    def line(self, node: Node) -> int:
        """1-based line of the node's start."""
        return node.start_point[0] + 1

    def end_line(self, node: Node) -> int:
        """1-based line of the node's last character."""
        row, column = node.end_point
        return row + 1 if column or node.end_byte == node.start_byte else row

    def column(self, byte: int) -> int:
        """1-based code point column of a byte offset in its line."""
        start = self.data.rfind(b"\n", 0, byte) + 1
        return len(self.data[start:byte].decode("utf-8", "replace")) + 1


def _lone_to_newline(text: str) -> str:
    out = list(text)
    for index, char in enumerate(out):
        if char == _LONE_CR and text[index + 1 : index + 2] != "\n":
            out[index] = "\n"
    return "".join(out)


def walk(node: Node, enter: Callable[[Node], bool] | None = None) -> Iterator[Node]:
    """The node and all below it, in source order; children of a node only where `enter` says so.

    Uses no recursion: texts nested thousands deep are walked too.
    """
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        if enter is None or enter(current):
            stack.extend(reversed(current.children))


def field(node: Node, name: str) -> Node | None:
    """The child in that field."""
    return node.child_by_field_name(name)


@cache
def _query(language: str, pattern: str) -> Query:
    from tree_sitter import Query

    return Query(_language(language), pattern)


def finds(source: Source, pattern: str) -> bool:
    """Whether a pattern in tree-sitter's query language is found in a text. Raises ValueError for
    a pattern that the grammar does not know."""
    from tree_sitter import QueryCursor

    return bool(QueryCursor(_query(source.language, pattern)).matches(source.root))


def found(source: Source, pattern: str) -> list[Node]:
    """What a pattern marks as `@it` in a text. Raises as `finds`."""
    from tree_sitter import QueryCursor

    matches = QueryCursor(_query(source.language, pattern)).matches(source.root)
    return [node for _, marked in matches for node in marked.get("it", ())]


def one_line(text: str) -> str:
    """The text on one line. Blanks within a line stay: they may be part of a string."""
    joined = _BREAK.sub(
        lambda match: match["open"] or (" " if match["close"] is None else ""), text
    )
    return joined.strip()
