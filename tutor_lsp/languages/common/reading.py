"""Reading a test around the place where it failed: what the readers of all languages share."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from types import MappingProxyType
from typing import Any, ClassVar, Self

from tutor_lsp.core.exercise.report import Failure, Location, RawTest, TestOutcome
from tutor_lsp.core.ports import Files, FunctionSite
from tutor_lsp.core.text.plain_text import clip
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.common.explain import CALL_LIMIT
from tutor_lsp.languages.common.look.endless import Loops, ends
from tutor_lsp.languages.common.treesitter import Node, Source, field, one_line, walk

GIVEN_LIMIT, MOST_GIVEN = 80, 3
"""Maximum characters of what a name holds, and maximum names told, in a sentence."""
_QUOTED = re.compile(r"`([^`]+)`")
_AFTER = re.compile(r"`[^`]+`, (?:`|which gave )")


class FailedTest:
    """The function that failed, and the line and column in it; line 0 where they are unknown."""

    language: ClassVar[str]
    definition: ClassVar[str]
    """The node type of a function."""
    expression: ClassVar[str] = "{}"
    """A text of the language with an expression in it."""
    loops: ClassVar[frozenset[str]] = frozenset({"for_statement", "while_statement"})
    scopes: ClassVar[frozenset[str]] = frozenset()
    """The node types at whose end names are forgotten."""

    def __init__(
        self,
        source: Source,
        function: Node,
        place: Location | None,
        stubs: Collection[str],
        files: Files,
        given: Mapping[str, str] = MappingProxyType({}),
        call: str | None = None,
    ) -> None:
        self._source = source
        self._function = function
        self._line = place.line if place else 0
        self._column = place.column if place else 1
        self._stubs = stubs
        self._files = files
        self._known = given
        self._call = call

    @classmethod
    def of(cls, test: RawTest, files: Files, stubs: Collection[str]) -> Self:
        """The reader for that test; it finds nothing if the texts do not hold the test."""
        place = test.location
        order = [place.file] if place else [name for name in files if name.startswith("tests/")]
        for file in order:
            source = Source(cls.language, files.get(file, ""))
            function = cls.failed(source, test.name, place.line if place else 0)
            if function is not None:
                return cls(source, function, place, stubs, files, dict(test.given), test.call)
        empty = Source(cls.language, "")
        return cls(empty, empty.root, None, stubs, files)

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
                called = self._calls(value) or self._hands_on(value)
                same = called and not self._is_changed(node, source.text_of(name))
                text = one_line(self._text(value)) if same else None
                found = (text, target.type == "identifier")
        return found

    def _is_changed(self, made: Node, name: str) -> bool:
        """Whether a variable is another thing at the failing place than what it was made."""
        return False

    def _hands_on(self, value: Node) -> bool:
        """Whether a stub is given to something else, which calls it."""
        return any(
            node.type == "identifier" and self._text(node) in self._stubs for node in walk(value)
        )

    def all_calls(self) -> list[tuple[str, str]]:
        """Name and text of every stub call in the test, in order."""
        return [(name, self._text(node)) for name, node in self._calls(self._function)]

    def with_given(self, failure: Failure) -> Failure:
        """The sentence with what the names in its call held when the call began, as far as the
        test says that: where a name was given a value, and nothing can have changed it since."""
        quoted = (found[1] for found in _QUOTED.finditer(failure.message))
        call = next((text for text in quoted if self._names_stub(text)), None)
        if call is None or failure.message.endswith("?"):
            return failure
        given = list(self._given(call))[:MOST_GIVEN]
        if not given:
            return failure
        after = _AFTER.search(failure.message)
        told = [
            t(f"`{name}` was {value}") if after else t(f"`{name}` is {value}")
            for name, value in given
        ]
        listed = t(" and ").join(told)
        said = failure.message
        if failure.advice:
            said = said.removesuffix(failure.advice).rstrip(": \N{NO-BREAK SPACE}")
        rest = failure.message[len(said) :]
        return replace(failure, message=said + t(f", where {listed}") + rest)

    def lacks(self, test: RawTest, failure: Failure) -> bool:
        """Whether a sentence does not say which of the test's calls it is about, what the names in
        that held, or what it gave."""
        calls = self._here() or {text for _, text in self.all_calls()}
        ended_inside = test.raised_at is not None or test.outcome is not TestOutcome.FAILED
        if ended_inside and (len(calls) != 1 or self._loops()):
            return True
        quoted = [found[1] for found in _QUOTED.finditer(failure.message)]
        call = next((text for text in quoted if self._names_stub(text)), None)
        if call is None:
            return True
        told = {name for name, _ in self._given(call)}
        source = Source(self.language, self.expression.format(call))
        names = {source.text_of(node) for node in self._variables(source)}
        if any(not name[:1].isupper() for name in names - told):
            return True
        if test.left is not None or (failure.actual is not None and not _is_truth(failure)):
            return False
        return failure.actual is None or call not in map(one_line, calls)

    def ends(self, loops: Loops, test: RawTest, call: str | None) -> bool:
        """Whether a call that was out of time would have ended."""
        late = test.outcome is TestOutcome.TIMEOUT and not test.waited
        return late and ends(loops, self._files, call, list(self._stubs))

    def _here(self) -> set[str]:
        """The calls that a test that did not fail by itself can have ended in, where that is known
        of its place."""
        return set()

    def _names_stub(self, text: str) -> bool:
        return any(f"{stub}(" in text for stub in self._stubs)

    def _loops(self) -> bool:
        return any(node.type in self.loops for node in walk(self._function))

    def _given(self, call: str) -> Iterator[tuple[str, str]]:
        until = self._begins(call)
        seen = self._known if self._call is not None and self._call in call else {}
        paths = [name for name in seen if not name.isidentifier() and name in call]
        alone = reduce(lambda text, path: text.replace(path, " "), paths, call)
        is_here = self._source.data.count(b"\n", 0, until) + 1 == self._line
        source = Source(self.language, self.expression.format(call))
        names = (source.text_of(node) for node in self._variables(source))
        for name in [*dict.fromkeys(names), *paths]:
            if name not in paths and re.search(rf"\b{re.escape(name)}\b", alone) is None:
                continue  # what it is the beginning of is told
            value = seen.get(name)
            if value is None:
                held, known = self._held(name, until), self._known.get(name) if is_here else None
                value = held if held is not None and self._may_be(held, known) else known
            if value is not None:
                yield name, clip(one_line(value), GIVEN_LIMIT)

    def _begins(self, call: str) -> int:
        """Where a call begins, as a byte offset: its last place up to the failing line."""
        data = self._source.data
        lines = data[self._function.start_byte :].split(b"\n")
        rows = max(self._line - self._source.line(self._function) + 1, 0)
        end = self._function.start_byte + sum(len(line) + 1 for line in lines[:rows])
        found = data.rfind(call.encode(), self._function.start_byte, end)
        return found if found >= 0 else max(end - len(lines[rows - 1]) - 1, 0)

    def _variables(self, source: Source, inside: Node | None = None) -> Iterator[Node]:
        """The identifiers that are names of values."""
        for node in walk(inside or source.root):
            if node.type == "identifier" and self._may_be_variable(node):
                above = node.parent
                if above is None or field(above, "function") != node:
                    yield node

    def _held(self, name: str, until: int) -> str | None:
        """What a name was made of, None where that is not certain."""
        made = value = None
        for node in walk(self._function):
            if node.end_byte > until:
                continue
            target, given = self._made(node)
            if target is not None and self._text(target) == name and self._reaches(node, until):
                made, value = node, given
        if made is None or value is None:
            return self._constant(name)
        if self._is_open(value) or (self._calls(value) and not self._stays(made)):
            return None
        last = self._end_of_loop(made, until)
        between = (
            node
            for node in self._variables(self._source, self._function)
            if made.end_byte <= node.start_byte < last and self._text(node) == name
        )
        if any(self._may_change(node, made, value) for node in between if node.start_byte != until):
            return None
        return self._text(value)

    def _reaches(self, node: Node, until: int) -> bool:
        """Whether a name that a node makes is still known at a place behind it."""
        around = node.parent
        while around is not None and around.type not in self.scopes:
            around = around.parent
        return around is None or around.end_byte > until

    def _may_be(self, written: str, known: str | None) -> bool:
        """Whether what is written gives the value that is known, as far as that can be seen."""
        return True

    def _is_open(self, value: Node) -> bool:
        """Whether a value depends on others: types and constants begin with a capital letter."""
        names = self._variables(self._source, value)
        return not all(self._text(name)[:1].isupper() for name in names)

    def _stays(self, made: Node) -> bool:
        """Whether nothing can change what a name is given there, whatever it was made of."""
        return False

    def _end_of_loop(self, made: Node, until: int) -> int:
        """The end of what may have run before a place, to which a loop comes back."""
        around = [
            node.end_byte
            for node in walk(self._function)
            if node.type in self.loops
            and node.start_byte <= until < node.end_byte
            and not node.start_byte <= made.start_byte
        ]
        return max(around, default=until)

    def _made(self, node: Node) -> tuple[Node | None, Node | None]:
        """The name that a node gives its first value to, and the value."""
        return self._bound(node)

    def _may_change(self, name: Node, made: Node, value: Node) -> bool:
        """Whether what a name holds may be another thing after it was mentioned there."""
        raise NotImplementedError

    def _constant(self, name: str) -> str | None:
        """What a name outside of the test holds for good."""
        return None

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


def _is_truth(failure: Failure) -> bool:
    return {str(failure.expected).lower(), str(failure.actual).lower()} == {"true", "false"}


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
