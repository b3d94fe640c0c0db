"""Reading a test around the place where it failed: what the readers of all languages share."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import ClassVar, Self

from tree_sitter import Node

from tutor_lsp.core.exercise.report import Location, RawTest
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.treesitter import Source, field, walk


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
    def of(cls, test: RawTest, files: Mapping[str, str], stubs: Collection[str]) -> Self:
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


def _named(source: Source, node: Node, name: str) -> bool:
    own = field(node, "name")
    return own is not None and source.text_of(own) == name


def function_at(
    place: Location | None,
    files: Mapping[str, str],
    functions: Callable[[str], Sequence[FunctionSite]],
) -> str | None:
    """The name of the last function that begins at or above a place."""
    if place is None:
        return None
    sites = functions(files.get(place.file, ""))
    before = [site.name for site in sites if site.line <= place.line]
    return before[-1] if before else None
