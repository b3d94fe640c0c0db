"""Dataclasses to camelCase JSON and back, so that every package shares one wire form."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


@cache
def camel(name: str) -> str:
    """`first_principle` as `firstPrinciple`."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def to_wire(value: object) -> Any:
    """JSON data of a tree of dataclasses, enums, mappings and sequences.

    Field names become camelCase; keys of mappings are data and stay as they are.
    """
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            camel(field.name): to_wire(getattr(value, field.name))
            for field in dataclasses.fields(value)
        }
    if isinstance(value, Mapping):
        return {str(key): to_wire(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_wire(item) for item in value]
    return value


@cache
def _fields(kind: type) -> tuple[tuple[str, str, Any], ...]:
    hints = typing.get_type_hints(kind)
    return tuple(
        (field.name, camel(field.name), hints[field.name]) for field in dataclasses.fields(kind)
    )


def from_wire(kind: type[T], data: Any) -> T:
    """The dataclass `kind` from JSON data as `to_wire` made it.

    Missing fields take their default, unknown ones are ignored, so that records written by
    another version can still be read. Raises TypeError, ValueError or KeyError on data of the
    wrong shape.
    """
    return typing.cast("T", _read(kind, data))


def _read(kind: Any, data: Any) -> Any:  # noqa: C901 - one branch per shape, flat
    origin = typing.get_origin(kind)
    if kind is Any:
        return data
    if origin in (typing.Union, types.UnionType):
        if data is None:
            return None
        return _read(next(arg for arg in typing.get_args(kind) if arg is not type(None)), data)
    if origin is tuple:
        args = typing.get_args(kind)
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_read(args[0], item) for item in data)
        return tuple(_read(arg, item) for arg, item in zip(args, data, strict=True))
    if origin is list:
        return [_read(typing.get_args(kind)[0], item) for item in data]
    if origin is not None and issubclass(origin, Mapping):
        return {str(key): _read(typing.get_args(kind)[1], item) for key, item in data.items()}
    if dataclasses.is_dataclass(kind):
        if not isinstance(data, Mapping):
            raise TypeError(f"expected an object, got {type(data).__name__}")
        given = {
            name: _read(hint, data[wire])
            for name, wire, hint in _fields(typing.cast("type", kind))
            if wire in data
        }
        return typing.cast("type", kind)(**given)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    if kind is float and isinstance(data, int):
        return float(data)
    if isinstance(kind, type) and not isinstance(data, kind):
        raise TypeError(f"expected {kind.__name__}, got {type(data).__name__}")
    return data
