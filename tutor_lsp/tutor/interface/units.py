"""Units and an exercise's standing, as every result shows them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

State = Literal["todo", "failing", "passing", "stale"]
Kind = Literal["body", "declare", "repair", "test", "predict"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of LESSON.md."""

    heading: str
    """Its text."""
    line: int
    """Its 1-based line."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a file."""

    line: int
    """The first, 1-based."""
    end_line: int
    """The last."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way on from where the learner is: a command to offer, with its argument."""

    title: str
    """Its text, a few words."""
    command: str
    """The command."""
    argument: Mapping[str, Any]
    """The argument of that command."""


@dataclass(frozen=True, slots=True)
class UnitInfo:
    """One unit of an exercise."""

    id: str
    """Its id, such as `ex-1`."""
    stub: str
    """Name of its function."""
    file: str
    """File of the stub, relative to the workspace."""
    line: int
    """1-based line of the stub."""
    body: Lines
    """Where its body is, without comments: the placeholder at first."""
    first_principle: str
    """The idea that it teaches, in a few words."""
    lesson: Heading
    """Its section of the lesson."""
    tests: tuple[str, ...]
    """Names of its tests."""
    state: State
    """Its state. `stale`: its results are for a text other than the saved one."""
    words: str
    """The state in words, with how many of its tests pass."""
    old: bool
    """Whether its results are for a text older than the saved one."""
    passed: bool
    """Whether all its tests passed when they last ran, even if on an older text."""
    focus: bool
    """Whether it is the unit that the learner is working on."""
    hint_level: int
    """Level of the last hint for it that still counts, 0–3."""
    kind: Kind = "body"
    """What it asks for: the body of its stub, to `declare` or `repair` what `stub` names, to write
    a `test` of it, or to `predict` what a program gives, in answers the first of which is `stub`.
    The file of such a unit is its own, and `line` is that of its first comment where nothing of
    that name, or no test, is declared."""
    actions: tuple[Way, ...] = ()
    """After the last hint, the ways on from it: its solution, a question where a model would
    answer it, an easier exercise."""


@dataclass(frozen=True, slots=True)
class StandingInfo:
    """An exercise's standing. Counts are for the saved text: 0 if the results are old."""

    progress: Literal["not begun", "begun", "passed"]
    """The learner's progress."""
    with_help: bool
    """Whether the learner took a last hint or a solution."""
    units: int
    """Number of units."""
    units_passing: int
    """Number of units that pass now."""
    tests: int
    """Number of tests."""
    tests_passing: int
    """Number of tests that pass now."""
    old: bool
    """Whether the results are for an older text, or the exercise was begun but has none on
    record."""
    words: str
    """Units that pass, as `3 of 4`, `3 of 4 before this edit` or `not run yet`."""
    tests_words: str
    """The same for tests."""
