"""JSON and TOML that somebody else may have written: read within bounds, or refused."""

import json
import tomllib
from collections import Counter
from typing import Any

MOST_VALUES = 2_000_000
"""Values of one text; empty ones take the most time and memory for each byte."""
LONGEST_NUMBER = 100
"""In digits; reading a number takes the square of its length."""
MOST_DOTS = 100
DEEPEST = 100
"""Lists and objects that stand one in the other."""


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text.

    Raises ValueError whose text is a clause: for what is no JSON, for names that come twice in an
    object, for numbers that are none (NaN), and for more than `MOST_VALUES` and `DEEPEST` allow.
    """
    given = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if sum(given.count(mark) for mark in (b",", b"[", b"{")) > MOST_VALUES:
        raise ValueError(f"it holds more than {MOST_VALUES // 1_000_000} million values")
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_int=_whole, parse_constant=_constant
        )
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except _OddError as error:
        raise ValueError(str(error)) from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is no JSON (line {error.lineno}, column {error.colno})") from None
    except ValueError:
        raise ValueError("it is no JSON") from None
    _not_too_deep(value)
    return value


class _OddError(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise _OddError(f"{twice[:60]!r} comes twice in one object")
    return made


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise _OddError(f"it holds a number of {len(digits)} digits")
    return int(digits)


def _constant(name: str) -> Any:
    raise _OddError(f"{name} is no number of JSON")


def _not_too_deep(value: Any) -> None:
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise ValueError("it is nested too deep")


def parse_toml(raw: bytes) -> dict[str, Any]:
    """The table of a TOML text.

    Raises ValueError whose text is a clause. Reading a name takes the square of its dots, so no
    line may have more than `MOST_DOTS`.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8 text") from None
    if any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        raise ValueError(f"has a line with more than {MOST_DOTS} dots")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("is nested too deep") from None
    except ValueError as error:
        raise ValueError(f"is not valid TOML: {error}") from None
