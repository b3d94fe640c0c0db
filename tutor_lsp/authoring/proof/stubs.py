"""Step `stubs`: every test runs to its own end on the stubs and fails for its own reason. Pure."""

from collections.abc import Collection, Mapping, Sequence

from tutor_lsp.authoring.proof.trial import TestPlace, Trial, not_executed
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, RawTest, TestOutcome

FAILED = frozenset({TestOutcome.FAILED, TestOutcome.TODO})
_ASSERTED = (
    "AssertionError",
    "assertion",
    "Failed:",
    "test did not panic",
    "panic did not contain",
)


def check(trial: Trial, stubs: RawReport) -> list[ProofFinding]:
    """Every test is collected, and fails by its assertion or the stub's "not implemented"."""
    found = not_executed("stubs", "the stubs", stubs)
    collected = {test.name for test in stubs.tests}
    if not collected:
        return [*found, ProofFinding("stubs", "No test was collected.")]
    found += [
        trial.at_test("stubs", f"The test `{name}` was not collected.", name)
        for unit in trial.units
        for name in unit.tests
        if name not in collected
    ]
    for test in stubs.tests:
        if trial.owner(test.name) is None:
            continue  # a test without a stub is found as such
        message = _wrong(test, trial.tests.get(test.name))
        if message and not (test.outcome is TestOutcome.NOT_RUN and found):
            found.append(trial.at_test("stubs", message, test.name, test))
    return found


def _wrong(test: RawTest, place: TestPlace | None) -> str | None:
    if test.outcome is TestOutcome.PASSED:
        return f"The test `{test.name}` passes although nothing is written yet."
    if test.outcome is TestOutcome.TIMEOUT:
        return f"The test `{test.name}` does not come to an end on the stubs: {test.error}."
    if test.outcome is TestOutcome.NOT_RUN:
        return f"The test `{test.name}` is skipped: {test.error or 'no reason given'}."
    if test.outcome not in FAILED:
        return f"The test `{test.name}` breaks off on the stubs: {test.error or 'no reason given'}."
    if not fails_properly(test, place):
        return (
            f"The test `{test.name}` fails on the stubs for a reason of its own, not because "
            f"something is missing: {_first(test.error)}."
        )
    return None


def fails_properly(test: RawTest, place: TestPlace | None) -> bool:
    """Whether a failing test failed by "not implemented" or by one of its assertions."""
    if test.not_implemented or test.left is not None or test.error is None:
        return True
    if test.error.startswith(_ASSERTED):
        return True
    named = test.error.split(":")[0].rpartition(".")[2]
    if named.endswith(("Error", "Exception", "Exit")) and named.isidentifier():
        return False
    if place is None or test.location is None:
        return False
    lines = [_lines(span.line, tokens) for span, tokens in place.assertions]
    return any(first <= test.location.line <= last for first, last in lines)


def _lines(first: int, tokens: Sequence[object]) -> tuple[int, int]:
    return first, max((getattr(token, "line", first) for token in tokens), default=first)


def check_neutral(
    trial: Trial, unit: Unit, neutral: RawReport, value: str, told: Collection[str] = ()
) -> list[ProofFinding]:
    """The tests of a unit that pass where its stub does no more than give back `value`, save for
    those in `told`."""
    does = f"only gives back {_shown(value)}" if _shown(value) else "does nothing"
    return [
        trial.at_test(
            "stubs",
            f"The test `{test.name}` passes even if `{unit.stub}` {does}: it must also ask for "
            "something else.",
            test.name,
        )
        for test in neutral.tests
        if test.outcome is TestOutcome.PASSED and test.name in unit.tests and test.name not in told
    ]


def check_mutants(trial: Trial, unit: Unit, reports: Sequence[RawReport]) -> list[ProofFinding]:
    """The tests of a unit that pass on every wrong version of its reference that was tried."""
    outcomes: Mapping[str, list[TestOutcome]] = {name: [] for name in unit.tests}
    for report in reports:
        for test in report.tests:
            if test.name in outcomes:
                outcomes[test.name].append(test.outcome)
    return [
        trial.at_test(
            "stubs",
            f"The test `{name}` passes on {len(seen)} wrong versions of `{unit.stub}`: it does "
            "not look at what the function does.",
            name,
        )
        for name, seen in outcomes.items()
        if len(seen) > 1 and all(outcome is TestOutcome.PASSED for outcome in seen)
    ]


def _shown(body: str) -> str:
    text = body.strip().removeprefix("return").strip().rstrip(";")
    return f"`{text}`" if text else ""


def _first(error: str | None) -> str:
    return (error or "no reason given").strip().splitlines()[0].rstrip(".")
