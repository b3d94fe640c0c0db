"""What was found missing from the learner's record."""

from dataclasses import dataclass
from typing import Literal

EVENT = "record-lost"
"""Logged when a loss was said, so that it is not said again."""


@dataclass(frozen=True, slots=True)
class Loss:
    """`empty` was a file of no bytes, `cleared` a record without the sessions that it had,
    `damaged` one of which what could be read was taken over; `missing` may also be a new home.

    `backup` is the one with the most of what is missing, None if none has any; `sessions` is how
    many it has, `lacking` how many of them the record lacks.
    """

    what: Literal["missing", "empty", "cleared", "damaged"]
    backup: str | None
    sessions: int
    lacking: int
