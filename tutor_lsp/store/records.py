"""Records as text in columns: the shared wire form, as JSON."""

import json
from functools import lru_cache
from typing import Any, TypeVar

from tutor_lsp.core.session import Session
from tutor_lsp.store.troubles import Damaged
from tutor_lsp.wire import from_wire, to_wire

T = TypeVar("T")


def dump(value: object) -> str:
    """JSON of a record or of JSON data. ASCII only, so any learner's text fits."""
    return json.dumps(to_wire(value), separators=(",", ":"))


def load_json(text: str) -> Any:
    """The JSON data of a column. Raises Damaged."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise Damaged(str(error)) from error


def load(kind: type[T], text: str) -> T:
    """The record of a column.

    Raises Damaged if the text isn't valid JSON, and TypeError, ValueError or KeyError if it
    does not have the shape of `kind`.
    """
    return from_wire(kind, load_json(text))


@lru_cache(maxsize=4)
def load_session(text: str) -> Session:
    """Like `load`, with a cache of the last few: a run reads the open session many times, and
    it grows with every attempt. Records are never changed in place."""
    return load(Session, text)


def column(value: str) -> str:
    """A text that SQLite can store and compare: lone surrogates (odd paths) become escapes."""
    return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")
