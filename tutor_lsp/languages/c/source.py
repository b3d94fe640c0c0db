"""C text by syntax tree: functions with the comments above them, tests, includes, broken text."""

import re
from collections.abc import Iterator
from functools import lru_cache

from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.ports import FunctionSite, TestSite
from tutor_lsp.languages.common.sites import (
    Comment,
    braced_site,
    doc_comment,
    lines_of,
    lone_bracket,
    test_site,
)
from tutor_lsp.languages.common.treesitter import Node, Source, field, walk

HARNESS = frozenset(
    {"TEST_ASSERT", "TEST_ASSERT_EQ", "TEST_ASSERT_STR_EQ", "RUN_TEST", "TEST_SUMMARY"}
)
"""What test.h brings; none of it counts as something that a test calls."""

_OPAQUE = ("string_literal", "char_literal", "comment", "preproc_arg", "system_lib_string")
_CONDITIONAL = re.compile(r"^[ \t]*#[ \t]*(?:if(?!ndef)|el)", re.MULTILINE)
_GUARD = re.compile(r"^[ \t]*#[ \t]*ifndef", re.MULTILINE)
_BRACKET_MACRO = re.compile(r"^[ \t]*#[ \t]*define[^\n]*[\[{}\]]|\\\n", re.MULTILINE)
_ENDED = ("return_statement", "declaration", "expression_statement", "break_statement")


@lru_cache(maxsize=16)  # of one save each text is asked for dozens of times
def functions(text: str) -> tuple[FunctionSite, ...]:
    """Every function with a body in order."""
    source = Source("c", text)
    return tuple(
        _site(source, node, name)
        for node in definitions(source)
        if (name := function_name(node)) is not None
    )


def definitions(source: Source) -> Iterator[Node]:
    """Every function definition; what `#if 0` takes out is left out."""
    for node in walk(source.root, lambda node: not _is_off(source, node)):
        if node.type == "function_definition":
            yield node


def _is_off(source: Source, node: Node) -> bool:
    condition = field(node, "condition") if node.type == "preproc_if" else None
    return condition is not None and source.text_of(condition) == "0"


def function_name(node: Node) -> Node | None:
    """The name in a definition or declaration of a function, behind pointers and brackets."""
    found = declared_function(node)
    name = field(found, "declarator") if found is not None else None
    return name if name is not None and name.type == "identifier" else None


def declared_function(node: Node) -> Node | None:
    """The innermost declarator that has parameters."""
    found = None
    inner = field(node, "declarator")
    while inner is not None:
        if inner.type == "function_declarator":
            found = inner
        inner = field(inner, "declarator") or next(
            (child for child in inner.named_children if child.type.endswith("_declarator")), None
        )
    return found


def _site(source: Source, node: Node, name: Node) -> FunctionSite:
    comment = _comment_above(source, node)
    return braced_site(source, node, name, field(node, "body"), ("comment",), comment)


def _comment_above(source: Source, node: Node) -> Comment:
    """Text without marks, line for line as it stands, with its first and last line.

    It ends on the line before the function; one that begins with `/**` may be further above.
    """
    lines: dict[int, str] = {}
    below, before = node, node.prev_sibling
    while before is not None and before.type == "comment" and _stands_alone(before):
        text = source.text_of(before)
        near = source.end_line(before) == source.line(below) - 1
        if text.startswith("//") and near:
            lines[source.line(before)] = text.lstrip("/").removeprefix("!").strip()
        elif text.startswith("/*") and not lines and (near or text.startswith("/**")):
            for index, part in enumerate(re.sub(r"\**/\Z", "", text).split("\n")):
                mark = r"^/\*+!? ?" if index == 0 else r"^\s*\*? ?"
                lines[source.line(before) + index] = re.sub(mark, "", part).rstrip()
            break
        else:
            break
        below, before = before, before.prev_sibling
    return doc_comment(lines)


def _stands_alone(comment: Node) -> bool:
    """Whether it is the first on its line."""
    before = comment.prev_sibling
    return before is None or before.end_point[0] < comment.start_point[0] or _ends_line(before)


def _ends_line(node: Node) -> bool:
    """A directive's node reaches to the start of the line after it."""
    return node.end_point[1] == 0


@lru_cache(maxsize=8)  # the tests of an exercise are the same in all of its runs
def tests(text: str) -> tuple[TestSite, ...]:
    """Every `void test_…(void)` with a body, and what it calls or hands on as a function."""
    source = Source("c", text)
    return tuple(
        test_site(source, node, name, (each for each, _ in calls(source, node)))
        for node in definitions(source)
        if (name := function_name(node)) is not None and is_test(source, node, name)
    )


def is_test(source: Source, node: Node, name: Node) -> bool:
    """Whether a definition with that name is one of a test."""
    kind, declarator = field(node, "type"), field(node, "declarator")
    if kind is None or declarator is None or declarator.type != "function_declarator":
        return False
    parameters = field(declarator, "parameters")
    inside = source.text_of(parameters)[1:-1].strip() if parameters is not None else "?"
    is_plain = source.text_of(kind) == "void" and inside in ("", "void")
    return is_plain and source.text_of(name).startswith("test_")


def calls(source: Source, node: Node) -> list[tuple[str, Node]]:
    """Name and call of every function that is called, in order, or handed on to one that is:
    there the call is that of the other. Names of test.h are left out."""
    own = {source.text_of(name) for name in walk(node) if _declares(name)}
    found: list[tuple[str, Node]] = []
    for inner in walk(node):
        if inner.type != "call_expression":
            continue
        function, arguments = field(inner, "function"), field(inner, "arguments")
        name = "" if function is None else source.text_of(function)
        if function is not None and function.type == "identifier" and name not in HARNESS:
            found.append((name, inner))
        if arguments is None or name in HARNESS:
            continue
        handed = (_handed_on(argument) for argument in arguments.named_children)
        names = [source.text_of(one) for one in handed if one is not None]
        found += [(one, inner) for one in names if one not in own]
    return found


def _handed_on(argument: Node) -> Node | None:
    """The name, if an argument is just a name, with or without `&`."""
    if argument.type == "pointer_expression" and argument.children[0].type == "&":
        argument = argument.named_children[-1]
    return argument if argument.type == "identifier" else None


def _declares(name: Node) -> bool:
    parent = name.parent
    return name.type == "identifier" and parent is not None and parent.type.endswith("declarator")


def syntax_error(file: str, text: str) -> BuildError | None:
    """A bracket without its partner, or a plain statement or prototype without its `;`.

    Macros make much legal that the tree does not know: all else is left to the compiler, and so
    is a text with `#if` beside its include guard, or with a macro of several lines or with braces.
    """
    source = Source("c", text)
    chosen = _CONDITIONAL.search(text) or len(_GUARD.findall(text)) > 1
    if not source.root.has_error or chosen or _BRACKET_MACRO.search(text):
        return None
    found = lone_bracket(source, _OPAQUE) or _no_semicolon(source)
    if found is None:
        return None
    node, message = found
    if node.is_missing:
        before = source.data[: node.start_byte].rstrip()
        line = before.count(b"\n") + 1
        column = max(source.column(len(before)) - 1, 1)
    else:
        line, column = source.line(node), source.column(node.start_byte)
    return BuildError(file, line, column, line, column + 1, None, message)


def _no_semicolon(source: Source) -> tuple[Node, str] | None:
    for node in walk(source.root):
        statement = node.parent
        if not (node.is_missing and node.type == ";") or statement is None:
            continue
        if any(child.is_error for child in walk(statement)):
            continue
        inside = _is_in_function(statement) and not _is_macro(source, statement)
        if (inside and statement.type in _ENDED) or _is_prototype(source, statement):
            return node, "`;` is missing here"
    return None


def _is_in_function(node: Node) -> bool:
    """Whether all around it was understood, up to a function's body."""
    parent = node.parent
    while parent is not None and not parent.is_error:
        if parent.type == "function_definition":
            return True
        parent = parent.parent
    return False


def _is_macro(source: Source, statement: Node) -> bool:
    """Whether it begins as a macro may that brings its own `;`."""
    return re.match(r"[A-Z_][A-Z0-9_]*\b(?!\s*[=.;])", source.text_of(statement)) is not None


def _is_prototype(source: Source, node: Node) -> bool:
    kind = field(node, "type") if node.type == "declaration" else None
    if kind is None or declared_function(node) is None:
        return False
    return kind.type != "type_identifier" or source.text_of(kind).endswith("_t")


def imports(text: str) -> tuple[tuple[int, str], ...]:
    """Line and name of every `#include`, as it stands between quotes or angle brackets."""
    source = Source("c", text)
    found = []
    for node in walk(source.root):
        path = field(node, "path") if node.type == "preproc_include" else None
        if path is not None and path.type in ("string_literal", "system_lib_string"):
            found.append((source.line(node), source.text_of(path)[1:-1].strip()))
    return tuple(found)


def import_lines(text: str) -> tuple[tuple[int, int], ...]:
    """First and last line of every `#include`."""
    return lines_of(Source("c", text), ("preproc_include",))
