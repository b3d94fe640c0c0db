"""Reading a Python test around the place where it failed."""

from tree_sitter import Node

from tutor_lsp.languages.common import explain as say
from tutor_lsp.languages.common.reading import FailedTest
from tutor_lsp.languages.common.treesitter import field, one_line, walk

_LITERALS = frozenset(
    {
        "concatenated_string",
        "escape_sequence",
        "dictionary",
        "false",
        "float",
        "integer",
        "list",
        "none",
        "pair",
        "parenthesized_expression",
        "set",
        "string",
        "string_content",
        "string_end",
        "string_start",
        "true",
        "tuple",
        "unary_operator",
    }
)


class Reader(FailedTest):
    """The Python test that failed."""

    language = "python"
    definition = "function_definition"

    def all_calls(self) -> list[tuple[str, str]]:
        """Name and text of every stub call in the test, in order."""
        return [(name, self._source.text_of(node)) for name, node in self._calls(self._function)]

    def call(self, about: str | None) -> str | None:
        """The stub call that an exception came out of; `about` decides where that is open."""
        statement = self._statement()
        if statement is None:
            return say.one_of(self.all_calls(), about)
        calls = self._calls(statement)
        for _, node in calls:
            start = self._source.line(node), self._source.column(node.start_byte)
            if start == (self._line, self._column):
                return self._source.text_of(node)
        named = [(name, self._source.text_of(node)) for name, node in calls]
        return say.one_of(named or self.all_calls(), about)

    def before(self) -> str | None:
        """The last stub call before the failing statement."""
        calls = [call for _, call in self._calls(self._function) if self._is_before(call)]
        return one_line(self._source.text_of(calls[-1])) if calls else None

    def check(self) -> say.Check | None:
        """The assertion that failed, or None where it was no assertion."""
        statement = self._statement()
        if statement is None or statement.type != "assert_statement":
            return None
        node, negated = statement.named_children[0], False
        while True:
            if node.type == "parenthesized_expression" and node.named_child_count == 1:
                node = node.named_children[0]
            elif node.type == "not_operator" and (inner := field(node, "argument")) is not None:
                node, negated = inner, not negated
            else:
                break
        text = self._source.text_of(statement.named_children[0])
        if node.type == "comparison_operator" and node.named_child_count == 2 and not negated:
            left, right = node.named_children
            operator = one_line(self._source.slice(left.end_byte, right.start_byte))
            return say.Check(text, self._side(left), operator, self._side(right))
        direct = node.type == "call" and self._called(node) in self._stubs
        return say.Check(text, self._side(node), negated=negated, direct=direct)

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
        return self._source.text_of(function)

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
        text, calls, origin = self._source.text_of(node), bool(self._calls(node)), None
        printed = self._printed(node)
        if printed is not None:
            return say.Side(printed, calls=True, verb="printed")
        if not calls:
            text, calls, origin = self._resolved(node)
        fixed = all(not n.is_named or n.type in _LITERALS for n in walk(node))
        return say.Side(one_line(text), calls, fixed, origin)

    def _printed(self, node: Node) -> str | None:
        """The last stub call before the failing line, where the side is captured output."""
        text = self._source.text_of(node)
        name = text.partition(".")[0]
        assigned = f"{name} = capsys.readouterr()" in self._source.text_of(self._function)
        if "readouterr()" not in text and not assigned:
            return None
        return self.before()

    def _is_before(self, node: Node) -> bool:
        statement = self._statement()
        return statement is not None and node.end_byte <= statement.start_byte

    def _resolved(self, node: Node) -> tuple[str, bool, str | None]:
        """The text with variables replaced by the stub calls that they were made from; whether
        there are any; the call, where a variable is only a part of its answer."""
        pieces, at, origin, calls = [], node.start_byte, None, False
        for name in walk(node):
            if name.type != "identifier" or _is_attribute(name):
                continue
            value, whole = self._assigned(self._source.text_of(name))
            if value is None:
                continue
            calls = True
            if whole:
                pieces += [self._source.slice(at, name.start_byte), value]
                at = name.end_byte
            else:
                origin = value
        replaced = "".join([*pieces, self._source.slice(at, node.end_byte)])
        fits = len(one_line(replaced)) <= say.CALL_LIMIT
        return replaced if fits else self._source.text_of(node), calls, origin

    def _assigned(self, name: str) -> tuple[str | None, bool]:
        """The stub call in the last assignment to that name before the failing line, and whether
        the name stands for all of it."""
        found: tuple[str | None, bool] = (None, False)
        for node in walk(self._function):
            left, right = field(node, "left"), field(node, "right")
            if node.type != "assignment" or left is None or right is None:
                continue
            if not self._is_before(node):
                break
            names = [self._source.text_of(n) for n in walk(left) if n.type == "identifier"]
            if name in names:
                text = one_line(self._source.text_of(right)) if self._calls(right) else None
                found = (text, left.type == "identifier")
        return found


def _is_attribute(name: Node) -> bool:
    """Whether the identifier is the name of an attribute or of a keyword argument."""
    parent = name.parent
    if parent is None:
        return False
    if parent.type == "attribute":
        return field(parent, "attribute") == name
    return parent.type == "keyword_argument" and field(parent, "name") == name
