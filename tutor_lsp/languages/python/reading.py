"""Reading a Python test around the place where it failed."""

import ast

from tutor_lsp.core.text.translation import marked
from tutor_lsp.languages.common import explain as say
from tutor_lsp.languages.common.reading import FailedTest
from tutor_lsp.languages.common.texts import words
from tutor_lsp.languages.common.treesitter import Node, field, one_line, walk

_LITERALS = words(
    "concatenated_string escape_sequence dictionary false float integer list none pair "
    "parenthesized_expression set string string_content string_end string_start true tuple "
    "unary_operator"
)

_METHODS = {
    **dict.fromkeys(
        [f"assert{kind}Equal" for kind in ("", "List", "Tuple", "Set", "Dict", "Sequence")], "=="
    ),
    "assertMultiLineEqual": "==", "assertCountEqual": "==", "assertAlmostEqual": "==",
    "assertNotEqual": "!=", "assertIn": "in", "assertNotIn": "not in", "assertIs": "is",
    "assertIsNot": "is not", "assertLess": "<", "assertLessEqual": "<=", "assertGreater": ">",
    "assertGreaterEqual": ">=",
}  # fmt: skip
"""Assertions of unittest that compare two values, as operators."""

_STEPS = words("attribute call subscript")
_FOR_GOOD = words("concatenated_string false float integer none string true unary_operator")
"""Values that nothing can change."""


def _with_its_calls(call: Node) -> Node:
    """A call with those of what it gives: `f(1)(2)` for `f(1)`."""
    parent = call.parent
    while parent is not None and parent.type == "call" and field(parent, "function") == call:
        call, parent = parent, parent.parent
    return call


class Reader(FailedTest):
    """The Python test that failed."""

    language = "python"
    definition = "function_definition"

    def call(self, about: str | None, *, in_test: bool = False) -> str | None:
        """The call that an exception came out of: that of a stub, if there is one at its place or
        in its statement. `about` decides where that is open. An exception that was raised `in_test`
        came of all that begins at its place."""
        statement = self._statement()
        if statement is None:
            return say.one_of(self.all_calls(), about)
        here = [node for node in walk(statement) if node.type in _STEPS and self._is_here(node)]
        if in_test and here:
            return self._text(here[0])
        calls = self._calls(statement)
        for _, node in calls:
            if self._is_here(node):
                return self._text(_with_its_calls(node))
        if calls:
            return say.one_of([(name, self._text(node)) for name, node in calls], about)
        called = (self._text(node) for node in here if node.type == "call")
        return next(called, None) or say.one_of(self.all_calls(), about)

    def _here(self) -> set[str]:
        call = None if self._is_defined_here() else self.call(None)
        return set() if call is None else {call}

    def _is_defined_here(self) -> bool:
        """Whether no more than the test's definition is known of the place."""
        return self._line == self._source.line(self._function)

    def guarded(self) -> str | None:
        """All that a `with` holds, where that failed and it is one line."""
        statement = self._statement()
        body = field(statement, "body") if statement is not None else None
        if statement is None or statement.type != "with_statement" or body is None:
            return None
        text = self._text(body).strip()
        return text if body.named_child_count == 1 and "\n" not in text else None

    def _is_here(self, node: Node) -> bool:
        place = self._source.line(node), self._source.column(node.start_byte)
        return place == (self._line, self._column)

    def before(self) -> str | None:
        """The last stub call before the failing statement."""
        calls = [call for _, call in self._calls(self._function) if self._is_before(call)]
        return one_line(self._text(calls[-1])) if calls else None

    def check(self) -> say.Check | None:
        """The assertion that failed, or None where it was no assertion."""
        statement = self._statement()
        if statement is None or statement.type != "assert_statement":
            return self._method_check(statement) if statement is not None else None
        node, negated = statement.named_children[0], False
        while True:
            if node.type == "parenthesized_expression" and node.named_child_count == 1:
                node = node.named_children[0]
            elif node.type == "not_operator" and (inner := field(node, "argument")) is not None:
                node, negated = inner, not negated
            else:
                break
        text = self._text(statement.named_children[0])
        if node.type == "comparison_operator" and node.named_child_count == 2 and not negated:
            left, right = node.named_children
            operator = one_line(self._source.slice(left.end_byte, right.start_byte))
            return say.Check(text, self._side(left), operator, self._side(right))
        direct = node.type == "call" and self._called(node) in self._stubs
        return say.Check(text, self._side(node), negated=negated, direct=direct)

    def _method_check(self, statement: Node) -> say.Check | None:
        """An assertion of a unittest class, as the one that says the same."""
        call = statement.named_children[0] if statement.named_child_count else statement
        function, given = field(call, "function"), field(call, "arguments")
        if function is None or given is None or function.type != "attribute":
            return None
        name = self._text(field(function, "attribute") or function)
        values = [node for node in given.named_children if node.type != "keyword_argument"]
        if name in ("assertTrue", "assertFalse") and values:
            value = values[0]
            direct = value.type == "call" and self._called(value) in self._stubs
            text, negated = self._text(value), name == "assertFalse"
            return say.Check(text, self._side(value), negated=negated, direct=direct)
        operator = _METHODS.get(name)
        if operator is None or len(values) < 2:
            return None
        left, right = values[:2]
        text = f"{self._text(left)} {operator} {self._text(right)}"
        return say.Check(text, self._side(left), operator, self._side(right))

    def _calls(self, inside: Node) -> list[tuple[str, Node]]:
        calls = ((self._called(node), node) for node in walk(inside) if node.type == "call")
        return [(name, node) for name, node in calls if name is not None and name in self._stubs]

    def _called(self, node: Node) -> str | None:
        function = field(node, "function")
        if function is not None and function.type == "attribute":
            owner = field(function, "object")
            if owner is None or owner.type in _LITERALS:
                return None
            function = field(function, "attribute")
        if function is None or function.type != "identifier":
            return None
        return self._text(function)

    def _statement(self) -> Node | None:
        """The innermost statement that covers the failing place, or else its line."""
        on_line = exact = None
        for node in walk(self._function):
            if not node.type.endswith("_statement"):
                continue
            first, last = self._source.line(node), self._source.end_line(node)
            if first <= self._line <= last:
                on_line = node
                begin = (first, self._source.column(node.start_byte))
                if (
                    begin
                    <= (self._line, self._column)
                    <= (last, self._source.column(node.end_byte))
                ):
                    exact = node
        return exact or on_line

    def _side(self, node: Node) -> say.Side:
        text, calls, origin = self._text(node), bool(self._calls(node)), None
        printed = self._printed(node)
        if printed is not None:
            return say.Side(printed, calls=True, verb=marked("printed"))
        if not calls:
            text, calls, origin = self._resolved(self._source, node)
        fixed = all(not n.is_named or n.type in _LITERALS for n in walk(node))
        return say.Side(one_line(text), calls, fixed, origin)

    def _printed(self, node: Node) -> str | None:
        """The last stub call before the failing line, where the side is captured output."""
        text = self._text(node)
        name = text.partition(".")[0]
        assigned = f"{name} = capsys.readouterr()" in self._text(self._function)
        if "readouterr()" not in text and not assigned:
            return None
        return self.before()

    def _is_before(self, node: Node) -> bool:
        statement = self._statement()
        return statement is not None and node.end_byte <= statement.start_byte

    def _may_be_variable(self, name: Node) -> bool:
        parent = name.parent
        if parent is None or parent.type not in ("attribute", "keyword_argument"):
            return True
        return field(parent, "attribute" if parent.type == "attribute" else "name") != name

    def _bound(self, node: Node) -> tuple[Node | None, Node | None]:
        if node.type != "assignment":
            return None, None
        return field(node, "left"), field(node, "right")

    def _may_change(self, name: Node, made: Node, value: Node) -> bool:
        parent = name.parent
        if parent is None or value.type in _FOR_GOOD:
            return parent is not None and parent.type in ("augmented_assignment", "for_statement")
        if parent.type in ("argument_list", "keyword_argument", "list", "tuple", "dictionary"):
            return True
        if parent.type == "attribute":
            return True
        return parent.type != "comparison_operator"

    def _may_be(self, written: str, known: str | None) -> bool:
        """A branch or a pattern may have given the name another value."""
        try:
            return known is None or repr(ast.literal_eval(written)) == known
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return True

    def _constant(self, name: str) -> str | None:
        for node in self._source.root.named_children:
            inner = node.named_children[0] if node.type == "expression_statement" else node
            target, value = self._bound(inner)
            if target is None or value is None or self._text(target) != name:
                continue
            if value.type in _FOR_GOOD:
                return self._text(value)
        return None
