"""How a language checks a unit's domain. Pure.

A guard asks `accepts` about every call from outside, that is from a test, but not about calls
between stubs; a call that is not accepted ends the test. `accepts` gets the stub's own arguments,
the receiver first.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.ports import Files, FunctionSite, SourceReader

NAME = "accepts"
"""The function that every domain file defines."""


Items = Mapping[str, str]
"""Definitions by name, in source order."""


class NoGuard(Exception):  # noqa: N818 - names a condition, not an error
    """A stub cannot have a guard; the text is one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """A stub in its file, with the source of its domain."""

    unit: Unit
    text: str
    site: FunctionSite
    accepts: str

    @property
    def tag(self) -> str:
        """The unit's id as part of a name."""
        return tag_of(self.unit.id)


class Guards(Protocol):
    """How a language writes guards."""

    def around(self, stub: Guarded) -> dict[str, str]:
        """The stub's file with a guard around the stub, and further files. Raises NoGuard."""

    def prepared(self, files: dict[str, str]) -> dict[str, str]:
        """The files with what all guards share."""

    def case(self, text: str, site: FunctionSite, name: str) -> str:
        """One of a test file's tests as an ordinary function with another name."""

    def looking(self, unit_id: str, name: str, cases: Sequence[str]) -> str:
        """A test with that name that runs the cases and prints their results."""

    def with_tests(self, text: str, added: str) -> str:
        """A test file with the text added."""

    def definitions(self, text: str, sources: Files, reader: SourceReader) -> Items:
        """Definitions available to a test in the file `text`; `sources` are the files of `src/`."""


def tag_of(unit_id: str) -> str:
    """A unit's id as part of a function or file name."""
    return re.sub(r"[^a-zA-Z0-9]", "_", unit_id)
