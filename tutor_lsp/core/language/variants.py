"""Many wrong versions of an exercise in one run: one build instead of one for each. Pure.

A merged run can only clear an exercise. If it finds a problem, each version is run again in
its own copy, and that result counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import Location, RawReport, RawTest, RunOutcome, TestOutcome

MARK = "__tutor_"


@dataclass(frozen=True, slots=True)
class Variant:
    """A version of the solved exercise. `tests` are the tests to run (None: all).

    If it differs only in one function's body, that is `unit`'s stub and `body`.
    """

    key: str
    files: Mapping[str, str]
    tests: tuple[str, ...] | None = None
    unit: Unit | None = None
    body: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a variant's body: lines `first` to `last` (1-based) of a merged file."""

    file: str
    first: int
    last: int

    @classmethod
    def of(cls, file: str, text: str, lines: str) -> "Place":
        """The place of these whole lines in a text. Raises ValueError if they are not in it."""
        first = text.count("\n", 0, text.index(lines)) + 1
        return cls(file, first, first + lines.count("\n") - 1)


@dataclass(frozen=True, slots=True)
class Merged:
    """Several variants as one exercise. `names` maps a test's merged name to the key of its
    variant and its own name, `paths` maps merged files to the original ones; `places`
    has, by key, where each variant is, if they share a file."""

    files: Mapping[str, str]
    names: Mapping[str, tuple[str, str]]
    paths: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict)

    @property
    def tests(self) -> list[str]:
        """The tests to run."""
        return list(self.names)

    def split(self, report: RawReport) -> dict[str, RawReport] | None:
        """The report of each variant by its key; None if a test has no outcome."""
        if report.outcome not in (RunOutcome.PASSED, RunOutcome.FAILED):
            return None
        results: dict[str, list[RawTest]] = {key: [] for key, _ in self.names.values()}
        for test in report.tests:
            if test.name not in self.names:
                continue
            if test.outcome is TestOutcome.NOT_RUN and test.error is None:
                return None
            key, name = self.names[test.name]
            results[key].append(
                replace(test, name=name, location=self._moved(test.location), output=test.output)
            )
        if sum(map(len, results.values())) != len(self.names):
            return None
        return {key: _report(tests, report) for key, tests in results.items()}

    def broken(self, report: RawReport) -> frozenset[str]:
        """Keys of the variants that contain a build error."""
        return frozenset(
            key
            for key, place in self.places.items()
            for error in report.build_errors
            if error.file == place.file and place.first <= error.line <= place.last
        )

    def _moved(self, place: Location | None) -> Location | None:
        return replace(place, file=self.paths.get(place.file, place.file)) if place else None


def _report(tests: Sequence[RawTest], whole: RawReport) -> RawReport:
    green = all(test.outcome is TestOutcome.PASSED for test in tests)
    outcome = RunOutcome.PASSED if green else RunOutcome.FAILED
    return replace(whole, outcome=outcome, tests=tuple(tests), warnings=0)


def merged_name(test: str, number: int) -> str:
    """The name of a test in variant `number`."""
    return f"{test}{MARK}{number}"
