"""Reading a test around the place where it failed: what the readers of all languages share."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar, Self

from tutor_lsp.core.exercise.report import Location, RawTest
from tutor_lsp.core.ports import Files, FunctionSite
from tutor_lsp.languages.common.explain import CALL_LIMIT
from tutor_lsp.languages.common.treesitter import Node, Source, field, one_line, walk


class FailedTest:
    """The function that failed, and the line and column in it; line 0 where they are unknown."""

    language: ClassVar[str]
    definition: ClassVar[str]
    """The node type of a function."""

    def __init__(
        self, source: Source, function: Node, place: Location | None, stubs: Collection[str]
    ) -> None:
        self._source = source
        self._function = function
        self._line = place.line if place else 0
        self._column = place.column if place else 1
        self._stubs = stubs

    @classmethod
    def of(cls, test: RawTest, files: Files, stubs: Collection[str]) -> Self:
        """The reader for that test; it finds nothing if the texts do not hold the test."""
        place = test.location
        order = [place.file] if place else [name for name in files if name.startswith("tests/")]
        for file in order:
            source = Source(cls.language, files.get(file, ""))
            function = cls.failed(source, test.name, place.line if place else 0)
            if function is not None:
                return cls(source, function, place, stubs)
        empty = Source(cls.language, "")
        return cls(empty, empty.root, None, stubs)

    @classmethod
    def failed(cls, source: Source, test: str, line: int) -> Node | None:
        """The test, or the helper of its file that the line lies in."""
        functions = [node for node in walk(source.root) if node.type == cls.definition]
        own = test.partition("[")[0].rpartition("::")[2]
        found = next((node for node in functions if _named(source, node, own)), None)
        if found is None or not line or source.line(found) <= line <= source.end_line(found):
            return found
        around = [n for n in functions if source.line(n) <= line <= source.end_line(n)]
        return around[-1] if around else found

    def _resolved(self, source: Source, node: Node) -> tuple[str, bool, str | None]:
        """The text with variables replaced by the stub calls that they were made from; whether
        there are any; the call, where a variable is only a part of its answer."""
        pieces, at, origin, called = [], node.start_byte, None, False
        for name in walk(node):
            value, whole = self._value_of(source, name)
            if value is None:
                continue
            called = True
            if whole:
                pieces += [source.slice(at, name.start_byte), value]
                at = name.end_byte
            else:
                origin = value
        replaced = "".join([*pieces, source.slice(at, node.end_byte)])
        fits = len(one_line(replaced)) <= CALL_LIMIT
        return replaced if fits else source.text_of(node), called, origin

    def _value_of(self, source: Source, name: Node) -> tuple[str | None, bool]:
        """The stub call that a variable was last made from before the failing place, None for
        what is no such variable; and whether it stands for all of the answer."""
        found: tuple[str | None, bool] = (None, False)
        if name.type != "identifier" or not self._may_be_variable(name):
            return found
        for node in walk(self._function):
            target, value = self._bound(node)
            if target is None or value is None or not self._is_before(node):
                continue
            names = [self._text(each) for each in walk(target) if each.type == "identifier"]
            if source.text_of(name) in names:
                text = one_line(self._text(value)) if self._calls(value) else None
                found = (text, target.type == "identifier")
        return found

    def all_calls(self) -> list[tuple[str, str]]:
        """Name and text of every stub call in the test, in order."""
        return [(name, self._text(node)) for name, node in self._calls(self._function)]

    def _text(self, node: Node) -> str:
        return self._source.text_of(node)

    def _may_be_variable(self, name: Node) -> bool:
        """Whether an identifier is not the name of something else, such as an attribute."""
        raise NotImplementedError

    def _bound(self, node: Node) -> tuple[Node | None, Node | None]:
        """What a node gives a value to, and the value."""
        raise NotImplementedError

    def _is_before(self, node: Node) -> bool:
        """Whether a node ends before the failing place."""
        raise NotImplementedError

    def _calls(self, inside: Node) -> Sequence[tuple[str, Any]]:
        """The calls of stubs in a node by their names, in order."""
        raise NotImplementedError


def _named(source: Source, node: Node, name: str) -> bool:
    own = field(node, "name")
    return own is not None and source.text_of(own) == name


def function_at(
    place: Location | None, files: Files, functions: Callable[[str], Sequence[FunctionSite]]
) -> str | None:
    """The name of the last function that begins at or above a place."""
    if place is None:
        return None
    sites = functions(files.get(place.file, ""))
    before = [site.name for site in sites if site.line <= place.line]
    return before[-1] if before else None
