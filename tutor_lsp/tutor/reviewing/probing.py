"""What a reviewer claims of an input, executed in the hidden copy before it counts."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.session import CounterExample
from tutor_lsp.languages.common.proof.guard import NoGuard, guarded
from tutor_lsp.languages.registry import guards
from tutor_lsp.tutor.exercise.cases import stub_signature, test_file
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import Trials

REFERENCE_RUNS = 3
LEARNER_RUNS = 2
"""How often an input is run on each: what differs from run to run says nothing."""
LIMIT_S = 45.0
"""Longest that one claim is tried, in seconds; it is refuted then."""
_DIFFERS = frozenset({TestOutcome.FAILED, TestOutcome.ERRORED, TestOutcome.TIMEOUT})


class Refuted(Exception):  # noqa: N818 - says what is the case, not a defect
    """A claim does not hold, or could not be tried; the text says why."""


class Otherwise(Refuted):
    """A claim was tried and does not hold."""


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

    async def counter_example(self, claim: Mapping[str, Any]) -> tuple[CounterExample, bool]:
        """The input with both values, if the learner's code differs from the reference on it, and
        whether it lies within what the unit promises: its domain takes every call of it.

        The reference passes every one of its runs, the learner's code none of its own. Raises
        Refuted if that is not so, and where it cannot be tried.
        """
        async with _bounded():
            return await self._counter_example(claim)

    async def _counter_example(self, claim: Mapping[str, Any]) -> tuple[CounterExample, bool]:
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
        for _ in range(REFERENCE_RUNS):
            result = await self._run(case, given, "the reference")
            if result.outcome is not TestOutcome.PASSED:
                raise Refuted(f"the reference does not do that: {_how(result)}")
        gave = ""
        for _ in range(LEARNER_RUNS):
            result = await self._run(case, self._texts, "the learner's code")
            if result.outcome not in _DIFFERS:
                raise Refuted("the learner's code does the same as the reference")
            gave = _gave(result, call.strip())
        example = CounterExample(unit.id, setup, call.strip(), expected.strip(), gave)
        return example, await self._is_promised(case, unit, given)

    async def _is_promised(self, case: _Case, unit: Unit, given: Mapping[str, str]) -> bool:
        """Whether the reference passes the case with a guard around it, too."""
        if unit.id not in self._opened.vault.accepts:
            return False
        try:
            files = await asyncio.to_thread(self._guarded, unit, given)
            result = await self._run(case, given, "the reference", files)
        except (NoGuard, Refuted):
            return False
        return result.outcome is TestOutcome.PASSED

    def _guarded(self, unit: Unit, given: Mapping[str, str]) -> dict[str, str]:
        """The files that guards around the stubs change or add: around this unit's at least.

        Raises NoGuard.
        """
        opened = self._opened
        units, language = opened.exercise.units, opened.exercise.language
        accepts = opened.vault.accepts
        try:
            files = guarded(given, units, accepts, opened.toolchain, guards(language))
        except NoGuard:
            files = guarded(given, [unit], accepts, opened.toolchain, guards(language))
        return {file: text for file, text in files.items() if given.get(file) != text}

    async def holds(self, setup: tuple[str, ...], call: str, value: str) -> None:
        """Return if the learner's code gives `value` for `call`, every time. Raises Otherwise if it
        does not, Refuted where that cannot be tried."""
        async with _bounded():
            case = await self._case(setup, call, value, self._opened.exercise.units)
            for _ in range(LEARNER_RUNS):
                result = await self._run(case, self._texts, "the learner's code")
                if result.outcome is not TestOutcome.PASSED:
                    raise Otherwise(f"the answer is another one: {_how(result)}")

    async def _case(
        self, setup: tuple[str, ...], call: str, expected: str, units: Sequence[Unit]
    ) -> _Case:
        opened = self._opened
        tests = [test for unit in units for test in unit.tests]
        file = test_file(opened.vault.originals, tests, opened.toolchain)
        if file is None:
            raise Refuted("there is no test file to try it in")
        stubs: dict[str, str] = {}
        for unit in units:
            stubs |= stub_signature(opened.exercise, unit, opened.toolchain)
        # Its grammar loads with the first use, which would hold the loop.
        return await asyncio.to_thread(self._written, file, setup, call, expected, stubs)

    def _written(
        self, file: str, setup: tuple[str, ...], call: str, expected: str, stubs: Mapping[str, str]
    ) -> _Case:
        from tutor_lsp.languages.probe import Probe, ProbeRefused, with_probe

        text, language = self._opened.vault.originals[file], self._opened.exercise.language
        try:
            changed, name = with_probe(language, text, Probe(setup, call, expected), stubs)
        except ProbeRefused as refused:
            raise Refuted(str(refused)) from refused
        return _Case(file, changed, name)

    async def _run(
        self,
        case: _Case,
        texts: Mapping[str, str],
        whose: str,
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> TestResult:
        """The result of the case on these texts and `more`. Raises Refuted if it did not come to
        run."""
        files = {**more, case.file: case.text}
        try:
            report = await self._trials.run(
                self._opened, files, [case.name], texts=texts, whole=True
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
