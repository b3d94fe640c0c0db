"""Whether an event of a record could be a tutor's: what reads events relies on their parts."""

from base64 import b64decode
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tutor_lsp.stages.economy import STAGE_EVENTS

if TYPE_CHECKING:
    from tutor_lsp.tutor.record.transfer.form import PastEvent

_NEEDED: Mapping[str, tuple[str, ...]] = {
    "claim": ("node",),
    "reset": ("files", "base64"),
    "restore": ("files", "base64"),
}


def as_written(event: "PastEvent") -> bool:
    """Whether all that is read of such an event is there and of its type."""
    data = event.data
    needed = _NEEDED.get(event.kind, ())
    if event.kind in STAGE_EVENTS and data.get("promptBytes"):
        needed = ("role", "sharedPrefixBytes")
    if any(data.get(name) is None for name in needed):
        return False
    return all(name not in data or check(data[name]) for name, check in _TYPES.items())


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _text_or_none(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 2**53


def _number_or_none(value: Any) -> bool:
    return value is None or _number(value)


def _texts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_text, value.values()))


def _raw(value: Any) -> bool:
    if not _texts(value):
        return False
    try:
        for text in value.values():
            b64decode(text, validate=True)
    except ValueError:
        return False
    return True


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("role", "digest", "backend"), _text),
    **dict.fromkeys(
        ("node", "unit", "setupId", "language", "depth", "tag", "source", "runId"), _text_or_none
    ),
    **dict.fromkeys(("promptBytes", "sharedPrefixBytes", "durationMs"), _number),
    **dict.fromkeys(("inputTokens", "cachedInputTokens", "outputTokens"), _number),
    **dict.fromkeys(("level", "passed", "total"), _number_or_none),
    "files": _texts,
    "base64": _raw,
}
