"""Dataclasses to camelCase JSON and back, so that every package shares one wire form."""

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")

_PLAIN = frozenset({str, int, float, bool})


@cache
def camel(name: str) -> str:
    """`first_principle` as `firstPrinciple`."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


@cache
def _names(kind: type) -> tuple[tuple[str, str], ...]:
    return tuple((field.name, camel(field.name)) for field in dataclasses.fields(kind))


def to_wire(value: object) -> Any:
    """JSON data of a tree of dataclasses, enums, mappings and sequences.

    Field names become camelCase; keys of mappings are data and stay as they are.
    """
    if value is None or type(value) in _PLAIN:
        return value
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {wire: to_wire(getattr(value, name)) for name, wire in _names(type(value))}
    if isinstance(value, Mapping):
        return {str(key): to_wire(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_wire(item) for item in value]
    return value


def from_wire(kind: type[T], data: Any) -> T:
    """The dataclass `kind` from JSON data as `to_wire` made it.

    Missing fields take their default, unknown ones are ignored, so that records written by
    another version can still be read. Raises TypeError, ValueError or KeyError on data of the
    wrong shape.
    """
    read: Callable[[Any], T] = _reader(typing.cast("Any", kind))
    return read(data)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """What reads data of a type; made once per type, since records are read by the thousand."""
    origin = typing.get_origin(kind)
    args = typing.get_args(kind)
    if kind is Any:
        return lambda data: data
    if origin in (typing.Union, types.UnionType):
        inner = _reader(next(arg for arg in args if arg is not type(None)))
        return lambda data: None if data is None else inner(data)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        item = _reader(args[0])
        return lambda data: tuple([item(each) for each in _items(data)])
    if origin is tuple:
        items = [_reader(arg) for arg in args]
        return lambda data: tuple(
            [read(each) for read, each in zip(items, _items(data), strict=True)]
        )
    if origin is list:
        item = _reader(args[0])
        return lambda data: [item(each) for each in _items(data)]
    if origin is not None and issubclass(origin, Mapping):
        value = _reader(args[1])
        return lambda data: {str(key): value(each) for key, each in _object(data).items()}
    if dataclasses.is_dataclass(kind):
        return _dataclass_reader(typing.cast("type", kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        members = {member.value: member for member in kind}
        return lambda data: members.get(data) or kind(data)
    return lambda data: _plain(kind, data)


def _dataclass_reader(kind: type) -> Callable[[Any], Any]:
    hints = typing.get_type_hints(kind)
    fields = [
        (field.name, camel(field.name), _reader(hints[field.name]))
        for field in dataclasses.fields(kind)
    ]

    def read(data: Any) -> Any:
        given = _object(data)
        return kind(**{name: each(given[wire]) for name, wire, each in fields if wire in given})

    return read


def _object(data: Any) -> Mapping[Any, Any]:
    if isinstance(data, dict | Mapping):
        return data
    raise TypeError(f"expected an object, got {type(data).__name__}")


def _items(data: Any) -> list[Any] | tuple[Any, ...]:
    if isinstance(data, list | tuple):
        return data
    raise TypeError(f"expected a list, got {type(data).__name__}")


def _plain(kind: Any, data: Any) -> Any:
    if type(data) is kind:
        return data
    if kind is float and isinstance(data, int):
        return float(data)
    if isinstance(kind, type) and not isinstance(data, kind):
        raise TypeError(f"expected {kind.__name__}, got {type(data).__name__}")
    return data
