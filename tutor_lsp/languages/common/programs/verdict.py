"""What is made of a learner's tests: two results, whatever tests there are. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tutor_lsp.core.exercise.exercise import verdicts
from tutor_lsp.core.exercise.judge import plain_name
from tutor_lsp.core.exercise.report import (
    BuildError,
    Failure,
    Location,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
)
from tutor_lsp.core.session import WrongProgram
from tutor_lsp.core.text.plain_text import clip
from tutor_lsp.core.text.translation import marked
from tutor_lsp.languages.common.explain import NOTE_LIMIT
from tutor_lsp.languages.common.treesitter import one_line

FAILED = frozenset({TestOutcome.FAILED, TestOutcome.ERRORED, TestOutcome.TIMEOUT})


LATER = marked("your tests are tried on mistakes once they accept the right programs")


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The two results of a unit, and how they come about."""

    stub: str
    file: str

    def passed(self, duration_ms: float = 0.0) -> tuple[RawTest, RawTest]:
        """All right programs are accepted, and all mistakes caught."""
        accepts, catches = verdicts(self.stub)
        return (
            RawTest(accepts, TestOutcome.PASSED, duration_ms=duration_ms),
            RawTest(catches, TestOutcome.PASSED),
        )

    def unable(
        self,
        said: str,
        at: Location | None = None,
        broken: BuildError | None = None,
        sides: tuple[str | None, str | None] = (None, None),
        how: TestOutcome = TestOutcome.FAILED,
    ) -> tuple[RawTest, RawTest]:
        """A right program is refused, or nothing could be tried at all."""
        accepts, catches = verdicts(self.stub)
        place = at or (Location(broken.file, broken.line, broken.column) if broken else None)
        first = RawTest(accepts, how, place, said=Failure(said, *sides), broken=broken)
        return first, RawTest(catches, TestOutcome.NOT_RUN, error=LATER)

    def not_tried(self) -> tuple[RawTest, RawTest]:
        """The program that is given is accepted, and no others are known."""
        accepts, catches = self.passed()
        why = marked("the wrong programs on which your tests are tried are not on this machine")
        return accepts, replace(catches, outcome=TestOutcome.NOT_RUN, error=why)

    def not_built(self, error: BuildError) -> tuple[RawTest, RawTest]:
        """The learner's file does not build."""
        message = clip(one_line(error.message), NOTE_LIMIT)
        said = marked(f"line {error.line} of {error.file} does not build: {message}")
        if error.code is not None and error.message.startswith(error.code):  # an exception's name
            said = marked(f"line {error.line} of {error.file} raised {message}")
        if error.file != self.file:
            said = marked(f"your tests do not build: {message}")
        return self.unable(said, broken=error, how=TestOutcome.ERRORED)

    def none_found(self) -> tuple[RawTest, RawTest]:
        """There is no test yet."""
        said = Failure(marked(f"no tests are found in {self.file} yet"))
        accepts, catches = (RawTest(n, TestOutcome.FAILED, said=said) for n in verdicts(self.stub))
        return accepts, catches

    def refuses_given(self, test: RawTest, why: Failure) -> tuple[RawTest, RawTest]:
        """A test does not pass on the program that is given."""
        said = marked(f"refuses the program that is given, in your `{test.name}`: {why.message}")
        return self.unable(said, test.location, None, (why.expected, why.actual))

    def unknown(self, report: RawReport) -> tuple[RawTest, RawTest]:
        """A program could not be tried."""
        return self.unable(report.reason or marked("your tests could not be run"))

    def refuses_right(self, report: RawReport) -> tuple[RawTest, RawTest]:
        """A test does not pass on another right program, of which nothing is told."""
        if report.outcome is RunOutcome.BUILD_ERROR:
            return self.unable(
                marked("refuses a right program: your tests use more than the contract names")
            )
        failed = _failed(report)
        if failed is None:
            return self.unknown(report)
        name = plain_name(failed.name)  # its parameters may come from the program
        at = failed.location if failed.location and failed.location.file == self.file else None
        return self.unable(
            marked(f"refuses a right program: your `{name}` asks for more than the contract says"),
            at,
        )

    def missed(
        self, caught: int, mistakes: Sequence[WrongProgram], first: WrongProgram
    ) -> tuple[RawTest, RawTest]:
        """All right programs are accepted, but not all mistakes caught; `first` got away."""
        accepts, catches = self.passed()
        said = marked(
            f"accepts the right programs, catches {caught} of {len(mistakes)}: "
            f"nothing notices what `{first.call}` gives"
        )
        return accepts, replace(catches, outcome=TestOutcome.FAILED, said=Failure(said))


def accepts(report: RawReport) -> bool:
    """Whether no test refuses the program."""
    return report.outcome is RunOutcome.PASSED


def catches(report: RawReport) -> bool:
    """Whether a test notices the program: by an assertion, a crash, a hang, or since it does not
    even build with it."""
    return report.outcome is RunOutcome.BUILD_ERROR or _failed(report) is not None


def says_nothing(report: RawReport) -> bool:
    """Whether a run did not get as far as its tests, or not in time, so nothing is known."""
    late = report.outcome is RunOutcome.TIMEOUT and _failed(report) is None
    return late or report.outcome is RunOutcome.NOT_RUN


def _failed(report: RawReport) -> RawTest | None:
    return next((test for test in report.tests if test.outcome in FAILED), None)
