"""Records as text in columns: the shared wire form, as JSON."""

import json
from functools import lru_cache
from typing import Any, TypeVar

from tutor_lsp.core.session import Session
from tutor_lsp.core.wire import from_wire, to_wire
from tutor_lsp.store.troubles import Damaged

T = TypeVar("T")


def dump(value: object) -> str:
    """JSON of a record or of JSON data. ASCII only, so that any text of a learner fits in."""
    return json.dumps(to_wire(value), separators=(",", ":"))


def load_json(text: str) -> Any:
    """The JSON data of a column. Raises Damaged."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise Damaged(str(error)) from error


def load(kind: type[T], text: str) -> T:
    """The record of a column.

    Raises Damaged if the text is no JSON, and TypeError, ValueError or KeyError if it
    is not of the shape of `kind`.
    """
    return from_wire(kind, load_json(text))


@lru_cache(maxsize=4)
def load_session(text: str) -> Session:
    """As `load`, with the last few kept: the session that is open is read many times in a run,
    and grows with every attempt. Records are never changed in place."""
    return load(Session, text)


def column(value: str) -> str:
    """A text that SQLite can hold and compare: lone surrogates (odd paths) become escapes."""
    return value.encode("utf-8", "backslashreplace").decode("utf-8")
