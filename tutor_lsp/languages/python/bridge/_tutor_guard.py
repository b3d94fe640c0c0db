"""Notices code of the exercise that reaches into the run that judges it, and says so at once: by
what it says, and by what it has changed. `_tutor_watch` looks at its calls.

Everything that is used here is taken hold of before that code is loaded. What is noticed goes out
before the call that was noticed goes on, so nothing that it then finds can take it back. Honest
code uses none of what is looked for; a determined forger in the same process is not kept out.
"""

# os.path as in the paths of pytest; an older Python than ours may run this
# ruff: noqa: UP035, PTH118
from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterable, Iterator
from operator import is_
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Callable

Report = Callable[[str, int, str], None]
"""Takes file, line and what was noticed; never raises."""

FRAMES = {
    "f_back", "f_locals", "f_globals", "f_builtins", "gi_frame", "cr_frame", "ag_frame", "tb_frame",
}  # fmt: skip
FRAME = "looks into the functions that call it (`{}`)"
ALL_MODULES = "goes through the loaded modules (`sys.modules`)"
RUNNER = re.compile(r"(?:_pytest|pluggy|ctypes|_ctypes)(?:\.|\Z)")
DECIDES = re.compile(
    r"pytest\Z|pluggy(?:\.|\Z)|_pytest\.(?:runner|python|fixtures|nodes|main|reports|outcomes|raises"
    r"|python_api|assertion|config|skipping|recwarn|monkeypatch|mark|_code|unraisableexception)"
)
UNSTABLE = {"warnings", "sys", "__main__", "exercise"}
"""Modules whose functions others replace for a while, and the exercise's own."""

UNSTABLE_NAMES = {"__doc__", "__abstractmethods__", "_abc_impl", "__annotations__", "__dict__"}
UNSTABLE_NAMES |= {"__weakref__", "__parameters__", "__firstlineno__", "__static_attributes__"}
"""Of a class: what the interpreter itself keeps there."""


def read_sources(folder: str) -> Iterator[tuple[str, ast.Module]]:
    """Path and syntax tree of every source file that parses."""
    for where, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(where, name)
            if name.endswith(".py"):
                try:
                    with open(path, "rb") as file:  # noqa: PTH123
                        yield path, ast.parse(file.read(), path)
                except (OSError, SyntaxError, ValueError, RecursionError):
                    continue


def findings(tree: ast.AST, tests: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Line and description of what a source only holds to reach into a run."""
    names = set(tests)
    looked_up: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Subscript, ast.Compare)) or is_lookup(node):
            looked_up.update(map(id, ast.iter_child_nodes(node)))
        said: Iterable[str | None] = ()
        if isinstance(node, ast.Attribute):
            said = of_attribute(node, id(node) in looked_up)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            said = of_import(node, names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            said = [of_name(node.value, names)]
        for what in said:
            if what is not None:
                yield node.lineno, what  # type: ignore[attr-defined]


def of_name(name: str, tests: set[str]) -> str | None:
    """What is wrong with naming that, in code or in a text."""
    if name in FRAMES:
        return FRAME.format(name)
    if RUNNER.match(name):
        return f"reaches into the program that runs the tests (`{name}`)"
    return f"reaches into the tests (`{name}`)" if name in tests else None


def of_attribute(node: ast.Attribute, looked_up: bool) -> Iterator[str]:
    """An attribute of a frame, or all modules."""
    if node.attr in FRAMES:
        yield FRAME.format(node.attr)
    elif is_modules(node) and not looked_up:
        yield ALL_MODULES


def of_import(node: ast.Import | ast.ImportFrom, tests: set[str]) -> Iterator[str | None]:
    """Modules that belong to the run."""
    module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
    for name in [module] if module else [alias.name for alias in node.names]:
        yield of_name("_pytest" if name == "__main__" else name, set())
        yield of_name(name.rpartition(".")[2], tests)
    if module == "sys" and any(alias.name == "modules" for alias in node.names):
        yield ALL_MODULES


def is_modules(node: ast.AST) -> bool:
    """`sys.modules` itself."""
    whole = isinstance(node, ast.Attribute) and node.attr == "modules"
    return whole and isinstance(node.value, ast.Name) and node.value.id == "sys"  # type: ignore[attr-defined]


def is_lookup(node: ast.AST) -> bool:
    """`sys.modules.get`, `sys.modules.pop`: one module by its name."""
    named = isinstance(node, ast.Attribute) and node.attr in ("get", "pop", "setdefault")
    return named and is_modules(node.value)  # type: ignore[attr-defined]


def assignments(folder: str, name: str) -> Iterator[tuple[str, int]]:
    """Where a source gives an attribute of that name a value."""
    for path, tree in read_sources(folder):
        for node in ast.walk(tree):
            stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, (ast.Store, ast.Del))
            if stored and node.attr == name:  # type: ignore[attr-defined]
                yield path, node.lineno  # type: ignore[attr-defined]
            elif isinstance(node, ast.Constant) and node.value == name:
                yield path, node.lineno


class Fingerprint:
    """Functions and classes as they were when this was made: whether they are still the same."""

    def __init__(self, modules: Iterable[ModuleType], own: Iterable[type]) -> None:
        self._rows: list[tuple[str, Any, list[str], list[Any]]] = []
        self._compare = is_
        kinds = (FunctionType, BuiltinFunctionType, type)
        classes: dict[type, None] = dict.fromkeys(own)
        for module in modules:
            space = vars(module)
            # of a copy: a module may grow while others are loaded
            names = [name for name, value in list(space.items()) if isinstance(value, kinds)]
            self._add(module.__name__, space, names)
            inside = [space[name] for name in names if isinstance(space[name], type)]
            top = module.__name__.partition(".")[0]
            classes.update((c, None) for c in inside if c.__module__.partition(".")[0] == top)
        self.classes = frozenset(classes)
        for kind in classes:
            if kind.__module__ != "builtins":
                self._add(kind.__qualname__, vars(kind), list(vars(kind)))

    def _add(self, owner: str, space: Any, names: list[str]) -> None:
        names = [name for name in names if name not in UNSTABLE_NAMES]
        self._rows.append((owner, space, names, [space[name] for name in names]))

    def changed(self) -> tuple[str, str] | None:
        """Owner and name of the first that is another one now."""
        same, compare = all, self._compare
        for owner, space, names, values in self._rows:
            if not same(map(compare, map(space.get, names), values)):
                for name, value in zip(names, values):  # noqa: B905
                    if space.get(name) is not value:
                        return owner, name
        return None


def of_runner() -> list[ModuleType]:
    """The loaded modules of the test framework that have a say in what a test comes to."""
    loaded = list(sys.modules.items())
    return [module for name, module in loaded if DECIDES.match(name)]
