"""The learner's code around an error, by which advice is chosen that presumes something of it."""

from collections.abc import Mapping
from functools import lru_cache

from tutor_lsp.languages.common.treesitter import Node, Source, walk


def about_place(language: str, text: str, line: int) -> Mapping[str, str]:
    """Of a 1-based line of a text: the `line` itself, the `code` of the function around it, or what
    else stands there at the top, and the kinds of `nodes` in that. Without a line, the text."""
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        return {"code": text}
    code, nodes = _around(language, text, line)
    return {"line": lines[line - 1], "code": code, "nodes": nodes}


@lru_cache(maxsize=8)
def _around(language: str, text: str, line: int) -> tuple[str, str]:
    try:
        source = Source(language, text)
    except ImportError:  # a language without a grammar
        return "", ""
    around = source.root
    for node in walk(source.root, lambda each: _covers(source, each, line)):
        is_function = "function" in node.type and "declarator" not in node.type
        if _covers(source, node, line) and (is_function or node.parent == source.root):
            around = node
    if around == source.root:
        return "", ""
    return source.text_of(around), " ".join(sorted({each.type for each in walk(around)}))


def _covers(source: Source, node: Node, line: int) -> bool:
    return source.line(node) <= line <= source.end_line(node)
