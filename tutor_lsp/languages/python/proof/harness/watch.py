"""Put at the end of a test file in a hidden copy, where it looks at what the code comes to."""

import contextlib as _contextlib
import hashlib as _hashlib
import io as _io
import itertools as _itertools
import re as _re
import signal as _signal
import sys as _sys
import types as _types
from collections.abc import Callable as _Callable
from collections.abc import Iterator as _Iterator
from collections.abc import Sequence as _Sequence

_TUTOR_LIMIT_S, _TUTOR_PATIENCE_S = 0.1, 2.0
"""Longest that one case may take: of the processor's time, and of any."""
_TUTOR_ENDLESS = 3
"""After so many cases that do not end no more are tried."""
_TUTOR_LONG, _TUTOR_ITEMS, _TUTOR_DEPTH = 240, 200, 6
_TUTOR_PLAIN = (int, float, complex, str, bytes, type(None), type)
_TUTOR_FUNCTIONS = (_types.FunctionType, _types.BuiltinFunctionType, _types.MethodType)

_tutor_seen: list[str] = []


class _TutorEndless(BaseException):
    """A case took too long."""


def _tutor_said(value: object, depth: int = 0) -> str:
    """A value as text, the same in every process: sets in order, no addresses."""
    if depth > _TUTOR_DEPTH:
        return "…"
    kind = type(value)
    if kind in (list, tuple, set, frozenset):
        first = _itertools.islice(value, _TUTOR_ITEMS)  # type: ignore[call-overload]
        items = [_tutor_said(each, depth + 1) for each in first]
        if kind is list:
            return f"[{', '.join(items)}]"
        if kind is tuple:
            return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
        return f"{{{', '.join(sorted(items))}}}" if items else "set()"
    if isinstance(value, dict):
        pairs = _itertools.islice(value.items(), _TUTOR_ITEMS)
        shown = (f"{_tutor_said(k, depth + 1)}: {_tutor_said(v, depth + 1)}" for k, v in pairs)
        name = "" if kind is dict else kind.__name__
        return f"{name}{{{', '.join(shown)}}}"
    if isinstance(value, _Iterator):
        first = _itertools.islice(value, _TUTOR_ITEMS)
        return f"{kind.__name__} of {_tutor_said(list(first), depth + 1)}"
    if isinstance(value, _TUTOR_FUNCTIONS):
        return f"<function {value.__name__}>"
    return _re.sub(r"\s+at 0x[0-9a-fA-F]+", "", repr(value))


def _tutor_see(look: _Callable[[], object], words: bool = False) -> None:
    try:
        _tutor_seen.append(f"= {_tutor_said(look())}")
    except _TutorEndless:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever a case ends with
        said = f" {error}" if words else ""
        _tutor_seen.append(f"! {type(error).__name__}{said}")


def _tutor_after(name: str, look: _Callable[[], object]) -> None:
    """What became of a name, if its value is of a kind that can change."""
    with _contextlib.suppress(Exception):
        value = look()
        of_tests = type(value).__module__.startswith("_pytest")  # it says where an error passed
        if not isinstance(value, _TUTOR_PLAIN) and not callable(value) and not of_tests:
            _tutor_seen.append(f"{name} {_tutor_said(value)}")


def _tutor_stop(number: int, frame: object) -> None:
    raise _TutorEndless


def _tutor_case(case: _Callable[[], object]) -> str:
    _tutor_seen.clear()
    printed = _io.StringIO()
    clocks = (
        (_signal.ITIMER_PROF, _signal.SIGPROF, _TUTOR_LIMIT_S),
        (_signal.ITIMER_REAL, _signal.SIGALRM, _TUTOR_PATIENCE_S),
    )
    before = [_signal.signal(number, _tutor_stop) for _, number, _ in clocks]
    try:
        for clock, _, limit in clocks:
            _signal.setitimer(clock, limit)
        with _contextlib.redirect_stdout(printed), _contextlib.redirect_stderr(_io.StringIO()):
            case()
    except _TutorEndless:
        return "~"
    except BaseException as error:  # noqa: BLE001 - whatever a case ends with
        _tutor_seen.append(f"! {type(error).__name__}")
    finally:
        for (clock, number, _), old in zip(clocks, before, strict=True):
            _signal.setitimer(clock, 0)
            _signal.signal(number, old)
    said = " | ".join(_tutor_seen) or "="
    if printed.getvalue():
        said += f" > {printed.getvalue()!r}"
    said = said.replace("\n", "\\n").replace("\r", "\\r")
    if len(said) > _TUTOR_LONG:
        mark = _hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=4).hexdigest()
        said = f"{said[: _TUTOR_LONG - 12]}…#{mark}"
    return said if said[0] in "=!" else f"= | {said}"


def _tutor_watch(cases: _Sequence[_Callable[[], object]]) -> None:
    """Print what each case comes to, a line for each."""
    endless = 0
    for number, case in enumerate(cases):
        said = _tutor_case(case)
        _sys.stdout.write(f"tutor-probe {number} {said}\n")
        endless += said == "~"
        if endless == _TUTOR_ENDLESS:
            break
