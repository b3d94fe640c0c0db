"""Values and errors of the exercise as short texts, whatever its code does when asked for them."""

# os.path as in the paths of pytest; an older Python than ours may run this
# ruff: noqa: B905, PTH100
from __future__ import annotations

import os
from reprlib import Repr
from types import TracebackType
from typing import Any

REPR_LIMIT = 500
TEXT_LIMIT = 2000
MANY = 1000
HUGE = 1_000_000
GIVEN_LIMIT = 120
DEEPEST = 20
"""How far into a value is looked, which may be in itself."""
FOR_GOOD = (int, float, complex, str, bytes, type(None))
"""Types of values that nothing can change."""


class _Ordered(Repr):
    """Values in full, sets in an order that does not differ from run to run."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = DEEPEST
        self.maxset = self.maxfrozenset = self.maxlist = self.maxtuple = self.maxdict = MANY
        self.maxstring = self.maxlong = self.maxother = HUGE

    def repr_dict(self, value: dict[Any, Any], level: int) -> str:
        """In its own order, which is part of what it is."""
        pairs = (
            f"{self.repr1(k, level - 1)}: {self.repr1(v, level - 1)}" for k, v in value.items()
        )
        return f"{{{', '.join(pairs)}}}"

    def repr_instance(self, value: object, _: int) -> str:
        """As it says itself."""
        return repr(value)


_ORDERED = _Ordered()


class Stopped(Exception):  # noqa: N818 - shown under the name of what it stands for
    """A test tried to end the whole run by raising `name`."""

    def __init__(self, error: BaseException, name: str) -> None:
        super().__init__(str(error))
        self.name = name
        self.trace = error.__traceback__


def bounded_repr(value: object) -> str:
    """`repr` that never raises and does not spell out very large values."""
    try:
        if isinstance(value, (list, tuple, set, frozenset, dict)) and len(value) > MANY:
            return f"<{type(value).__name__} of {len(value)} items>"
        if isinstance(value, (str, bytes, bytearray)) and len(value) > HUGE:
            return f"<{type(value).__name__} of length {len(value)}>"
        return _ORDERED.repr(value) if _has_set(value) else repr(value)
    except Exception as error:  # noqa: BLE001 - whatever the learner's __repr__ raises
        return f"<{type(value).__name__} whose repr raised {type(error).__name__}>"


def _has_set(value: object, left: int = DEEPEST) -> bool:
    """Whether a set shows in it, as far as lists and the like go."""
    if type(value) in (set, frozenset):
        return True
    if not left or not isinstance(value, (dict, list, tuple)):
        return False
    inside: Any = value.values() if isinstance(value, dict) else value
    return any(_has_set(each, left - 1) for each in inside)


def given(trace: TracebackType | None, tests: str) -> dict[str, str]:
    """The names of the innermost function in a folder of tests, as far as their values are still
    what they were, whoever was handed them."""
    names: dict[str, Any] = {}
    while trace is not None:
        if os.path.abspath(trace.tb_frame.f_code.co_filename).startswith(tests):
            names = dict(trace.tb_frame.f_locals)
        trace = trace.tb_next
    kept = {name: value for name, value in names.items() if _is_for_good(value)}
    texts = {name: bounded_repr(value) for name, value in kept.items()}
    return {name: text for name, text in texts.items() if len(text) <= GIVEN_LIMIT}


def _is_for_good(value: object, left: int = DEEPEST) -> bool:
    if type(value) is tuple:
        return left > 0 and all(_is_for_good(each, left - 1) for each in value)
    return type(value) in FOR_GOOD or type(value) is bool


def clip_pair(left: str, right: str) -> tuple[str, str]:
    """Both texts within the limit, cut so that their first difference can be seen."""
    if max(len(left), len(right)) <= REPR_LIMIT:
        return left, right
    same = next((i for i, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), 0)
    start = max(same - 60, 0)

    def cut(text: str) -> str:
        begin = start if len(text) > REPR_LIMIT else 0
        piece = text[begin : begin + REPR_LIMIT - 2]
        return ("…" if begin else "") + piece + ("…" if begin + len(piece) < len(text) else "")

    return cut(left), cut(right)


def describe(error: BaseException) -> str:
    """`ValueError: text`, within the limit."""
    name = error.name if isinstance(error, Stopped) else type(error).__name__
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - whatever the learner's __str__ raises
        text = ""
    line = f"{name}: {text}" if text else name
    return line if len(line) <= TEXT_LIMIT else line[: TEXT_LIMIT - 1] + "…"
