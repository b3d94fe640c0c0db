"""Whether code that is out of time can go on for ever: code without a loop that may be endless is
slow, and a recursion that never ends runs out of stack."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.treesitter import Node, Source, walk

_ITERATORS = frozenset({"next", "__next__", "__iter__", "__getitem__", "__len__"})


@dataclass(frozen=True, slots=True)
class Loops:
    """The loops of a language. `functions` gives its functions with their names, `endless` says of
    a node whether it may go on for ever, `may_grow` whether it does while what it goes through
    grows, and `adds` whether it may make that grow, in whatever function."""

    language: str
    functions: Callable[[Source], Iterator[tuple[str, Node]]]
    endless: Callable[[Source, Node], bool]
    may_grow: Callable[[Source, Node], bool] = lambda source, node: False
    adds: Callable[[Source, Node], bool] = lambda source, node: False


def ends(loops: Loops, files: Files, call: str | None, stubs: Sequence[str]) -> bool:
    """Whether all that a call of the exercise's functions leads to comes to an end: sure where it
    is true. What the functions of a library do with their arguments ends."""
    if call is None:
        return False
    bodies: dict[str, list[tuple[Source, Node]]] = {}
    for file, text in files.items():
        if file.startswith("src/"):
            source = Source(loops.language, text)
            for name, node in loops.functions(source):
                bodies.setdefault(name, []).append((source, node))
    if bodies.keys() & _ITERATORS:  # loops may go through them without naming them
        return False
    todo = [stub for stub in stubs if re.search(rf"\b{re.escape(stub)}\b", call)]
    seen = _led_to(bodies, todo)
    inner = [
        (source, node) for name in seen for source, body in bodies[name] for node in walk(body)
    ]
    if not seen or any(loops.endless(*each) for each in inner):
        return False
    return not (
        any(loops.may_grow(*each) for each in inner) and any(loops.adds(*each) for each in inner)
    )


def _led_to(bodies: Mapping[str, Sequence[tuple[Source, Node]]], todo: list[str]) -> set[str]:
    """The functions that these call, with these."""
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name in seen or name not in bodies:
            continue
        seen.add(name)
        todo += [
            source.text_of(node)
            for source, body in bodies[name]
            for node in walk(body)
            if node.type.endswith("identifier")
        ]
    return seen
