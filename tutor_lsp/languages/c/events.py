"""Reading what the harness said on the private channel: pure, tested from recorded runs."""

from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from tutor_lsp.core.exercise.report import Failure, Location, RawTest, TestOutcome
from tutor_lsp.core.text.plain_text import clip_pair
from tutor_lsp.core.text.translation import marked
from tutor_lsp.languages.c.crash import (
    Crash,
    from_ending,
    from_report,
    from_undefined,
    without_reports,
)

TEXT_LIMIT = 2000
VALUE_LIMIT = 500
PASSED = 117
"""How the process of a test that passed ends, as in test.h."""
_FIELDS = 6


@dataclass(frozen=True, slots=True)
class Said:
    """One record: `start`, `passed`, `stub`, `false` or `unequal`."""

    kind: str
    file: str
    line: int
    first: str
    second: str

    @property
    def place(self) -> Location:
        """Where the harness spoke from."""
        return Location(str(PurePosixPath(self.file)), max(self.line, 1))


@dataclass(frozen=True, slots=True)
class Ran:
    """One test's process. `channel` is what came over the private channel, `report` what a
    sanitizer wrote; `how` says in words how the process ended. `word` goes before the record of
    the start, `last` before that of the end, which nobody can read before it is written."""

    name: str
    returncode: int
    output: str
    channel: str
    report: str
    how: str
    timed_out: str | None = None
    waited: bool = False
    duration_ms: float = 0.0
    word: str = field(default="", repr=False)
    last: str = field(default="", repr=False)

    @property
    def printed(self) -> str:
        """What the code under test printed."""
        return without_reports(self.output)


def records(ran: Ran) -> list[Said]:
    """The records of the run's own word in order; what anybody else wrote is left out."""
    found = []
    for line in ran.channel.splitlines():
        parts = line.split("\t")
        if len(parts) != _FIELDS or not parts[3].isdigit():
            continue
        if parts[0] == (ran.word if parts[1] == "start" else ran.last):
            found.append(Said(parts[1], parts[2], int(parts[3]), parts[4], parts[5]))
    return found


def started(ran: Ran) -> bool:
    """Whether the test itself was reached."""
    return any(said.kind == "start" and said.first == ran.name for said in records(ran))


def parse_test(ran: Ran, defined: Location) -> RawTest:
    """The outcome of one test. `defined` is where it is defined."""
    ends = [said for said in records(ran) if said.kind != "start"]
    if not started(ran):
        return _not_reached(ran, defined)
    if not ends:
        return _unfinished(ran, defined)
    end = ends[0]
    if end.kind == "passed" and ran.returncode == PASSED:
        return _result(ran, TestOutcome.PASSED, None)
    if end.kind == "passed":
        return _unfinished(ran, defined)
    failed = _result(ran, TestOutcome.FAILED, end.place)
    if end.kind == "stub":
        error = marked(f"`{end.first}` is not written yet")
        return replace(
            failed, location=defined, raised_at=end.place, error=error, not_implemented=True
        )
    if end.kind == "unequal":
        left, right = clip_pair(end.first, end.second, VALUE_LIMIT)
        return replace(failed, left=left, right=right)
    return replace(failed, error=end.first[:TEXT_LIMIT])


def _result(ran: Ran, outcome: TestOutcome, location: Location | None) -> RawTest:
    return RawTest(
        ran.name, outcome, location=location, output=ran.printed, duration_ms=ran.duration_ms
    )


def _unfinished(ran: Ran, defined: Location) -> RawTest:
    """The process ended, or was killed, during the test."""
    if ran.timed_out is not None:
        late = _errored(ran, defined, ran.timed_out, TestOutcome.TIMEOUT)
        return replace(late, waited=ran.waited)
    crash = crash_of(ran)
    if crash is None:
        return _errored(ran, defined, marked(f"the run ended inside this test: {ran.how}"))
    place = crash.in_test or defined
    return _errored(ran, place, f"crashed: {crash.said}", raised_at=crash.raised_at)


def crash_of(ran: Ran) -> Crash | None:
    """Why the process ended, unless it exited by itself."""
    if ran.returncode == 0:
        return None
    return from_report(ran.report) or from_undefined(ran.output) or from_ending(ran.how, ran.output)


def _not_reached(ran: Ran, defined: Location) -> RawTest:
    if ran.timed_out is not None:
        text = marked(f"{ran.timed_out}: `main` did not come to this test")
        return _errored(ran, defined, text, TestOutcome.TIMEOUT)
    if ran.returncode == 0:
        text = marked(f"`main` does not run this test: it needs the line RUN_TEST({ran.name});")
        return replace(_errored(ran, defined, text), said=Failure(text))
    return _errored(ran, defined, marked(f"the run ended before this test: {ran.how}"))


def _errored(
    ran: Ran,
    location: Location,
    error: str,
    outcome: TestOutcome = TestOutcome.ERRORED,
    raised_at: Location | None = None,
) -> RawTest:
    return replace(_result(ran, outcome, location), raised_at=raised_at, error=error[:TEXT_LIMIT])
