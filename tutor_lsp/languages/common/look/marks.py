"""What a test says of its calls that was made to tell them: pure, tested from recorded output."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tutor_lsp.core.exercise.report import Location, RawTest, TestOutcome
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.treesitter import one_line

BEGUN, ENDED, SEP, END = "\x1d<", "\x1d>", "\x1f", "\x1c"
"""What a record begins with, and what is between and behind its fields."""
MOST = 5000
"""Calls of one test that are told; of more, none is."""
VALUE_LIMIT = 200
"""Characters of a value that are told."""
_RECORD = re.compile(
    f"\x1d(?P<kind>[<>])(?P<line>\\d+):(?P<column>\\d+)(?P<rest>[^{SEP}{END}\x1d]*"
    f"(?:{SEP}[^{SEP}{END}\x1d]*)*){END}\n?"
)


Calls = Mapping[tuple[int, int], str]
"""The calls in a test file that are told, by line and column."""


class Marker(Protocol):
    """What a language knows of telling calls. A module can be that."""

    def marked(
        self,
        file: str,
        files: Files,
        stubs: Collection[str],
        tests: Collection[str],
        without: Collection[int],
    ) -> tuple[str, Calls]:
        """A test file whose lines are where they were, and whose calls of stubs in these tests, and
        in what helps them, are told: when one begins, in milliseconds of its process, what the
        names in it hold, and what it gave; and these calls by line and column. Nothing is told of
        functions with these lines."""

    def helpers(self) -> Files:
        """Files that such tests need besides."""

    def lacks(self, test: RawTest, files: Files, stubs: Sequence[str]) -> bool:
        """Whether the sentence for a test does not say which call it was, or what it was given."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a test that was told; `gave` is None where it did not end, "" where its value
    cannot be shown."""

    line: int
    column: int
    at_ms: int
    given: tuple[tuple[str, str], ...]
    gave: str | None = None


def calls_in(output: str) -> list[Call]:
    """The calls that a test told, in the order in which they began; none where they are too
    many."""
    found: list[Call] = []
    running: list[int] = []
    for record in _RECORD.finditer(output):
        place = int(record["line"]), int(record["column"])
        first, *rest = record["rest"].split(SEP)[1:] or [""]
        if record["kind"] == "<":
            pairs = zip(rest[::2], rest[1::2], strict=False)
            given = tuple((name, value) for name, value in pairs if value)
            running.append(len(found))
            found.append(Call(*place, int(first or 0), given))
            continue
        here = (n for n in reversed(running) if (found[n].line, found[n].column) == place)
        ended = next(here, None)
        if ended is not None:
            running.remove(ended)
            found[ended] = replace(found[ended], gave=first)
    return [] if len(found) >= MOST else found


def told(test: RawTest, calls: Calls, output: str, limit_ms: float) -> RawTest:
    """The test with the call that it came of, as far as the calls it told say that. One that its
    time was over in counts if it had half of the time."""
    seen = calls_in(output)
    if not seen:
        return test
    ended_inside = test.raised_at is not None or test.outcome is not TestOutcome.FAILED
    if ended_inside:
        last = next((each for each in reversed(seen) if each.gave is None), None)
        late = test.outcome is TestOutcome.TIMEOUT and last and last.at_ms * 2 > limit_ms
        if last is None or late:
            return test
    else:
        last = seen[-1]
        if last.gave is None:
            return test
    text = calls.get((last.line, last.column))
    if text is None:
        return test
    file = test.location.file if test.location is not None else test.file
    place = Location(file, last.line, last.column) if ended_inside else test.location
    gave = last.gave or None
    given = {**dict(test.given), **dict(last.given)}
    call = one_line(text)
    return replace(test, call=call, gave=gave, given=tuple(given.items()), location=place)
