"""What one execution of the tests found: raw from the toolchain, and judged for the learner."""

from dataclasses import dataclass
from enum import StrEnum

NO_TESTS = "There are no tests in tests/."
"""Why nothing ran where no test was found."""


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
    line: int
    column: int
    end_line: int
    end_column: int
    code: str | None
    message: str


@dataclass(frozen=True, slots=True)
class RawTest:
    """One test as the toolchain saw it, before units and learner text are considered.

    `left` and `right` are the two sides of a failed comparison in source order, as text.
    `location` is the assertion (or the line of the test that led to the failure). `raised_at` is
    the innermost frame inside `src/`. `not_implemented` holds when the stub's own mark
    (`todo!`, NotImplementedError) ended the test. `output` is what the learner's code printed,
    already capped. `error` is the exception or panic text of a failure that is no comparison.
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


@dataclass(frozen=True, slots=True)
class RawReport:
    """A run as the toolchain saw it. `tests` holds every listed test, run or not, in file order.

    `reason` says in one sentence why a run is `not_run`, `timeout` or `build_error`.
    """

    outcome: RunOutcome
    tests: tuple[RawTest, ...] = ()
    build_errors: tuple[BuildError, ...] = ()
    duration_ms: float = 0.0
    command: str = ""
    reason: str | None = None
    warnings: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure in one sentence. `expected` and `actual` are source-like text."""

    message: str
    expected: str | None = None
    actual: str | None = None


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test as editors and scripts see it."""

    __test__ = False
    name: str
    unit: str | None
    stub: str | None
    outcome: TestOutcome
    message: str | None = None
    expected: str | None = None
    actual: str | None = None
    file: str | None = None
    line: int | None = None
    output: str = ""
    duration_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class TestReport:
    """One run. `reason` explains outcomes without test results.

    `text_hash` identifies everything that the run ran on, "" where that is not known (records of
    earlier versions). `note` is one line on what an attempt leaves out, "" if nothing.
    """

    __test__ = False
    run_id: str
    outcome: RunOutcome
    tests: tuple[TestResult, ...] = ()
    build_errors: tuple[BuildError, ...] = ()
    duration_ms: float = 0.0
    command: str = ""
    reason: str | None = None
    text_hash: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """What a linter says of lines `line`..`end_line` (1-based) of a workspace file.

    `rule` is the linter's own name for it; `rank` is 0 for what may be a defect, 1 for what can
    be written more clearly.
    """

    file: str
    line: int
    end_line: int
    rule: str
    message: str
    rank: int = 1
