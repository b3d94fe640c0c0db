"""Reading one setting's value from whatever a source provides."""

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["text", "path", "program", "switch", "whole", "number", "paths"]
"""The type of a value; a `program` is a path or a bare name that is looked up on PATH."""

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})
_KINDS: Mapping[Kind, str] = {
    "text": "text",
    "path": "a path",
    "program": "a program's name or path",
    "switch": "true or false",
    "whole": "a whole number",
    "number": "a number",
    "paths": "a list of absolute paths",
}


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """One setting as shown in documentation and editors' settings.

    `key` is its name in client settings (below `tutor`) and in `config.toml`. `choices` are the
    only values allowed, if any, each with what it means, empty for one that is not to be offered.
    `bounds` are the smallest and the largest number allowed, `form` a regular expression for texts
    ("" for any) and `form_words` what such a text is.
    """

    name: str
    key: str
    kind: Kind
    description: str
    default: Any = None
    choices: Mapping[str, str] = field(default_factory=dict)
    bounds: tuple[float, float] | None = None
    form: str = ""
    form_words: str = ""

    @property
    def environment(self) -> str:
        """Its environment variable: `TUTOR_LSP_OPENAI_BASE_URL` of `openai.baseUrl`."""
        return ENVIRONMENT_PREFIX + re.sub(r"(?<=[a-z])(?=[A-Z])|\.", "_", self.key).upper()


ENVIRONMENT_PREFIX = "TUTOR_LSP_"


def setting(kind: Kind, key: str, description: str, *, default: Any = None) -> SettingInfo:
    """A setting of a language or a backend, under its key."""
    return SettingInfo(key, key, kind, description, default)


def flatten(table: Mapping[str, Any], known: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Key and value of every setting in a table with nested or dotted keys."""
    for key, value in table.items():
        if isinstance(value, Mapping) and any(name.startswith(f"{key}.") for name in known):
            inner = {f"{key}.{part}": item for part, item in value.items()}
            yield from flatten(inner, known)
        else:
            yield str(key), value


def read_value(info: SettingInfo, value: Any, user_home: str) -> Any:
    """The value in its own type, with `~/` in paths replaced by the user's home if known.

    Raises ValueError whose text says in plain words what is expected.
    """
    typed = _typed(info.kind, value)
    if typed is None:
        raise ValueError(f"must be {_KINDS[info.kind]}, not {shown(value)}")
    if info.choices and typed not in info.choices:
        raise ValueError(f"must be one of {', '.join(info.choices)}, not {shown(value)}")
    if info.bounds and not info.bounds[0] <= typed <= info.bounds[1]:
        low, high = info.bounds
        raise ValueError(f"must be between {low:g} and {high:g}, not {shown(value)}")
    if info.form and not re.fullmatch(info.form, typed):
        raise ValueError(f"must be {info.form_words}, not {shown(value)}")
    if info.kind == "paths":
        return tuple(_absolute(path, user_home) for path in typed)
    if info.kind == "path" or (info.kind == "program" and "/" in typed):
        return _absolute(typed, user_home)
    return typed


def expand(path: str, user_home: str) -> str:
    """The path with a leading `~` replaced by the user's home, if known."""
    if user_home and (path == "~" or path.startswith("~/")):
        return user_home.rstrip("/") + path[1:]
    return path


def shown(value: Any) -> str:
    """A value as quoted in a message, cut to 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _absolute(path: str, user_home: str) -> str:
    expanded = expand(path, user_home)
    if "\0" in expanded or not expanded.startswith(("/", "~/")):
        raise ValueError(f"must be an absolute path, not {shown(path)}")
    return expanded


def _typed(kind: Kind, value: Any) -> Any:
    """The value if it can be read as that kind, else None."""
    if kind == "switch":
        return _switch(value)
    if kind in {"whole", "number"}:
        return _number(value, whole=kind == "whole")
    if kind == "paths":
        parts = [part for part in value.split(":") if part] if isinstance(value, str) else value
        fitting = isinstance(parts, list | tuple) and all(isinstance(part, str) for part in parts)
        return tuple(parts) if fitting else None
    return value.strip() if isinstance(value, str) and value.strip() else None


def _switch(value: Any) -> bool | None:
    if not isinstance(value, str):
        return value if isinstance(value, bool) else None
    word = value.strip().casefold()
    if word in _TRUE:
        return True
    return False if word in _FALSE else None


def _number(value: Any, *, whole: bool) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(number) or (whole and not number.is_integer()):
        return None
    return int(number) if whole else number
