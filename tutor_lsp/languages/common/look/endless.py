"""Whether code that is out of time can go on for ever: code without a loop that may be endless is
slow, and a recursion that never ends runs out of stack."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.treesitter import Node, Source, walk

_ITERATORS = frozenset({"next", "__next__", "__getitem__", "__len__"})


@dataclass(frozen=True, slots=True)
class Loops:
    """The loops of a language. `functions` gives its functions with their names, `endless` says of
    a node whether it may go on for ever."""

    language: str
    functions: Callable[[Source], Iterator[tuple[str, Node]]]
    endless: Callable[[Source, Node], bool]


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
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        for source, body in bodies.get(name, ()):
            for node in walk(body):
                if loops.endless(source, node):
                    return False
                if node.type.endswith("identifier"):
                    used = source.text_of(node)
                    todo += [used] if used in bodies else []
    return bool(seen & bodies.keys())
