"""Lets dataclasses compile each of their methods when it is first called: compiling all of them
takes two fifths of the time that importing the server takes, and few are called.

The methods are what the standard library makes of the same text. From Python 3.13 on it compiles
those of a class together, and is left to do so.
"""

import dataclasses
from collections.abc import Callable
from typing import Any


def install() -> None:
    """Make the methods of dataclasses so that are defined from now on, where that is known."""
    usual = getattr(dataclasses, "_create_fn", None)
    if usual is not None and not isinstance(usual, _Later):
        dataclasses._create_fn = _Later(usual)  # type: ignore[attr-defined]  # noqa: SLF001 - no public way


class _Later:
    """Makes methods that are compiled by `usual` when they are first called."""

    def __init__(self, usual: Callable[..., Any]) -> None:
        self._usual = usual

    def __call__(self, name: str, *source: Any, **names: Any) -> Callable[..., Any]:
        compiled: Any = None

        def method(this: Any, /, *given: Any, **named: Any) -> Any:
            nonlocal compiled
            if compiled is None:
                compiled = self._usual(name, *source, **names)
                compiled.__qualname__ = method.__qualname__
            for cls in type(this).__mro__:
                if vars(cls).get(name) is method:
                    setattr(cls, name, compiled)
            return compiled(this, *given, **named)

        method.__name__ = name
        return method
