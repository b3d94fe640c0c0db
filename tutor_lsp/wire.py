"""Dataclasses to camelCase JSON and back, so that every package shares one wire form.

It is made by cattrs, which reads anything into anything; only data of the very shape is read here.
"""

import base64
import dataclasses
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from cattrs import BaseValidationError, Converter, override, transform_error
from cattrs.cols import (
    homogenous_tuple_structure_factory,
    is_mapping,
    list_structure_factory,
    mapping_structure_factory,
)
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn

T = TypeVar("T")
Read = Callable[[Any, Any], Any]


@cache
def camel(name: str) -> str:
    """`first_principle` as `firstPrinciple`."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def to_wire(value: object) -> Any:
    """JSON data of a tree of dataclasses, enums, mappings and sequences.

    Field names become camelCase; keys of mappings are data and stay as they are.
    """
    return _converter().unstructure(value)


def from_wire(kind: type[T], data: Any) -> T:
    """The dataclass `kind` from JSON data as `to_wire` made it.

    Missing fields take their default, unknown ones are ignored, so that records written by
    another version can still be read. Raises TypeError, ValueError or KeyError on data of the
    wrong shape.
    """
    return _converter().structure(data, kind)


def from_table(kind: type[T], table: Any, name: str) -> T:
    """The dataclass `kind` from a table that a person wrote, whose keys are the names of fields.

    Raises ValueError that tells every value of a wrong shape, missing key and unknown key of
    `name`, each with its place.
    """
    try:
        return _converter(written=True).structure(table, kind)
    except (BaseValidationError, TypeError) as error:
        raise ValueError("; ".join(transform_error(error, name))) from error


def filled_from(kind: Callable[..., T], source: object, /, **others: Any) -> T:
    """A record `kind` with `others`, and the attributes of `source` named as its other fields."""
    named: Any = kind
    names = {field.name for field in dataclasses.fields(named)} - others.keys()
    return kind(**{n: getattr(source, n) for n in names if hasattr(source, n)}, **others)


@cache
def _converter(*, written: bool = False) -> Converter:
    lists: Mapping[type, Any] = {tuple: list, AbstractSet: list}
    made = Converter(
        detailed_validation=written,
        forbid_extra_keys=written,
        unstruct_collection_overrides=lists,
    )
    made.register_unstructure_hook_factory(
        dataclasses.is_dataclass, lambda kind: _by_class(kind, made)
    )
    made.register_structure_hook_factory(
        dataclasses.is_dataclass,
        lambda kind: _only(
            Mapping, make_dict_structure_fn(kind, made, **({} if written else _names(kind)))
        ),
    )
    made.register_structure_hook_factory(
        is_mapping, lambda kind: _only(Mapping, mapping_structure_factory(kind, made))
    )
    made.register_structure_hook_factory(
        lambda kind: getattr(kind, "__origin__", None) in (list, tuple),
        lambda kind: _only((list, tuple), _sequence(kind, made)),
    )
    for kind in (str, int, bool):
        made.register_structure_hook(kind, _plain)
    made.register_unstructure_hook(bytes, _text_or_base64)
    made.register_structure_hook(bytes, _bytes)
    made.register_structure_hook(float, _only((int, float), lambda data, _: float(data)))
    return made


def _by_class(kind: Any, converter: Converter) -> Callable[[Any], Any]:
    """A record may stand where one of a class above it is declared: it keeps all its fields."""
    own = make_dict_unstructure_fn(kind, converter, **_names(kind))
    return lambda value: own(value) if type(value) is kind else converter.unstructure(value)


def _names(kind: Any) -> Any:
    return {field.name: override(rename=camel(field.name)) for field in dataclasses.fields(kind)}


def _sequence(kind: Any, converter: Converter) -> Read:
    if kind.__origin__ is list:
        return list_structure_factory(kind, converter)
    return homogenous_tuple_structure_factory(kind, converter)


def _only(shape: type | tuple[type, ...], read: Read) -> Read:
    def checked(data: Any, kind: Any) -> Any:
        if not isinstance(data, shape):
            raise TypeError(f"cannot be read from {type(data).__name__}")
        return read(data, kind)

    return checked


def _plain(data: Any, kind: Any) -> Any:
    if type(data) is kind:
        return data
    if issubclass(kind, Enum):  # of texts or numbers
        return kind(data)
    if isinstance(data, kind) and not isinstance(data, bool):
        return data
    raise TypeError(f"cannot be read from {type(data).__name__}")


def _text_or_base64(raw: bytes) -> Any:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(raw).decode("ascii")}


def _bytes(data: Any, _: Any) -> bytes:
    if isinstance(data, str):
        return data.encode("utf-8")
    return base64.b64decode(data["base64"], validate=True)
