"""Rust text by syntax tree: functions with their doc comments, tests, imports, syntax errors."""

import re
from collections.abc import Callable, Iterator

from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.ports import FunctionSite, TestSite
from tutor_lsp.languages.common.sites import (
    Comment,
    braced_site,
    doc_comment,
    lines_of,
    lone_bracket,
    named,
    test_site,
)
from tutor_lsp.languages.common.treesitter import Node, Source, field, one_line, walk

_TEST = re.compile(r"#\s*!?\[\s*(?:\w+\s*::\s*)*test\b")
_COMMENTS = ("line_comment", "block_comment")
_LOCAL = ("crate", "self", "super")
_NAMES = ("identifier", *_LOCAL)
_ITEMS = ("enum_item", "mod_item", "struct_item", "trait_item", "type_item", "union_item")
_DEEP = 50
_OPAQUE = ("string_literal", "raw_string_literal", "char_literal", *_COMMENTS)


def functions(text: str) -> tuple[FunctionSite, ...]:
    """Every `fn` with a body in order, methods and nested ones included."""
    source = Source("rust", text)
    return tuple(_site(source, node, name) for node, name in named(source, "function_item"))


def _site(source: Source, node: Node, name: Node) -> FunctionSite:
    comment = _doc_comment(source, node)
    return braced_site(source, node, name, field(node, "body"), _COMMENTS, comment)


def _is_comment(node: Node) -> bool:
    return node.type in _COMMENTS


def _doc_comment(source: Source, node: Node) -> Comment:
    """Text without marks, line for line as it stands, with its first and last line."""
    lines: dict[int, str] = {}
    before = node.prev_sibling
    while before is not None and (_is_comment(before) or before.type == "attribute_item"):
        text = source.text_of(before)
        if before.type == "line_comment" and text.startswith("///"):
            lines[source.line(before)] = _unmarked(text)
        elif before.type == "block_comment" and text.startswith("/**"):
            inner = text.removeprefix("/**").removesuffix("*/").split("\n")
            for index, part in enumerate(inner):
                cleaned = part.strip() if index == 0 else re.sub(r"^\s*\*? ?", "", part)
                lines[source.line(before) + index] = cleaned.rstrip()
        elif _is_comment(before):
            break
        before = before.prev_sibling
    return doc_comment(lines)


def _unmarked(line: str) -> str:
    return line.removeprefix("///").removeprefix(" ").rstrip()


def tests(text: str) -> tuple[TestSite, ...]:
    """Every function with a `#[test]` attribute, with what it calls, macros' arguments included."""
    source = Source("rust", text)
    return tuple(
        test_site(source, node, name, (each for each, _ in calls(source, node)))
        for node, name in named(source, "function_item")
        if is_test(source, node)
    )


def is_test(source: Source, node: Node) -> bool:
    """Whether a function has the attribute of a test."""
    before = node.prev_sibling
    while before is not None and (_is_comment(before) or before.type == "attribute_item"):
        if before.type == "attribute_item" and _TEST.match(source.text_of(before)):
            return True
        before = before.prev_sibling
    return False


def calls(source: Source, node: Node) -> list[tuple[str, str]]:
    """Name and text of every called function and method in order; inside macros by tokens."""
    return [(name, source.slice(start, end)) for name, start, end in call_ranges(source, node)]


def call_ranges(
    source: Source, node: Node, enter: Callable[[Node], bool] | None = None
) -> Iterator[tuple[str, int, int]]:
    """The same with where each begins and ends, as byte offsets; below a node only where `enter`
    says so."""
    for inner in walk(node, enter):
        if inner.type == "call_expression":
            name = _callee(source, field(inner, "function"))
            if name is not None:
                yield name, inner.start_byte, inner.end_byte
        elif inner.type == "token_tree" and source.text_of(inner).startswith("("):
            before = _before_generics(inner.prev_sibling)
            if before is not None and before.type == "identifier":
                yield source.text_of(before), chain_start(before).start_byte, inner.end_byte


def _before_generics(token: Node | None) -> Node | None:
    """In a macro's tokens: what precedes `::<…>`, else the token itself."""
    depth, at = 0, token
    while at is not None:
        depth += {">": 1, ">>": 2, "<": -1, "<<": -2}.get(at.type, 0)
        if depth <= 0:
            break
        at = at.prev_sibling
    if at is None or at is token:
        return token
    path = at.prev_sibling
    return path.prev_sibling if path is not None and path.type == "::" else token


def chain_start(token: Node) -> Node:
    """In a macro's tokens: where the `a.b(c).d` begins that the token belongs to."""
    while True:
        dot = token.prev_sibling
        if dot is None or dot.type not in (".", "::"):
            return token
        before = dot.prev_sibling
        if before is not None and before.type == "token_tree":
            before = before.prev_sibling
        elif before is not None and before.type in (">", ">>"):
            before = _before_generics(before)
        if before is None or before.type not in ("identifier", "self"):
            return token
        token = before


def _callee(source: Source, function: Node | None) -> str | None:
    while function is not None:
        if function.type in ("identifier", "field_identifier"):
            return source.text_of(function)
        inner = field(function, "function") if function.type == "generic_function" else None
        function = inner or field(function, "name") or field(function, "field")
    return None


def syntax_error(file: str, text: str) -> BuildError | None:
    """The first place that does not parse: a bracket without its partner, else the parser's own."""
    source = Source("rust", text)
    if not source.root.has_error:
        return None
    found = lone_bracket(source, _OPAQUE) or _first_error(source)
    node, message = found
    line, column = source.line(node), source.column(node.start_byte)
    first_row = node.end_point[0] == node.start_point[0]
    end_column = source.column(node.end_byte) if first_row else column + 1
    return BuildError(file, line, column, line, max(end_column, column + 1), None, message)


def _first_error(source: Source) -> tuple[Node, str]:
    for node in walk(source.root):
        if node.is_missing:
            return node, f"`{node.type}` is missing here"
        if node.is_error and not any(child.has_error for child in node.children):
            shown = one_line(source.text_of(node))
            return node, f"`{shown[:40]}` is not expected here" if shown else "this does not parse"
    return source.root, "this does not parse"


def imports(text: str) -> tuple[tuple[int, str], ...]:
    """Line and crate of every `use` and `extern crate`; what is local (`crate`, `self`, `super`,
    an item of this file or one that an earlier `use` brought in) is left out."""
    source = Source("rust", text)
    found: list[tuple[int, str]] = []
    local = set(_LOCAL)
    for node in walk(source.root):
        name = field(node, "name")
        argument = field(node, "argument")
        if node.type in _ITEMS and name is not None:
            local.add(source.text_of(name))
        elif node.type == "extern_crate_declaration" and name is not None:
            found.append((source.line(name), source.text_of(name)))
        elif node.type == "use_declaration" and argument is not None:
            for path in _paths(argument):
                found.append((source.line(path[0]), source.text_of(path[0])))
                if len(path) > 1:
                    local.add(source.text_of(path[-1]))
    return tuple(dict.fromkeys(item for item in found if item[1] not in local))


def _paths(node: Node, before: tuple[Node, ...] = ()) -> list[tuple[Node, ...]]:
    """Every path of a `use`, as the nodes of its names; an alias counts as the last name."""
    if len(before) > _DEEP:
        return []
    if node.type == "use_list":
        return [path for child in node.named_children for path in _paths(child, before)]
    if node.type in ("scoped_identifier", "scoped_use_list", "use_as_clause", "use_wildcard"):
        outer = field(node, "path")
        if node.type == "use_wildcard":
            outer = next(iter(node.named_children), None)
        heads = _paths(outer, before) if outer is not None else [before]
        inner = field(node, "name") or field(node, "list") or field(node, "alias")
        if inner is None:
            return heads
        return [path for head in heads for path in _paths(inner, head)]
    return [(*before, node)] if node.type in _NAMES else []


def import_lines(text: str) -> tuple[tuple[int, int], ...]:
    """First and last line of every `use` and `extern crate` that no attribute (`#[cfg(…)]`) is
    about."""

    def is_free(node: Node) -> bool:
        return node.prev_named_sibling is None or node.prev_named_sibling.type != "attribute_item"

    return lines_of(Source("rust", text), ("use_declaration", "extern_crate_declaration"), is_free)


def below_attributes(source: Source) -> int:
    """Where a file's own attributes and comments end, which have to stand first."""
    rows = 0
    for node in source.root.children:
        inner = source.text_of(node).startswith(("#!", "//!", "/*!"))
        if not inner and node.type not in _COMMENTS:
            break
        if inner:
            rows = node.end_point[0] + (node.end_point[1] > 0)
    return sum(map(len, source.text.splitlines(keepends=True)[:rows]))
