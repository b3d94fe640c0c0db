"""Parameters as the protocol types them: nothing is turned into what it is not."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, get_args, get_origin

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, override
from pygls.protocol import default_converter


def strict_converter() -> Converter:
    """pygls's converter, which refuses a 17 for a text, a text for a list, `true` for a number.

    Its own would make them fit: a URI of 17 is read as the text "17". Numbers like 3.0, which some
    clients write for 3, are taken, and so is an empty list for an object without keys, which is
    how Lua writes it.
    """
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]  # pygls has no types
    for kind in _SIMPLE:
        converter.register_structure_hook(kind, _simple)
    converter.register_structure_hook_factory(_is_list, lambda kind: _list_hook(converter, kind))
    converter.register_structure_hook_factory(
        _is_object, lambda kind: _object_hook(converter, kind)
    )
    return converter


_SIMPLE: dict[type, tuple[Any, str]] = {
    str: (str, "is not a string"),
    int: (int, "is not a whole number"),
    float: (int | float, "is not a number"),
    bool: (bool, "is neither true nor false"),
}
"""What is taken for a plain type, and what is said of anything else."""


def _simple(value: Any, kind: Any) -> Any:
    """For a plain type, and for the enumerations that the converter takes for one."""
    if kind not in _SIMPLE:
        return kind(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    taken, wrong = _SIMPLE[kind]
    if not isinstance(value, taken) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(f"{_shown(value)} {wrong}")
    return float(value) if kind is float else value


def _is_list(kind: Any) -> bool:
    return get_origin(kind) in (list, Sequence)


def _list_hook(converter: Converter, kind: Any) -> Callable[[Any, Any], Any]:
    (item_kind,) = get_args(kind)

    def hook(value: Any, _kind: Any) -> list[Any]:
        if not isinstance(value, list):
            raise TypeError(f"{_shown(value)} is not a list")
        return [converter.structure(item, item_kind) for item in value]

    return hook


def _is_object(kind: Any) -> bool:
    return isinstance(kind, type) and attrs.has(kind)


def _object_hook(converter: Converter, kind: Any) -> Callable[[Any, Any], Any]:
    @cache
    def maker() -> Callable[[Any, Any], Any]:
        # With the first value: what a client can do has 84 types, of which it names some.
        names = {field.name: override(rename=_camel(field.name)) for field in attrs.fields(kind)}
        return make_dict_structure_fn(kind, converter, **names)  # type: ignore[arg-type]  # overrides

    def hook(value: Any, _kind: Any) -> Any:
        given = {} if value is None or value == [] else value
        if not isinstance(given, dict):
            raise TypeError(f"{_shown(value)} is not an object")
        return maker()(given, kind)

    return hook


def _camel(name: str) -> str:
    first, *rest = name.removesuffix("_").split("_")
    return first + "".join(part.title() for part in rest)


def _shown(value: Any) -> str:
    return repr(value)[:60]
