"""Reading a Rust test around the place where it failed."""

import ast
import re
from collections.abc import Iterator

from tutor_lsp.languages.common import explain as say
from tutor_lsp.languages.common.reading import FailedTest
from tutor_lsp.languages.common.treesitter import Node, Source, field, one_line, walk
from tutor_lsp.languages.rust.source import calls, chain_start

_COMPARE = {
    "assert_eq": "==",
    "assert_ne": "!=",
    "debug_assert_eq": "==",
    "debug_assert_ne": "!=",
}
_ENDING = ("panic", "unreachable", "todo", "unimplemented")
_TRUE = ("assert", "debug_assert")
_MAKERS = frozenset({"vec", "from", "to_string", "to_owned", "into", "new", "format", "as_str"})
_NAMES = ("identifier", "field_identifier")
_STATEMENTS = ("expression_statement", "let_declaration")
_APART = ("closure_expression", "string_literal", "char_literal")
_STEPS = ("field_expression", "index_expression")
_VALUE = "fn f() { let _ = "


class Reader(FailedTest):
    """The Rust test that failed."""

    language = "rust"
    definition = "function_item"
    expression = "fn f() {{ {}; }}"
    loops = frozenset({"for_expression", "while_expression", "loop_expression"})
    scopes = frozenset({"block"})

    def all_calls(self) -> list[tuple[str, str]]:
        """Name and text of every stub call in the test, in order."""
        return self._calls(self._function)

    def before(self) -> str | None:
        """The last stub call in a statement before the failing place."""
        found = [
            text
            for node in walk(self._function)
            if node.type in _STATEMENTS and self._is_before(node)
            for _, text in self._calls(node)
        ]
        return one_line(found[-1]) if found else None

    def check(self) -> say.Check | None:
        """The assertion at the failing place, or None where there is none."""
        macro = next(
            (node for node in walk(self._function) if self._is_here(node, "macro_invocation")), None
        )
        if macro is None:
            return None
        name = self._source.text_of(macro.children[0]).rpartition("::")[2]
        arguments = _arguments(self._source, macro)
        if name in _COMPARE and len(arguments) > 1:
            left, right = self._side(arguments[0]), self._side(arguments[1])
            op = _COMPARE[name]
            return say.Check(f"{arguments[0]} {op} {arguments[1]}", left, op, right)
        if name in _TRUE and arguments:
            return self._truth(arguments[0])
        return None

    def all_of(self, call: str) -> str:
        """The argument of the failing macro that a call is the beginning of; else the call."""
        for node in walk(self._function):
            if node.type == "macro_invocation" and (
                self._source.line(node) <= self._line <= self._source.end_line(node)
            ):
                found = map(one_line, _arguments(self._source, node))
                return next((text for text in found if text.startswith(call)), call)
        return call

    def ends_by_itself(self) -> bool:
        """Whether a macro that ends the test stands at the failing place."""
        found = (n for n in walk(self._function) if self._is_here(n, "macro_invocation"))
        names = (self._source.text_of(node.children[0]) for node in found)
        return any(name.rpartition("::")[2] in _ENDING for name in names)

    def _is_here(self, node: Node, kind: str) -> bool:
        return (
            node.type == kind
            and self._source.line(node) == self._line
            and self._source.column(node.start_byte) == self._column
        )

    def _truth(self, text: str) -> say.Check:
        source, node = _parsed(text)
        negated = False
        while node.type in ("parenthesized_expression", "unary_expression"):
            if node.type == "unary_expression":
                if not source.text_of(node).startswith("!"):
                    break
                negated = not negated
            node = node.named_children[0]
        inner = source.text_of(node)
        if node.type == "macro_invocation" and source.text_of(node.children[0]) == "matches":
            value, *pattern = _arguments(source, node)
            return say.Check(text, self._side(value), pattern=", ".join(pattern))
        direct = node.type == "call_expression" and _outer_name(source, node) in self._stubs
        return say.Check(text, self._side(inner), negated=negated, direct=direct)

    def method(self) -> tuple[str, str, str | None] | None:
        """At a method's name: what it was called on, its name, and its argument if that is a text.

        None where the failing place is no method call.
        """
        starts = (node for node in walk(self._function) if node.type in _NAMES)
        name = next((node for node in starts if self._is_here(node, node.type)), None)
        if name is None or name.prev_sibling is None or name.prev_sibling.type != ".":
            return None
        parent = name.parent
        if parent is not None and parent.type == "field_expression":
            start, after = parent.start_byte, parent.next_sibling
        else:
            start, after = chain_start(name).start_byte, name.next_sibling
        receiver = self._side(self._source.slice(start, name.prev_sibling.start_byte)).text
        argument = self._source.text_of(after)[1:-1].strip() if after is not None else ""
        return receiver, self._source.text_of(name), _string(argument)

    def _side(self, text: str) -> say.Side:
        source, node = _parsed(text)
        called = any(name in self._stubs for name, _ in calls(source, node))
        origin = None
        if not called:
            text, called, origin = self._resolved(source, node)
        names = [source.text_of(leaf) for leaf in walk(node) if leaf.type in _NAMES]
        fixed = all(name in _MAKERS or name[:1].isupper() for name in names)
        return say.Side(one_line(text), called, fixed, origin)

    def _may_be_variable(self, name: Node) -> bool:
        return name.prev_sibling is None or name.prev_sibling.type != "."

    def _bound(self, node: Node) -> tuple[Node | None, Node | None]:
        if node.type != "let_declaration":
            return None, None
        return field(node, "pattern"), field(node, "value")

    def _variables(self, source: Source, inside: Node | None = None) -> Iterator[Node]:
        """The macros' tokens are not parsed: what is called there is told by what follows it."""
        found = super()._variables(source, inside)
        yield from (node for node in found if _is_value(source, node))

    def _stays(self, made: Node) -> bool:
        return not any(child.type == "mutable_specifier" for child in made.children)

    def _may_change(self, name: Node, made: Node, value: Node) -> bool:
        """What is not `mut` stays, and of what is, only what is lent to be read."""
        if not any(child.type == "mutable_specifier" for child in made.children):
            return False
        before = name.prev_sibling
        return before is None or before.type != "&"

    def _is_changed(self, made: Node, name: str) -> bool:
        return not self._stays(made) and any(
            node.type == "identifier"
            and self._text(node) == name
            and node.start_byte >= made.end_byte
            and self._is_before(node)
            and self._may_change(node, made, made)
            for node in walk(self._function)
        )

    def _constant(self, name: str) -> str | None:
        for node in walk(self._source.root):
            named, value = field(node, "name"), field(node, "value")
            if named is None or value is None or self._text(named) != name:
                continue
            if node.type in ("const_item", "static_item"):
                return self._text(value)
        return None

    def _calls(self, inside: Node) -> list[tuple[str, str]]:
        return [call for call in calls(self._source, inside) if call[0] in self._stubs]

    def _is_before(self, node: Node) -> bool:
        end = self._source.end_line(node), self._source.column(node.end_byte)
        return end <= (self._line, self._column)


def variables(call: str) -> list[str]:
    """The values that a call is given by name, each once: `n`, `case.input`."""
    source, root = _parsed(call)
    found: dict[str, None] = {}
    for node in walk(root, lambda each: each.type not in _APART):
        if node.type != "identifier" or not _is_value(source, node):
            continue
        above = node.parent
        while above is not None and above.type in _STEPS and above.children[0] == node:
            outer = above.parent
            if outer is not None and field(outer, "function") == above:
                break
            node, above = above, outer
        text = source.text_of(node)
        if text[:1].islower() and not {'"', "\\", "\n"} & {*text}:
            found[text] = None
    return [*found]


def _is_value(source: Source, name: Node) -> bool:
    """Whether an identifier names a value: what is called is told by what follows it."""
    after, before, above = name.next_sibling, name.prev_sibling, name.parent
    if before is not None and before.type in (".", "::"):
        return False
    if after is not None and (after.type in ("!", "::") or source.text_of(after).startswith("(")):
        return False
    return above is None or above.type not in ("scoped_identifier", "macro_invocation")


def _arguments(source: Source, macro: Node) -> list[str]:
    """The texts between the commas of a macro's tokens."""
    tree = next((child for child in macro.children if child.type == "token_tree"), None)
    if tree is None or tree.child_count < 2:
        return []
    texts, start = [], tree.children[0].end_byte
    for token in tree.children[1:]:
        if token.type == "," or token == tree.children[-1]:
            texts.append(source.slice(start, token.start_byte).strip())
            start = token.end_byte
    return [text for text in texts if text]


def _parsed(text: str) -> tuple[Source, Node]:
    """The text as an expression."""
    source = Source("rust", f"{_VALUE}{text}; }}")
    for node in walk(source.root):
        value = field(node, "value") if node.type == "let_declaration" else None
        if value is not None:
            return source, value
    return source, source.root


def _outer_name(source: Source, node: Node) -> str | None:
    found = calls(source, node)
    return found[0][0] if found and found[0][1] == source.text_of(node) else None


def _string(text: str) -> str | None:
    """The value of a plain string literal."""
    if re.fullmatch(r'"(?:[^"\\]|\\["\\nt])*"', text, re.DOTALL) is None:
        return None
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None
    return value if isinstance(value, str) else None
