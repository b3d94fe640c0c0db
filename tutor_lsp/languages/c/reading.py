"""Reading a C test around the place where it failed."""

import re
from collections.abc import Sequence

from tutor_lsp.languages.c.source import calls, definitions, function_name
from tutor_lsp.languages.common import explain as say
from tutor_lsp.languages.common.reading import FailedTest
from tutor_lsp.languages.common.treesitter import Node, Source, field, one_line, walk

_ASSERTIONS = ("TEST_ASSERT", "TEST_ASSERT_EQ", "TEST_ASSERT_STR_EQ")
_COMPARING = ("==", "!=", "<", "<=", ">", ">=")
_NULL = ("NULL", "nullptr", "((void*)0)", "((void *)0)")


class Reader(FailedTest):
    """The C test that failed, or a helper of another file that it failed in."""

    language = "c"
    definition = "function_definition"
    expression = "void f(void) {{ {}; }}"
    loops = frozenset({"for_statement", "while_statement", "do_statement"})
    scopes = frozenset({"compound_statement", "for_statement"})

    @classmethod
    def failed(cls, source: Source, test: str, line: int) -> Node | None:
        functions = list(definitions(source))
        named = ((node, function_name(node)) for node in functions)
        own = [node for node, name in named if name is not None and source.text_of(name) == test]
        around = [n for n in functions if source.line(n) <= line <= source.end_line(n)]
        return next(iter([*around, *own]), None)

    def inside(self) -> bool:
        """Whether the line is in the test's body rather than its definition line."""
        return self._line > self._source.line(self._function)

    def calls_here(self) -> list[tuple[str, str]]:
        """Name and text of every stub call on the failing line."""
        return [
            (name, self._text(node))
            for name, node in self._calls(self._function)
            if self._source.line(node) <= self._line <= self._source.end_line(node)
        ]

    def _here(self) -> set[str]:
        return {text for _, text in self.calls_here()} if self.inside() else set()

    def last(self) -> str | None:
        """The stub call on the failing line, else the last one before it."""
        here = self.calls_here()
        return one_line(self._outermost([text for _, text in here])) if here else self.before()

    def before(self) -> str | None:
        """The last stub call before the failing line."""
        found = [node for _, node in self._calls(self._function) if self._is_before(node)]
        return one_line(self._outermost([self._text(node) for node in found])) if found else None

    def _outermost(self, calls: Sequence[str]) -> str:
        """The last of calls that is no argument of the one before it."""
        last = len(calls) - 1
        while last and calls[last] in calls[last - 1]:
            last -= 1
        return calls[last]

    def check(self) -> say.Check | None:
        """The assertion at the failing line; None where there is none, or more than one."""
        here = [
            node
            for node in walk(self._function)
            if self._assertion(node) is not None
            and self._source.line(node) <= self._line <= self._source.end_line(node)
        ]
        if len(here) != 1:
            return None
        arguments = field(here[0], "arguments")
        values = [] if arguments is None else arguments.named_children
        values = [value for value in values if value.type != "comment"]
        if self._assertion(here[0]) == "TEST_ASSERT":
            return self._truth(values[0]) if len(values) == 1 else None
        if len(values) != 2:
            return None
        return self._equality(*values)

    def _assertion(self, node: Node) -> str | None:
        function = field(node, "function") if node.type == "call_expression" else None
        name = self._text(function) if function is not None else ""
        return name if name in _ASSERTIONS else None

    def _equality(self, expected: Node, actual: Node) -> say.Check:
        """Expected comes first, unless the stub is called there and only there."""
        left, right = self._side(expected), self._side(actual)
        text = f"{left.text} == {right.text}"
        if left.calls and not right.calls:
            return say.Check(text, left, "==", right)
        wanted = say.Side(left.text, calls=False, fixed=True)
        found = say.Side(right.text, right.calls, fixed=False)
        return say.Check(text, wanted, "==", found)

    def _truth(self, node: Node) -> say.Check:
        text, negated = one_line(self._text(node)), False
        while True:
            inner = node.named_children[0] if node.named_child_count == 1 else None
            if node.type == "parenthesized_expression" and inner is not None:
                node = inner
            elif node.type == "unary_expression" and self._text(node.children[0]) == "!":
                node, negated = node.named_children[-1], not negated
            else:
                break
        left, right, operator = field(node, "left"), field(node, "right"), self._operator(node)
        if left is not None and right is not None and operator in _COMPARING and not negated:
            return say.Check(text, self._side(left), operator, self._side(right))
        direct = node.type == "call_expression" and self._called(node) in self._stubs
        return say.Check(text, self._side(node), negated=negated, direct=direct)

    def _operator(self, node: Node) -> str:
        operator = field(node, "operator") if node.type == "binary_expression" else None
        return self._text(operator) if operator is not None else ""

    def _calls(self, inside: Node) -> list[tuple[str, Node]]:
        return [call for call in calls(self._source, inside) if call[0] in self._stubs]

    def _called(self, node: Node) -> str:
        function = field(node, "function")
        return "" if function is None else self._text(function)

    def _side(self, node: Node) -> say.Side:
        text, called = self._text(node), bool(self._calls(node))
        if not called:
            text, called, _ = self._resolved(self._source, node)
        return say.Side(one_line(text), called, self._is_fixed(node))

    def _is_fixed(self, node: Node) -> bool:
        names = (n for n in walk(node) if n.type in ("identifier", "field_identifier"))
        return all(self._text(name).isupper() for name in names)

    def _may_be_variable(self, name: Node) -> bool:
        parent = name.parent
        called = parent is not None and parent.type == "call_expression"
        return not (called and parent is not None and field(parent, "function") == name)

    def _bound(self, node: Node) -> tuple[Node | None, Node | None]:
        left, value = field(node, "declarator"), field(node, "value")
        if node.type == "assignment_expression":
            left, value = field(node, "left"), field(node, "right")
        elif node.type != "init_declarator":
            return None, None
        while left is not None and left.type == "pointer_declarator":
            left = field(left, "declarator")
        is_name = left is not None and left.type == "identifier"
        return (left, _without_cast(value)) if is_name and value is not None else (None, None)

    def _is_before(self, node: Node) -> bool:
        return self._source.end_line(node) < self._line

    def _made(self, node: Node) -> tuple[Node | None, Node | None]:
        target, value = field(node, "declarator"), field(node, "value")
        if node.type != "init_declarator" or value is None:
            return None, None
        while target is not None and target.type != "identifier":
            target = field(target, "declarator")
        return target, value

    def _held(self, name: str, until: int) -> str | None:
        """A number is not told whose address is all that the call gets: it is for an answer."""
        line = self._source.data[until:].partition(b";")[0].decode(errors="replace")
        value = super()._held(name, until)
        is_plain = value is not None and not value.startswith(("{", '"')) and "(" not in value
        return None if is_plain and re.search(rf"&\s*{re.escape(name)}\b", line) else value

    def _may_change(self, name: Node, made: Node, value: Node) -> bool:
        at, above = name, name.parent
        declared = field(made, "declarator")
        is_address = declared is not None and declared.type != "identifier"
        while above is not None and not above.type.endswith(("_statement", "declaration")):
            kind = above.type
            if kind == "update_expression" or (
                kind == "assignment_expression" and field(above, "left") == at
            ):
                return True
            if kind in ("assignment_expression", "init_declarator") and above != made:
                outer = above.parent
                reads = outer is not None and self._text(outer).startswith("const ")
                return is_address and not reads and at != field(above, "declarator")
            if kind == "pointer_expression" and self._text(above).startswith("&"):
                is_address = True
            if kind == "sizeof_expression":
                return False
            if kind == "argument_list" and above.parent is not None:
                called = self._called(above.parent)
                if called in _ASSERTIONS:
                    return False
                places = [each for each in above.named_children if each.type != "comment"]
                return is_address and not self._only_reads(called, places.index(at))
            if kind in ("subscript_expression", "field_expression"):
                is_address = False
            at, above = above, above.parent
        return False

    def _only_reads(self, function: str, place: int) -> bool:
        """Whether a function's parameter is declared as one that it does not write to. What points
        to a pointer is not looked at further."""
        head = re.compile(rf"\b{re.escape(function)}\s*\(([^()]*)\)\s*[;{{]")
        found = (head.search(text) for text in self._files.values())
        declared = next((match[1].split(",") for match in found if match is not None), [])
        if place >= len(declared):
            return False
        steps = declared[place].count("*") + declared[place].count("[")
        return steps < 2 and "const" in declared[place].split()

    def _constant(self, name: str) -> str | None:
        for node in self._source.root.named_children:
            if node.type == "declaration" and "const" in self._text(node).split():
                for each in walk(node):
                    target, value = self._made(each)
                    if target is not None and value is not None and self._text(target) == name:
                        return self._text(value)
        defined = re.compile(rf"^#define {re.escape(name)} ([^\s/]+)", re.MULTILINE)
        found = (defined.search(text) for text in self._files.values())
        return next((match[1] for match in found if match is not None), None)


def _without_cast(node: Node) -> Node:
    while node.type in ("cast_expression", "parenthesized_expression"):
        inner = field(node, "value") or (node.named_children[-1] if node.named_children else None)
        if inner is None:
            break
        node = inner
    return node


def is_null(side: say.Side) -> bool:
    """Whether a side is a null pointer written out."""
    return side.text in _NULL
