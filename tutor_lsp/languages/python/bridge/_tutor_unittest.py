"""Tests in classes: their names, what assertions of unittest were given, whether they came back."""

# an older Python than ours may run this
# ruff: noqa: UP035
from __future__ import annotations

import functools
import inspect
from types import TracebackType
from typing import Any, Callable

ASSERTIONS = {
    **dict.fromkeys(
        [f"assert{kind}Equal" for kind in ("", "Not", "List", "Tuple", "Set", "Dict", "Sequence")],
        (0, 1),
    ),
    "assertMultiLineEqual": (0, 1), "assertCountEqual": (0, 1), "assertIn": (0, 1),
    "assertNotIn": (0, 1), "assertIs": (0, 1), "assertIsNot": (0, 1), "assertLess": (0, 1),
    "assertLessEqual": (0, 1), "assertGreater": (0, 1), "assertGreaterEqual": (0, 1),
    "assertAlmostEqual": (0, 1), "assertTrue": (0,), "assertFalse": (0,),
}  # fmt: skip
"""Assertions of unittest, with the places of the values that they look at."""


def asserted(trace: TracebackType | None) -> tuple[list[Any], str] | None:
    """The values that a failed assertion of unittest looked at, and its note; None if none of its
    assertions failed."""
    while trace is not None:
        frame, trace = trace.tb_frame, trace.tb_next
        places = ASSERTIONS.get(frame.f_code.co_name)
        if places is not None and frame.f_globals.get("__unittest"):
            names = frame.f_code.co_varnames[1:]  # after self
            note = frame.f_locals.get("msg")
            values = [frame.f_locals[names[place]] for place in places]
            said = "" if note is None else str(note)
            # Those of one value have written what failed before the note by then.
            return values, said if len(values) == 2 else said.partition(" : ")[2]
    return None


def followed(method: Callable[[], Any], ended: Callable[[], None]) -> Callable[[], Any]:
    """The method of a test, with a call of `ended` once it has come back."""
    if inspect.iscoroutinefunction(method):

        @functools.wraps(method)
        async def later() -> None:
            await method()
            ended()

        return later

    @functools.wraps(method)
    def called() -> None:
        method()
        ended()

    return called


def name_of(item: Any) -> str:
    """The name of the test function, without parameters."""
    return getattr(item, "originalname", None) or str(item.name)


def names_of(items: list[Any]) -> dict[str, str]:
    """The name of each test by its id: that of its function, behind its class (`TestA::test_x`)
    where several classes of a file have it."""
    owners: dict[tuple[str, str], set[str]] = {}
    for item in items:
        owners.setdefault((str(item.path), name_of(item)), set()).add(_owner(item))
    return {
        item.nodeid: _owner(item) + name_of(item)
        if len(owners[str(item.path), name_of(item)]) > 1
        else name_of(item)
        for item in items
    }


def _owner(item: Any) -> str:
    """The class of a test as in `TestA::`; nothing for a function."""
    owner = getattr(item, "cls", None)
    return owner.__name__ + "::" if owner is not None else ""
