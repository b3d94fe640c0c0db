"""An exercise with guards around its stubs, which refuse what its units do not take. Pure.

A guard asks `accepts` about every call that comes from outside, so from a test, and not about those
that stubs make of each other; a call that is not taken ends the test. It gives `accepts` the stub's
own arguments: by reference in Rust, the receiver first.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.ports import FunctionSite, SourceReader
from tutor_lsp.languages.common.proof.splice import site_of

NAME = "accepts"
"""The function that every file of a domain defines."""


Items = Mapping[str, str]
"""Definitions by name, in the order of their text."""


class NoGuard(Exception):  # noqa: N818 - says what is the case, not a defect
    """There can be no guard around a stub; the text is one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """A stub in its file, and what tells its domain."""

    unit: Unit
    text: str
    site: FunctionSite
    accepts: str

    @property
    def tag(self) -> str:
        """The unit's id as part of a name."""
        return tag_of(self.unit.id)


class Guards(Protocol):
    """How a language writes it."""

    def around(self, stub: Guarded) -> dict[str, str]:
        """The stub's file with a guard around the stub, and further files. Raises NoGuard."""

    def prepared(self, files: dict[str, str]) -> dict[str, str]:
        """The files with what all guards need."""

    def case(self, text: str, site: FunctionSite, name: str) -> str:
        """A test of a test file as a function that is none, under another name."""

    def looking(self, unit_id: str, name: str, cases: Sequence[str]) -> str:
        """A test of that name which runs the cases and prints what they come to."""

    def with_tests(self, text: str, added: str) -> str:
        """A test file with that text added."""

    def definitions(self, text: str, sources: Mapping[str, str], reader: SourceReader) -> Items:
        """What can be written into a test of the file `text`; `sources` are the files of `src/`."""


def tag_of(unit_id: str) -> str:
    """A unit's id as part of a name of a function or file."""
    return re.sub(r"[^a-zA-Z0-9]", "_", unit_id)


def guarded(
    files: Mapping[str, str],
    units: Sequence[Unit],
    accepts: Mapping[str, str],
    reader: SourceReader,
    writer: Guards,
) -> dict[str, str]:
    """`files` with a guard around the stub of every unit that `accepts` has a text for, by id.

    Raises NoGuard.
    """
    found = dict(files)
    for unit in units:
        if unit.id not in accepts:
            continue
        text = found.get(unit.file, "")
        site = site_of(reader, text, unit.stub)
        if site is None or site.body_end <= site.body_start:
            raise NoGuard(f"{unit.stub} is not found in {unit.file}")
        found |= writer.around(Guarded(unit, text, site, accepts[unit.id]))
    return writer.prepared(found)


def file_of(unit_id: str, stub_file: str) -> str:
    """Where an exercise keeps the domain of a unit, whose stub stands in that file."""
    return f"accepts/{unit_id}{PurePosixPath(stub_file).suffix}"


def renamed(text: str, site: FunctionSite, name: str) -> str:
    """A function's definition under another name."""
    line_start = 0
    for _ in range(site.line - 1):
        line_start = text.index("\n", line_start) + 1
    at = line_start + site.column - 1
    return text[site.start : at] + name + text[at + len(site.name) : site.end]
