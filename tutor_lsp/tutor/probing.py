"""What a reviewer claims of an input, executed in the hidden copy before it counts."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise import Unit
from tutor_lsp.core.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.session import CounterExample
from tutor_lsp.tutor.opened import OpenExercise
from tutor_lsp.tutor.trial import Trials

REFERENCE_RUNS = 3
LEARNER_RUNS = 2
"""How often an input is run on each: what differs from run to run says nothing."""
LIMIT_S = 45.0
"""Longest that one claim is tried, in seconds; it is refuted then."""
_DIFFERS = frozenset({TestOutcome.FAILED, TestOutcome.ERRORED, TestOutcome.TIMEOUT})


class Refuted(Exception):  # noqa: N818 - says what is the case, not a defect
    """A claim does not hold, or could not be tried; the text says why."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A probe as one more test: its file, the text of that, and its name."""

    file: str
    text: str
    name: str


class Prober:
    """Tries inputs on the texts of one attempt."""

    def __init__(self, trials: Trials, opened: OpenExercise, texts: Mapping[str, str]) -> None:
        self._trials = trials
        self._opened = opened
        self._texts = texts

    async def counter_example(self, claim: Mapping[str, Any] | CounterExample) -> CounterExample:
        """The input with both values, if the learner's code differs from the reference on it.

        The reference passes every one of its runs (those of an example that was found before need
        not be made again), the learner's code none of its own. Raises Refuted if that is not so,
        and where it cannot be tried.
        """
        async with _bounded():
            return await self._counter_example(claim)

    async def _counter_example(self, claim: Mapping[str, Any] | CounterExample) -> CounterExample:
        known = isinstance(claim, CounterExample)
        if isinstance(claim, CounterExample):
            unit_id, setup = claim.unit, claim.setup
            call, expected = claim.call, claim.expected
        else:
            unit_id, setup = str(claim["unit_id"]), tuple(claim["setup"])
            call, expected = str(claim["call"]), str(claim["expected"])
        unit = self._opened.exercise.unit(unit_id)
        if unit is None:
            raise Refuted(f"there is no unit {unit_id}")
        case = await self._case(setup, call, expected, (unit,))
        solution = self._opened.vault.solution
        if not solution:
            raise Refuted("there is no reference to compare with")
        given = {**self._opened.vault.originals, **solution}
        for _ in range(0 if known else REFERENCE_RUNS):
            result = await self._run(case, given, "the reference")
            if result.outcome is not TestOutcome.PASSED:
                raise Refuted(f"the reference does not do that: {_how(result)}")
        gave = ""
        for _ in range(LEARNER_RUNS):
            result = await self._run(case, self._texts, "the learner's code")
            if result.outcome not in _DIFFERS:
                raise Refuted("the learner's code does the same as the reference")
            gave = _gave(result, call.strip())
        return CounterExample(unit.id, setup, call.strip(), expected.strip(), gave)

    async def holds(self, setup: tuple[str, ...], call: str, value: str) -> None:
        """Return if the learner's code gives `value` for `call`, every time; raise Refuted if
        not."""
        async with _bounded():
            case = await self._case(setup, call, value, self._opened.exercise.units)
            for _ in range(LEARNER_RUNS):
                result = await self._run(case, self._texts, "the learner's code")
                if result.outcome is not TestOutcome.PASSED:
                    raise Refuted(f"the answer is another one: {_how(result)}")

    async def _case(
        self, setup: tuple[str, ...], call: str, expected: str, units: Sequence[Unit]
    ) -> _Case:
        file = self._test_file([test for unit in units for test in unit.tests])
        if file is None:
            raise Refuted("there is no test file to try it in")
        sites = {unit.stub: self._opened.starter_site(unit) for unit in units}
        stubs = {stub: site.signature if site else "" for stub, site in sites.items()}
        # Its grammar loads with the first use, which would hold the loop.
        return await asyncio.to_thread(self._written, file, setup, call, expected, stubs)

    def _written(
        self, file: str, setup: tuple[str, ...], call: str, expected: str, stubs: Mapping[str, str]
    ) -> _Case:
        from tutor_lsp.toolchains.probe import Probe, ProbeRefused, with_probe

        text, language = self._opened.vault.originals[file], self._opened.exercise.language
        try:
            changed, name = with_probe(language, text, Probe(setup, call, expected), stubs)
        except ProbeRefused as refused:
            raise Refuted(str(refused)) from refused
        return _Case(file, changed, name)

    def _test_file(self, tests: list[str]) -> str | None:
        """The delivered test file that holds most of these tests."""
        held = {
            file: sum(site.name in tests for site in self._opened.test_sites(text))
            for file, text in self._opened.vault.originals.items()
            if file.startswith("tests/")
        }
        best = max(held, key=lambda file: held[file], default=None)
        return best if best is not None and held[best] else None

    async def _run(self, case: _Case, texts: Mapping[str, str], whose: str) -> TestResult:
        """The result of the case on these texts. Raises Refuted if it did not come to run."""
        try:
            report = await self._trials.run(
                self._opened, {case.file: case.text}, [case.name], texts=texts, whole=True
            )
        except TutorError as error:
            raise Refuted(error.message) from error
        result = next((test for test in report.tests if test.name == case.name), None)
        if result is None or result.outcome is TestOutcome.NOT_RUN:
            raise Refuted(f"it does not run on {whose}: {_why(report)}")
        return result


@asynccontextmanager
async def _bounded() -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(LIMIT_S):
            yield
    except TimeoutError:
        raise Refuted(f"it could not be tried within {LIMIT_S:g} s") from None


def _gave(result: TestResult, call: str) -> str:
    """See `CounterExample.gave`."""
    if result.actual is not None and result.expected is not None:
        return result.actual
    told = _how(result)
    return told if told.startswith("`") else f"`{call}` did not come to its end: {told}"


def _how(result: TestResult) -> str:
    return (result.message or "it does not pass").rstrip(".")


def _why(report: TestReport) -> str:
    if report.outcome is RunOutcome.BUILD_ERROR and report.build_errors:
        return report.build_errors[0].message
    return report.reason or report.outcome.value
