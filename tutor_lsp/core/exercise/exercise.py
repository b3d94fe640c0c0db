"""An exercise, its units, and its proof."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from tutor_lsp.core.text.translation import n

LESSON = "LESSON.md"
"""The lesson's file name in every exercise."""


def prefixes_of_tests(stub: str) -> tuple[str, ...]:
    """What the names of a stub's tests begin with: its name, as it is or in small letters with
    underscores, as functions are called in most languages."""
    small = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", stub).lower()
    return tuple(dict.fromkeys((f"test_{stub}_", f"test_{small}_")))


def verdicts(stub: str) -> tuple[str, str]:
    """The names of the two tests that a run makes of a learner's tests of that stub: that they
    accept the right programs, and that they catch the mistakes."""
    begin = prefixes_of_tests(stub)[-1]
    return f"{begin}accepts_right_programs", f"{begin}catches_mistakes"


@dataclass(frozen=True, slots=True)
class Aside:
    """A unit that a run can do without: where its file or its test file does not build, what else
    there is runs without them. `stub` is what it asks to declare; where it asks for tests, the two
    files are the same. Of one that `predicts`, no run tells what its tests compare the answers
    with; `given` is its file as it began."""

    stub: str
    file: str
    test_file: str
    tests: tuple[str, ...]
    predicts: bool = False
    given: str = field(default="", repr=False)


class UnitState(StrEnum):
    """State of a unit: `STALE` if its last result predates a text that does not build."""

    TODO = "todo"
    FAILING = "failing"
    PASSING = "passing"
    STALE = "stale"


class UnitKind(StrEnum):
    """What a unit asks for: the body of a stub, a declaration with all that belongs to it, a
    program to be mended, tests of a program, or what a program gives.

    A unit that is not `BODY` has a file in src/ and a test file to itself; one that asks for tests
    has one file in tests/, where the language's own tools find it. Units that ask for declarations
    may share a file of src/, of which each has a part (`core.exercise.parts`).
    """

    BODY = "body"
    DECLARE = "declare"
    REPAIR = "repair"
    TEST = "test"
    PREDICT = "predict"

    @property
    def done(self) -> str:
        """What has been done to its stub in the end, as a participle."""
        return f"{self.removesuffix('e')}ed"

    @property
    def given_broken(self) -> bool:
        """Whether its file is given with a program in it, whose faults are the task: what others
        ask of code that is given is not asked of that file."""
        return self is UnitKind.REPAIR

    @property
    def on_request(self) -> bool:
        """Whether its tests run when somebody asks for that, and not after each save."""
        return self is UnitKind.PREDICT

    @property
    def unbuilt(self) -> bool:
        """Whether the tests of such a unit cannot be built before the learner begins."""
        return self is UnitKind.DECLARE


def plain_name(name: str) -> str:
    """A function's own name: without the modules or types around it."""
    return re.split(r"::|\.", name)[-1]


@dataclass(frozen=True, slots=True)
class Unit:
    """One first principle bound to one stub, its lesson section and its tests (ex-1, ex-2, …).

    `file` is relative to the workspace; `line` is the 1-based line of the stub's name in the
    starter; its current line has to be looked up in the current text. `practises` are names of
    constructs of its language that it is about. In a unit that is not `BODY`, the stub is what is
    to be declared, or mended, and stands for its whole file, or for its part of a file that several
    units share; `test_file` is the unit's own ("" for a body).
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
    practises: tuple[str, ...] = ()
    kind: UnitKind = UnitKind.BODY
    test_file: str = ""

    @property
    def plain_stub(self) -> str:
        """The stub's own name: without the modules or types around it."""
        return plain_name(self.stub)

    @property
    def asks_for_tests(self) -> bool:
        """Whether what the learner writes are tests: of the stub, which is given."""
        return self.kind is UnitKind.TEST

    @property
    def aside(self) -> Aside | None:
        """What a build may go without on account of this unit; None for a body."""
        if self.kind is UnitKind.BODY:
            return None
        predicts = self.kind is UnitKind.PREDICT
        return Aside(self.stub, self.file, self.test_file, self.tests, predicts)


def sharing(units: Iterable[Unit], unit: Unit) -> tuple[Unit, ...]:
    """The units that ask for declarations in the file of one that does, itself included; none if
    it has the file to itself."""
    if unit.kind is not UnitKind.DECLARE:
        return ()
    found = tuple(each for each in units if each.file == unit.file and each.kind is unit.kind)
    return found if len(found) > 1 else ()


def asides(units: Iterable[Unit], starter: Mapping[str, str]) -> tuple[Aside, ...]:
    """The units that a run can do without; mostly there are none."""
    found = (each for unit in units if (each := unit.aside) is not None)
    return tuple(
        replace(each, given=starter.get(each.file, "")) if each.predicts else each for each in found
    )


@dataclass(frozen=True, slots=True)
class Proof:
    """Figures of the proof. Counts are numbers of tests; `at` is ISO 8601. `accepts` has, for each
    unit with a domain, how many neighbours of its tests' inputs were tried and how many accepted.
    """

    ok: bool
    """Whether every step passed."""
    builds: bool = False
    """Whether the stubs build."""
    tests: int = 0
    """How many tests there are."""
    fail_on_stub: int = 0
    """How many fail on the stubs."""
    pass_on_reference: int = 0
    """How many pass on the reference."""
    stable_runs: int = 0
    """How often that came out the same."""
    unit_map: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The tests of each unit."""
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The earlier units that each unit needs."""
    lesson_blocks: Mapping[str, int] = field(default_factory=lambda: {"run": 0, "ok": 0})
    """How many blocks of the lesson were run, and how many are right."""
    repairs: int = 0
    """How many repairs it took."""
    codes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each unit with a file of its own that is not built at first, what the build says."""
    fails: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each unit that asks to mend a program, the tests that it does not pass as it is given."""
    accepts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Per unit how many neighbouring inputs were tried and how many accepted."""
    mistakes: Mapping[str, int] = field(default_factory=dict)
    """Per unit how many known mistakes its tests notice."""
    mutants: Mapping[str, int] = field(default_factory=dict)
    """How many wrong versions that code makes were tried, noticed, and found equivalent."""
    at: str = ""
    """When, in ISO 8601 in UTC."""

    @property
    def line(self) -> str:
        """The proof's result in one short line; empty if it failed."""
        if not self.ok:
            return ""
        return n(
            "Proven: {failing} of {count} test fails on the stubs, {passing} passes on the "
            "reference.",
            "Proven: {failing} of {count} tests fail on the stubs, {passing} pass on the "
            "reference.",
            self.tests,
            failing=self.fail_on_stub,
            passing=self.pass_on_reference,
        )


@dataclass(frozen=True, slots=True)
class Exercise:
    """The content of `.tutor/exercise.json`. `files` are the learner-visible files, relative.

    `starter` keeps the text of every stub file as delivered, for reset and `todo`, without a
    second copy on disk. The reference solution and authored hints are not part of it.
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
    def aside(self) -> tuple[Aside, ...]:
        """The units that a run can do without; mostly there are none."""
        return asides(self.units, self.starter)

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
