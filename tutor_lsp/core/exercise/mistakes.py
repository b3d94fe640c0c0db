"""Mistakes that people make in a unit, as code that is executed. Never in the learner's folder."""

from dataclasses import dataclass
from enum import StrEnum

MISTAKES_EVENT = "mistakes"
"""The event that tells which mistakes a model wrote, and which of them hold. Not exported."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known wrong version of a unit's function, or of the file that is the unit's alone.

    `says` is what the code does, in one sentence that speaks to who wrote it; `code` the whole
    wrong definition with the imports and helpers that it needs. `tag` names the misconception
    ("" for none), `error` what the compiler calls it where it does not build, `hint` is an L2 of
    its own. `line` is where it begins in its author's file, 1-based.
    """

    name: str
    says: str
    code: str
    tag: str = ""
    error: str = ""
    hint: str = ""
    line: int = 1


class Fault(StrEnum):
    """What is wrong about a place in code that is only located, not known."""

    COMPARISON = "comparison"
    NUMBER = "number"
    LIMIT = "limit"
    VALUE = "value"
    OPERATOR = "operator"
    ORDER = "order"
    CALL = "call"
    NAME = "name"
    CONDITION = "condition"
    LACKS = "lacks"
    MISSING = "missing"
    MOVED = "moved"
    EXPRESSION = "expression"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a function is wrong: its 1-based line, the code there ("" if it is too long), and what
    about it."""

    line: int
    quote: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A mistake that a unit's code makes. `says` is what the code does, in one sentence,
    `hint` what its author says at level 2 ("" for nothing); it shows at `file`:`line`, 1-based, and
    `quote` is that line. `tag` names the misconception ("" for none). Without `sure` no mistake is
    known, and `says` only where the code is wrong."""

    unit: str
    mistake: str
    tag: str
    says: str
    hint: str
    file: str
    line: int
    quote: str
    sure: bool = True
