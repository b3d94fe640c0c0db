"""Takes a run of the proof to another folder and another time.

The folder has all that is in the exercise's, so that its own files are found where they were. What
measures time that passes is left as it is.
"""

# os.path as in the rest of the run; an older Python than ours may run this
# ruff: noqa: PTH103, PTH118, PTH208, PTH211, UP017, UP035
from __future__ import annotations

import ctypes
import datetime
import functools
import gc
import os
import time
from typing import Any, Callable

AHEAD_S = 1000 * 24 * 60 * 60 + 11 * 60 * 60 + 17 * 60
"""Another year, month, day of the week and hour."""


_NOW, _NOW_NS = time.time, time.time_ns


def _now() -> float:
    return _NOW() + AHEAD_S


def go(workspace: str) -> None:
    """Go there. Whatever cannot be changed stays as it is."""
    if "TUTOR_OWN_CLOCK" not in os.environ:
        _set_clock()
    there = os.path.join(os.environ["TMPDIR"], "elsewhere")
    os.makedirs(there)
    for name in os.listdir(workspace):
        os.symlink(os.path.join(workspace, name), os.path.join(there, name))
    os.chdir(there)
    os.environ["PWD"] = there


class _Function:
    """In place of a function that is built in: unlike one of ours, it does not become a method of a
    class that has it as an attribute."""

    def __init__(self, real: Callable[..., Any], ours: Callable[..., Any]) -> None:
        functools.update_wrapper(self, real)
        self._ours = ours

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._ours(*args, **kwargs)


def _replace(name: str, ours: Callable[..., Any]) -> None:
    setattr(time, name, _Function(getattr(time, name), ours))


def _set_clock() -> None:
    _replace("time", _now)
    _replace("time_ns", lambda: _NOW_NS() + AHEAD_S * 10**9)
    for name in ("localtime", "gmtime", "ctime"):
        _replace(name, _at_now(getattr(time, name)))
    spelt, formatted, read = time.asctime, time.strftime, time.clock_gettime
    local = time.localtime
    _replace("asctime", lambda t=None: spelt(local() if t is None else t))
    _replace("strftime", lambda form, t=None: formatted(form, local() if t is None else t))
    wall = time.CLOCK_REALTIME
    _replace("clock_gettime", lambda clock: read(clock) + (AHEAD_S if clock == wall else 0))
    try:
        for kind, name, function in (
            (datetime.datetime, "now", _moment),
            (datetime.datetime, "utcnow", _utc_moment),
            (datetime.date, "today", _day),
        ):
            _put(kind, name, function)
    except (AttributeError, LookupError, TypeError):
        return  # another Python keeps its classes in another way


def _at_now(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda secs=None: function(_now() if secs is None else secs)


def _put(kind: type, name: str, function: Callable[..., Any]) -> None:
    """Replace a method of a class that has no other place for one; a class in its place would be
    another one to whoever asks."""
    inside = gc.get_referents(kind.__dict__)[0]
    inside[name] = classmethod(function)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def _moment(cls: Any, tz: Any = None) -> Any:
    return cls.fromtimestamp(_now(), tz)


def _utc_moment(cls: Any) -> Any:
    return cls.fromtimestamp(_now(), datetime.timezone.utc).replace(tzinfo=None)


def _day(cls: Any) -> Any:
    return cls.fromtimestamp(time.time())  # a test may have put its own in that place
