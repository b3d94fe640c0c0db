"""What one call of an expand loop gave: one section, or several that end together. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from tutor_lsp.core.stage import CONTRACTS, SEVERAL, Role

Payload = Mapping[str, Any]


def sections_of(payload: Payload) -> list[Payload]:
    """The sections of a call, each as a call of its own would have given it: all but the last go
    on. A payload of one section is that section."""
    given = payload.get("sections")
    if payload.get("schema_version") not in SEVERAL.values() or not isinstance(given, list):
        return [payload]
    role = payload["role"]
    ends = {"is_complete": payload["is_complete"], "next_focus": payload["next_focus"]}
    goes_on = {"is_complete": False, "next_focus": None}
    head = {"schema_version": CONTRACTS[Role(role)], "role": role}
    return [
        {**head, **section, **(ends if number == len(given) else goes_on)}
        for number, section in enumerate(given, start=1)
    ]


def count(payloads: Sequence[Payload]) -> int:
    """How many sections calls gave."""
    return sum(len(sections_of(payload)) for payload in payloads)


def first(payload: Payload, room: int) -> Payload:
    """The payload with at most so many sections."""
    if len(sections_of(payload)) <= room:
        return payload
    return {**payload, "sections": payload["sections"][:room]}
