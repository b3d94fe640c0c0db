"""Mistakes that people make in a unit, as code that is executed. Never in the learner's folder."""

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A mistake that a unit's code makes for sure. `says` is what the code does, in one sentence,
    `hint` what its author says at level 2 ("" for nothing); it shows at `file`:`line`, 1-based, and
    `quote` is that line. `tag` names the misconception ("" for none)."""

    unit: str
    mistake: str
    tag: str
    says: str
    hint: str
    file: str
    line: int
    quote: str
