"""Parameters as the protocol types them: nothing is turned into what it is not."""

from collections.abc import Callable, Sequence
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
    for kind, hook in _SIMPLE.items():
        converter.register_structure_hook(kind, _or_member(kind, hook))
    converter.register_structure_hook_factory(_is_list, lambda kind: _list_hook(converter, kind))
    converter.register_structure_hook_factory(
        _is_object, lambda kind: _object_hook(converter, kind)
    )
    return converter


def _or_member(plain: type, hook: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """For a plain type, and for the enumerations that the converter takes for one."""
    return lambda value, kind: hook(value) if kind is plain else kind(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{_shown(value)} is no text")
    return value


def _whole_number(value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{_shown(value)} is no whole number")
    return value


def _number(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{_shown(value)} is no number")
    return float(value)


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{_shown(value)} is neither true nor false")
    return value


_SIMPLE: dict[type, Callable[[Any], Any]] = {
    str: _text,
    int: _whole_number,
    float: _number,
    bool: _truth,
}


def _is_list(kind: Any) -> bool:
    return get_origin(kind) in (list, Sequence)


def _list_hook(converter: Converter, kind: Any) -> Callable[[Any, Any], Any]:
    (item_kind,) = get_args(kind)

    def hook(value: Any, _kind: Any) -> list[Any]:
        if not isinstance(value, list):
            raise TypeError(f"{_shown(value)} is no list")
        return [converter.structure(item, item_kind) for item in value]

    return hook


def _is_object(kind: Any) -> bool:
    return isinstance(kind, type) and attrs.has(kind)


def _object_hook(converter: Converter, kind: Any) -> Callable[[Any, Any], Any]:
    names = {field.name: override(rename=_camel(field.name)) for field in attrs.fields(kind)}
    make = make_dict_structure_fn(kind, converter, **names)  # type: ignore[arg-type]  # overrides

    def hook(value: Any, _kind: Any) -> Any:
        given = {} if value is None or value == [] else value
        if not isinstance(given, dict):
            raise TypeError(f"{_shown(value)} is no object")
        return make(given, kind)

    return hook


def _camel(name: str) -> str:
    first, *rest = name.removesuffix("_").split("_")
    return first + "".join(part.title() for part in rest)


def _shown(value: Any) -> str:
    return repr(value)[:60]
