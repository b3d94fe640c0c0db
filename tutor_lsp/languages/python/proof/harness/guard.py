"""Copied into a hidden copy of an exercise, where it stands around its stubs."""

from __future__ import annotations

import functools
import importlib
import os
import signal
import sys
import traceback
import types
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

LIMIT_S = 1.0
"""Longest that one case may take, in seconds."""
OUTSIDE = 86
"""The exit code of a test that makes a call which is not taken."""
HANGS = 3
"""After so many cases that hang no more are tried."""


class Outside(BaseException):
    """A call that the exercise does not speak of."""


class Hanging(BaseException):
    """A case took too long."""


class Seen:
    """What one case came to: calls of the unit that is looked at, and how they ended."""

    def __init__(self, unit: str | None = None) -> None:
        self.unit = unit
        self.depth = 0
        self.called = self.refused = self.broken = False
        self.crash: BaseException | None = None


seen = Seen()


def guarded(unit: str, module: str) -> Callable[[Any], Any]:
    """A decorator: a call from outside that `module.accepts` does not take ends the test."""

    def around(function: Any) -> Any:
        @functools.wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            if seen.depth == 0:
                _admit(unit, module, given, named)
            with _Inside(unit):
                result = function(*given, **named)
            return _running(unit, result) if isinstance(result, types.GeneratorType) else result

        return call

    return around


def _admit(unit: str, module: str, given: Sequence[Any], named: Mapping[str, Any]) -> None:
    mine = unit == seen.unit
    accepts = importlib.import_module(module).accepts
    seen.depth += 1  # the domain may be told with other stubs of the exercise
    try:
        taken = accepts(*given, **named)
    except BaseException:
        seen.broken |= mine
        raise
    finally:
        seen.depth -= 1
    if not taken:
        seen.refused |= mine
        if seen.unit is None:  # a test of its own, which must not pass by catching this
            os._exit(OUTSIDE)
        raise Outside(f"{unit} does not speak of this input")
    seen.called |= mine


class _Inside:
    def __init__(self, unit: str) -> None:
        self._unit = unit

    def __enter__(self) -> None:
        seen.depth += 1

    def __exit__(
        self, kind: object, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        seen.depth -= 1
        if error is None or seen.depth or self._unit != seen.unit:
            return
        if isinstance(error, Outside | GeneratorExit):
            return
        frames = traceback.extract_tb(trace)
        file = frames[-1].filename if frames else ""
        if "/tests/" not in file and seen.crash is None:  # else a callable of the test's own
            seen.crash = error


def _running(unit: str, generator: Any) -> Generator[Any, Any, Any]:
    """The same generator; an exception it raises counts as the stub's."""
    sent: Any = None
    while True:
        with _Inside(unit):
            try:
                item = generator.send(sent)
            except StopIteration as stop:
                return stop.value
        sent = yield item


def look(unit: str, cases: Sequence[Callable[[], object]]) -> None:
    """Print what each case comes to: one letter each, then a line for each that crashed."""
    global seen
    marks: list[str] = []
    crashes: list[str] = []
    for number, case in enumerate(cases):
        seen = Seen(unit)
        hangs = _run(case)
        marks.append(_mark(hangs))
        if marks[-1] == "x":
            names = [kind.__name__ for kind in type(seen.crash).__mro__]
            said = " ".join(str(seen.crash).split())[:120]
            crashes.append(f"{number} {','.join(names)} {said}")
        if marks.count("h") == HANGS:
            break
    sys.stdout.write(f"tutor-domain {unit} {''.join(marks)}\n")
    for crash in crashes:
        sys.stdout.write(f"tutor-crash {unit} {crash}\n")


def _run(case: Callable[[], object]) -> bool:
    def stop(number: int, frame: object) -> None:
        raise Hanging

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LIMIT_S)
    try:
        case()
    except Hanging:
        return True
    except BaseException:  # noqa: BLE001 - whatever a case ends with
        return isinstance(seen.crash, Hanging)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return False


def _mark(hangs: bool) -> str:
    if seen.broken:
        return "b"
    if seen.refused:
        return "r"
    if isinstance(seen.crash, Hanging):
        return "h"
    if seen.crash is not None:
        return "x"
    if hangs and seen.called:
        return "h"
    return "a" if seen.called else "n"
