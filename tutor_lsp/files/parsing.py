"""Untrusted JSON and TOML: read within limits, or refused."""

import json
import tomllib
from collections import Counter
from typing import Any

MOST_VALUES = 2_000_000
"""Values in one text; empty ones take the most time and memory per byte."""
LONGEST_NUMBER = 100
"""In digits; parsing a number takes time quadratic in its length."""
MOST_DOTS = 100
DEEPEST = 100
"""Nesting depth of lists and objects."""


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text.

    Raises ValueError whose text is a clause: for invalid JSON, duplicate names in an object,
    numbers such as NaN, and more than `MOST_VALUES` or `DEEPEST` allow.
    """
    encoded = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if sum(encoded.count(mark) for mark in (b",", b"[", b"{")) > MOST_VALUES:
        raise ValueError(f"it has more than {MOST_VALUES // 1_000_000} million values")
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_int=_whole, parse_constant=_constant
        )
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except _OddError as error:
        raise ValueError(str(error)) from None
    except json.JSONDecodeError as error:
        raise ValueError(
            f"it isn't valid JSON (line {error.lineno}, column {error.colno})"
        ) from None
    except ValueError:
        raise ValueError("it isn't valid JSON") from None
    _not_too_deep(value)
    return value


class _OddError(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise _OddError(f"{twice[:60]!r} appears twice in one object")
    return made


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise _OddError(f"it has a number of {len(digits)} digits")
    return int(digits)


def _constant(name: str) -> Any:
    raise _OddError(f"{name} isn't a JSON number")


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

    Raises ValueError whose text is a clause. Parsing a name takes time quadratic in its dots, so no
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
