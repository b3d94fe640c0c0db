"""Namespaces whose names are imported when they are first used: the one way to load modules of
this package late.

A namespace is a module with a stub (`.pyi`) beside it. The stub holds plain imports, which type
checkers read; the module itself holds `__getattr__, __dir__ = attach_stub(__name__)`, which looks
up in the same stub where a name comes from (PEP 562). So both cannot differ.
"""

import ast
import sys
from collections.abc import Callable
from functools import cache, reduce
from pathlib import Path


def attach_stub(module: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a namespace; `module` is its `__name__`."""

    @cache
    def places() -> dict[str, str]:
        stub = Path(str(sys.modules[module].__file__)).with_suffix(".pyi")
        return {
            alias.name: str(line.module)
            for line in ast.parse(stub.read_bytes()).body
            if isinstance(line, ast.ImportFrom)
            for alias in line.names
        }

    def load(name: str) -> object:
        place = places().get(name)
        if place is None:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        found = named_object(place, name)
        setattr(sys.modules[module], name, found)
        return found

    return load, lambda: sorted(places())


def named_object(module: str, name: str) -> object:
    """What a dotted `name` is in a module, the module itself for none."""
    first, *rest = name.split(".")
    # `fromlist` makes it give the module itself, with `first` imported if that is a submodule.
    found: object = __import__(module, fromlist=[first])
    return reduce(getattr, filter(None, (first, *rest)), found)
