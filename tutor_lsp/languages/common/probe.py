"""A call as one more test, by syntax tree: what the languages with a tree-sitter grammar share."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import indent

from tutor_lsp.core.language.probes import Probe, ProbeRefused, probe_name
from tutor_lsp.languages.common.treesitter import Node, Source, field, walk

_CALL, _EXPECTED = "tutor_call", "tutor_expected"
_RETURNS = frozenset({"return_statement", "return_expression"})
_ASSIGNS = frozenset({"assignment", "assignment_expression", "augmented_assignment"})
_FUNCTIONS = frozenset({"function_definition", "function_item", "closure_expression", "lambda"})


def _at_the_end(tests: str, test: str) -> str:
    return tests + test


def _anything(signature: str, code: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class TreeProbes:
    """Implements `core.language.probes.Probes` for the tree-sitter grammar `language`.

    `check` is a function whose last two statements hold the two expressions; `test` is the test;
    `names`, `nodes` and what `spelled` finds may not occur; nodes of `wrapped` are put into
    brackets, since they bind less than a comparison. `put` puts a test into a file of tests.
    `unfair` is the first literal argument that a signature does not allow.
    """

    language: str
    check: str
    test: str
    names: frozenset[str]
    nodes: frozenset[str]
    wrapped: frozenset[str] = frozenset()
    spelled: re.Pattern[str] | None = None
    put: Callable[[str, str], str] = _at_the_end
    unfair: Callable[[str, str], str | None] = _anything

    def added(
        self, tests: str, probe: Probe, stubs: Mapping[str, str], name: str | None = None
    ) -> tuple[str, str]:
        call, expected = probe.call.strip(), probe.expected.strip()
        setup = "".join(f"{indent(each.strip(chr(10)), '    ')}\n" for each in probe.setup)
        text = self.check.format(setup=setup, call=call, expected=expected)
        source = Source(self.language, text)
        mine, wanted = _expressions(source, call, expected)
        names = set(_names(source, source.root))
        called = next((stub for stub in stubs if stub in names), None)
        if called is None and stubs:
            raise ProbeRefused("it calls no stub of the exercise")
        if set(_names(source, wanted)) & stubs.keys():
            raise ProbeRefused("what it shall give is computed by the code under test")
        self._refuse_odd(source, names, stubs)
        name = name or probe_name(called or "expression")
        test = self.test.format(
            name=name,
            setup=setup,
            call=f"({call})" if mine.type in self.wrapped else call,
            expected=f"({expected})" if wanted.type in self.wrapped else expected,
        )
        return self.put(tests, test), name

    def _refuse_odd(self, source: Source, names: set[str], stubs: Mapping[str, str]) -> None:
        """Raises ProbeRefused for what looks elsewhere, or is no fair input."""
        others = names - stubs.keys()  # a stub may be called like what looks elsewhere
        if odd := sorted(name for name in others if name in self.names or name.startswith("__")):
            raise ProbeRefused(f"it uses {odd[0]}")
        if odd := sorted({node.type for node in walk(source.root)} & self.nodes):
            raise ProbeRefused(f"it holds a {odd[0].replace('_', ' ')}")
        if self.spelled is not None and (odd_text := self.spelled.search(source.text)):
            raise ProbeRefused(f"it uses {odd_text[0]}")
        if any(_ends_test(node) for node in walk(source.root)):
            raise ProbeRefused("it returns before the comparison")
        for stub, signature in stubs.items():
            if odd_value := self.unfair(signature, source.text):
                raise ProbeRefused(f"{stub} is not for {odd_value}")


def _expressions(source: Source, call: str, expected: str) -> tuple[Node, Node]:
    """The two expressions, if the text is one function that ends with just them."""
    functions = source.root.named_children
    body = field(functions[0], "body") if len(functions) == 1 else None
    if body is None or source.root.has_error or len(body.named_children) < 2:
        raise ProbeRefused("it does not parse as statements and two expressions")
    found = []
    for node, name, text in zip(
        body.named_children[-2:], (_CALL, _EXPECTED), (call, expected), strict=True
    ):
        inner = node.named_children[0] if node.type == "expression_statement" else node
        left = field(inner, "left") or field(inner, "pattern")
        value = field(inner, "right") or field(inner, "value")
        if left is None or value is None:
            raise ProbeRefused(f"{text} is not one expression")
        if (source.text_of(left), source.text_of(value)) != (name, text) or value.type in _ASSIGNS:
            raise ProbeRefused(f"{text} is not one expression")
        found.append(value)
    return found[0], found[1]


def _ends_test(node: Node) -> bool:
    """Whether a return is one of the test itself and not of a function within."""
    if node.type not in _RETURNS:
        return False
    above = node.parent
    while above is not None and above.type not in _FUNCTIONS:
        above = above.parent
    return above is None or above.parent is None or above.parent.parent is None


def _names(source: Source, node: Node) -> Iterator[str]:
    for each in walk(node):
        if each.type.endswith("identifier") and not each.named_children:
            yield source.text_of(each)
