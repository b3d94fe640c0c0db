"""Lets dataclasses compile each of their methods when it is first called: compiling all of them
takes two fifths of the time that importing the server takes and an eighth of `tutor-lsp status`,
and few are called.

The methods are what the standard library makes of the same text, by a private function of
`dataclasses` that is called later. A Python where that function is missing or has other parameters
is left to do it its own way, which only takes longer: from 3.13 on the methods of a class are
compiled together.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

KNOWN = ("name", "args", "body", "globals", "locals", "return_type")
"""The parameters of the function that is replaced."""


def install() -> None:
    """From now on, defer the methods of new dataclasses if this Python makes them as expected."""
    usual = getattr(dataclasses, "_create_fn", None)
    code = getattr(usual, "__code__", None)  # what is installed already has none
    if (
        usual is not None
        and code is not None
        and code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] == KNOWN
    ):
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
