"""An exercise, its units, and its proof."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

LESSON = "LESSON.md"
"""The lesson's file in every exercise."""


class UnitState(StrEnum):
    """State of a unit: `STALE` when its last result is older than a text that does not build."""

    TODO = "todo"
    FAILING = "failing"
    PASSING = "passing"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Unit:
    """One first principle bound to one stub, its lesson section and its tests (ex-1, ex-2, …).

    `file` is relative to the workspace; `line` is the 1-based line of the stub's name in the
    starter; the current line is found again in the current text.
    """

    id: str
    stub: str
    file: str
    line: int
    first_principle: str
    lesson_heading: str
    lesson_line: int
    tests: tuple[str, ...]
    start_here: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """Figures of the proof. Counts are numbers of tests; `at` is ISO 8601. `accepts` tells of each
    unit with a domain how many neighbours of its tests' inputs were tried and how many taken.
    """

    ok: bool
    builds: bool = False
    tests: int = 0
    fail_on_stub: int = 0
    pass_on_reference: int = 0
    stable_runs: int = 0
    unit_map: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lesson_blocks: Mapping[str, int] = field(default_factory=lambda: {"run": 0, "ok": 0})
    repairs: int = 0
    accepts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    at: str = ""

    @property
    def line(self) -> str:
        """What was executed, in one short line; empty for what does not hold."""
        if not self.ok:
            return ""
        return (
            f"Proven: {self.fail_on_stub} of {self.tests} tests fail on the stubs, "
            f"{self.pass_on_reference} pass on the reference."
        )


@dataclass(frozen=True, slots=True)
class Exercise:
    """What `.tutor/exercise.json` records. `files` are the learner-visible files, relative.

    `starter` keeps the text of every stub file as delivered, so that reset and `todo` need no
    second copy on disk. Reference solution and authored hints are not part of it.
    """

    id: str
    node: str
    title: str
    language: str
    depth: str
    description: str
    units: tuple[Unit, ...]
    files: tuple[str, ...]
    starter: Mapping[str, str]
    proof: Proof
    content_hash: str = ""
    backend: str = "library"
    challenge: bool = False

    minutes: int | None = None
    format: str = "exercise_v1"

    @property
    def targets(self) -> dict[str, str]:
        """The stub that each test is about, by the test's name."""
        return {test: unit.stub for unit in self.units for test in unit.tests}

    def unit(self, unit_id: str) -> Unit | None:
        """The unit with that id, or None."""
        return next((unit for unit in self.units if unit.id == unit_id), None)

    def unit_of_test(self, test: str) -> Unit | None:
        """The unit that a test targets, or None."""
        return next((unit for unit in self.units if test in unit.tests), None)
