"""The result of one execution of the tests: raw from the toolchain, and judged for the learner."""

from dataclasses import dataclass
from enum import StrEnum

from tutor_lsp.core.text.translation import marked

NO_TESTS = marked("There are no tests in tests/.")
"""The reason nothing ran if there are no tests."""


class TestOutcome(StrEnum):
    """How one test ended. `TODO` is a failing test of a stub that nobody has started."""

    __test__ = False
    PASSED = "passed"
    FAILED = "failed"
    ERRORED = "errored"
    TIMEOUT = "timeout"
    NOT_RUN = "not_run"
    TODO = "todo"


class RunOutcome(StrEnum):
    """How a run ended as a whole."""

    PASSED = "passed"
    FAILED = "failed"
    BUILD_ERROR = "build_error"
    TIMEOUT = "timeout"
    NOT_RUN = "not_run"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a workspace file: path relative with `/`, line 1-based, column in code points."""

    file: str
    line: int
    column: int = 1


@dataclass(frozen=True, slots=True)
class BuildError:
    """A build or syntax error with its span: 1-based lines, 1-based code point columns."""

    file: str
    """File, relative to the workspace."""
    line: int
    """1-based line."""
    column: int
    """1-based column in code points."""
    end_line: int
    """1-based line of its end."""
    end_column: int
    """1-based column of its end, exclusive."""
    code: str | None
    """The compiler's code for it."""
    message: str
    """What is wrong, as the compiler says it."""

    @property
    def labelled(self) -> str:
        """The message with its code before it."""
        named = self.code is None or self.message.startswith(self.code)
        return self.message if named else f"{self.code}: {self.message}"


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure in one sentence. `expected` and `actual` are source-like text. `advice` is the end
    of the sentence where that says what to look for."""

    message: str
    expected: str | None = None
    actual: str | None = None
    advice: str = ""


@dataclass(frozen=True, slots=True)
class RawTest:
    """One test as the toolchain saw it, before units and learner text are considered.

    `left` and `right` are the two sides of a failed comparison in source order, as text.
    `location` is the assertion (or the line of the test that led to the failure). `raised_at` is
    the innermost frame inside `src/`. `not_implemented` means that the stub's placeholder
    ended the test. `output` is what the learner's code printed,
    already capped. `given` are names of the test with values that nothing in its run can have
    changed. `error` is the exception or panic text of a failure that isn't a comparison.
    `broken` is why a test of a unit that the run did without was not built. `said` is the sentence
    of a result that nothing in a test file tells, or about which nothing else may be told. `file`
    is the test file, "" if unknown. `waited` is whether it was waiting when its time was over.
    `call` is the call that it failed in, where a second look has told that; `given` then are the
    names in it, and `gave` is what it gave, if it came back.
    """

    __test__ = False
    name: str
    outcome: TestOutcome
    location: Location | None = None
    raised_at: Location | None = None
    left: str | None = None
    right: str | None = None
    error: str | None = None
    not_implemented: bool = False
    output: str = ""
    duration_ms: float = 0.0
    broken: BuildError | None = None
    said: Failure | None = None
    file: str = ""
    given: tuple[tuple[str, str], ...] = ()
    waited: bool = False
    call: str | None = None
    gave: str | None = None


@dataclass(frozen=True, slots=True)
class RawReport:
    """A run as the toolchain saw it. `tests` has every listed test, run or not, in file order.

    `reason` says in one sentence why a run is `not_run`, `timeout` or `build_error`.
    `aside_errors` are all errors in the files of units that the run did without.
    """

    outcome: RunOutcome
    tests: tuple[RawTest, ...] = ()
    build_errors: tuple[BuildError, ...] = ()
    duration_ms: float = 0.0
    command: str = ""
    reason: str | None = None
    warnings: int = 0
    aside_errors: tuple[BuildError, ...] = ()


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test as editors and scripts see it."""

    __test__ = False
    name: str
    """Name of the test."""
    unit: str | None
    """Id of the unit that it tests; null if it tests none."""
    stub: str | None
    """Name of the function that it tests."""
    outcome: TestOutcome
    """`todo` is a failing test of a stub that nobody has started."""
    message: str | None = None
    """Why it did not pass, in one sentence."""
    expected: str | None = None
    """What was expected, as source text."""
    actual: str | None = None
    """What came instead, as source text."""
    file: str | None = None
    """File of the assertion, relative to the workspace."""
    line: int | None = None
    """1-based line of the assertion."""
    output: str = ""
    """What the learner's code printed, capped."""
    duration_ms: float = 0.0
    """How long it took, in milliseconds."""
    build_error: BuildError | None = None
    """Why it was not built, if only the unit's own file or test file does not build."""


@dataclass(frozen=True, slots=True)
class Unpractised:
    """A construct that a unit is about, and that its code does not use, though it passes."""

    unit: str
    """Id of the unit."""
    construct: str
    """Name of the construct in exercise.toml."""
    language: str
    """Id of the language that has it."""


@dataclass(frozen=True, slots=True)
class TestReport:
    """One run. `reason` explains outcomes without test results.

    `text_hash` identifies everything that the run ran on, "" if unknown (records of earlier
    versions). `note` is one line on what an attempt ignores, "" if nothing.
    """

    __test__ = False
    run_id: str
    """Identifies the run."""
    outcome: RunOutcome
    """How it ended as a whole."""
    tests: tuple[TestResult, ...] = ()
    """Every test, in the order of the files."""
    build_errors: tuple[BuildError, ...] = ()
    """Why it does not build."""
    duration_ms: float = 0.0
    """How long it took, in milliseconds."""
    command: str = ""
    """What was executed."""
    reason: str | None = None
    """Why there are no test results, in one sentence."""
    text_hash: str = ""
    """Identifies everything that it ran on; empty where that is not known."""
    note: str = ""
    """One line on what an attempt leaves out; empty if nothing."""
    unpractised: tuple[Unpractised, ...] | None = None
    """Units pass all their tests without these constructs, which they are about; null where that
    was not looked for."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A linter's remark on lines `line`..`end_line` (1-based) of a workspace file.

    `rule` is the linter's own name for it; `rank` is 0 for a possible defect, 1 for
    something that could be written more clearly.
    """

    file: str
    line: int
    end_line: int
    rule: str
    message: str
    rank: int = 1
