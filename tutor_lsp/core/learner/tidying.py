"""What the event log needs of old events: of attempts and hints what reports count, of attempts
the texts that can still be asked for."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from tutor_lsp.core.session import ELSEWHERE

DISPENSABLE = frozenset(
    {"review", "hint-rejected", "hint-left-out", "hint-code-left-out", "session-resumed"}
)
"""Kinds of events that nothing reads; once a session has passed, not even their times."""
WHOLE = 2
"""Attempts of a session whose texts stay as they are: the last one and that before it."""
_FILES = "files"
_NEEDED = MappingProxyType(
    {
        "attempt": ("runId", "outcome", "passed", "total"),
        "hint": ("level", "unit", "replaces"),
        "reveal": ("unit", "free"),
    }
)
_OF_ATTEMPT = (*_NEEDED["attempt"], "textHash", "ranOn", ELSEWHERE, _FILES)
SHORTENED = tuple(_NEEDED)
"""Kinds of events of which some data is not needed."""


def needed(kind: str, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is needed of an event, whatever comes after it; the same before and after tidying."""
    names = _NEEDED.get(kind)
    return data if names is None else {name: data[name] for name in names if name in data}


def shortened_attempts(attempts: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The data of a session's attempts, the newest first: with the texts of the last two, and of
    older ones those of files that no later attempt in the session's own folder had.
    """
    later: set[str] = set()
    found: list[Mapping[str, Any]] = []
    for number, data in enumerate(attempts):
        short = {name: data[name] for name in _OF_ATTEMPT if name in data}
        files = data.get(_FILES)
        if isinstance(files, Mapping):
            if number >= WHOLE:
                short[_FILES] = {name: text for name, text in files.items() if name not in later}
                if data.get(ELSEWHERE) or not short[_FILES]:
                    del short[_FILES]
            if not data.get(ELSEWHERE):
                later |= files.keys()
        found.append(short)
    return found
