"""Executes in the hidden copy what a coach or reviewer says of inputs, before it counts."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Unit, UnitKind
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.language.guards import NoGuard
from tutor_lsp.core.language.probes import Probe, ProbeRefused, probe_name
from tutor_lsp.core.session import CounterExample
from tutor_lsp.languages.common.proof.guard import guarded
from tutor_lsp.languages.registry import dialect, guards, probes
from tutor_lsp.tutor.exercise.cases import stub_signature, test_file
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.coach.claims import ERROR
from tutor_lsp.tutor.hinting.coach.predicted import unmet

REFERENCE_RUNS = 3
LEARNER_RUNS = 2
"""How often an input is run on each: a result that varies between runs proves nothing."""
LIMIT_S = 45.0
"""Longest time for one claim, in seconds; after that it is refuted."""
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


@dataclass(frozen=True, slots=True)
class Prober:
    """Tries inputs on the texts of one attempt."""

    trials: ShadowCopies
    opened: OpenExercise
    texts: Mapping[str, str]

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
        unit = self.opened.exercise.unit(unit_id)
        if unit is None:
            raise Refuted(f"there is no unit {unit_id}")
        if unit.kind is UnitKind.PREDICT:
            raise Refuted(f"{unit_id} asks for values, which take no input")
        case = await self._case(setup, call, expected, (unit,))
        solution = self.opened.vault.solution
        if not solution:
            raise Refuted("there is no reference to compare with")
        given = {**self.opened.vault.originals, **solution}
        for _ in range(REFERENCE_RUNS):
            result = await self._run(case, given, "the reference")
            if result.outcome is not TestOutcome.PASSED:
                raise Refuted(f"the reference does not do that: {_how(result)}")
        gave = ""
        for _ in range(LEARNER_RUNS):
            result = await self._run(case, self.texts, "the learner's code")
            if result.outcome not in _DIFFERS:
                raise Refuted("the learner's code does the same as the reference")
            gave = _gave(result, call.strip())
        example = CounterExample(unit.id, setup, call.strip(), expected.strip(), gave)
        return example, await self._is_promised(case, unit, given)

    async def _is_promised(self, case: _Case, unit: Unit, given: Mapping[str, str]) -> bool:
        """Whether the reference passes the case with a guard around it, too."""
        if unit.id not in self.opened.vault.accepts:
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
        opened = self.opened
        units, language = opened.exercise.units, opened.exercise.language
        accepts = opened.vault.accepts
        try:
            files = guarded(given, units, accepts, opened.toolchain, guards(language))
        except NoGuard:
            files = guarded(given, [unit], accepts, opened.toolchain, guards(language))
        return {file: text for file, text in files.items() if given.get(file) != text}

    async def holds(self, setup: tuple[str, ...], call: str, value: str) -> None:
        """Return if the learner's code returns `value` for `call`, every time. Raises Otherwise if
        it does not, Refuted where that cannot be tried."""
        async with _bounded():
            case = await self._case(setup, call, value, self.opened.exercise.units)
            for _ in range(LEARNER_RUNS):
                result = await self._run(case, self.texts, "the learner's code")
                if result.outcome is not TestOutcome.PASSED:
                    raise Otherwise(f"the answer is different: {_how(result)}")

    async def give(self, told: Sequence[tuple[str, str]], *, reference: bool) -> list[bool | None]:
        """Whether the learner's code, or the reference, gives each value for its call; None where
        that cannot be tried, and as long as a value is still to be predicted, which a program that
        tells right from wrong would give away. All are run together, and where one of them does not
        build each by itself."""
        if any(unmet(self.opened.exercise.units, self.opened.session)):
            return [None] * len(told)
        solved = {**self.opened.vault.originals, **self.opened.vault.solution}
        texts = solved if reference else self.texts
        cases: list[_Case | None] = []
        file: Mapping[str, str] = {}
        for call, value in told:
            try:
                case = await self._one_more(call, value, len(cases), file)
            except Refuted:
                cases.append(None)
                continue
            cases.append(case)
            file = {case.file: case.text}
        results = await self._results([case for case in cases if case is not None], texts, file)
        if results is None:
            results = {}
            for (call, value), known in zip(told, cases, strict=True):
                if known is not None:
                    alone = await self._one_more(call, value, 0, {})
                    found = await self._results([alone], texts, {alone.file: alone.text})
                    if found and alone.name in found:
                        results[known.name] = found[alone.name]
        unknown = dialect(self.opened.exercise.language).unknown_name
        return [
            _gives(results.get(known.name), value, unknown) if known is not None else None
            for (_, value), known in zip(told, cases, strict=True)
        ]

    async def _one_more(self, call: str, value: str, at: int, file: Mapping[str, str]) -> _Case:
        """A case beside those that are in `file` by now. Raises Refuted."""
        exercise = self.opened.exercise
        called = [unit for unit in exercise.units if re.search(rf"\b{unit.stub}\s*\(", call)]
        name = f"{probe_name(called[0].stub if called else 'expression')}_{at}"
        expected = "0" if ERROR.fullmatch(value) else value  # of an error any value will do
        return await self._case((), call, expected, exercise.units, name, called, file)

    async def _results(
        self, cases: Sequence[_Case], texts: Mapping[str, str], file: Mapping[str, str]
    ) -> dict[str, TestResult] | None:
        """The results of cases in one file by name; None if it does not build."""
        names = [case.name for case in cases]
        if not names:
            return {}
        try:
            report = await self.trials.run(self.opened, file, names, texts=texts, whole=True)
        except TutorError:
            return {}
        if report.outcome is RunOutcome.BUILD_ERROR:
            return None
        return {test.name: test for test in report.tests if test.name in names}

    async def _case(
        self,
        setup: tuple[str, ...],
        call: str,
        expected: str,
        units: Sequence[Unit],
        name: str | None = None,
        called: Sequence[Unit] | None = None,
        files: Mapping[str, str] = MappingProxyType({}),
    ) -> _Case:
        """A probe of `units`, or of those that are `called`, put into the test file or what `files`
        has of it. Raises Refuted."""
        opened = self.opened
        tests = [test for unit in units for test in unit.tests]
        file = test_file(opened.vault.originals, tests, opened.toolchain)
        if file is None:
            raise Refuted("there is no test file to try it in")
        stubs: dict[str, str] = {}
        for unit in units if called is None else called:
            stubs |= stub_signature(opened.exercise, unit, opened.toolchain)
        text = files.get(file, opened.vault.originals[file])
        probe = Probe(setup, call, expected)
        added = probes(opened.exercise.language).added
        try:
            # Its grammar loads with the first use, which would hold the loop.
            changed, given = await asyncio.to_thread(added, text, probe, stubs, name)
        except ProbeRefused as refused:
            raise Refuted(str(refused)) from refused
        return _Case(file, changed, given)

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
            report = await self.trials.run(self.opened, files, [case.name], texts=texts, whole=True)
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


def _gives(result: TestResult | None, value: str, unknown_name: str) -> bool | None:
    """What a result says of a claim; None if it says nothing of it. See `Dialect.unknown_name`."""
    if result is None or result.outcome is TestOutcome.NOT_RUN:
        return None
    said = f"{result.message or ''} {result.output}"
    if ERROR.fullmatch(value):
        return value in said
    if unknown_name and unknown_name in said:
        return None  # it was not about what the code does
    return result.outcome is TestOutcome.PASSED


def _gave(result: TestResult, call: str) -> str:
    """See `CounterExample.gave`."""
    if result.actual is not None and result.expected is not None:
        return result.actual
    told = _how(result)
    return told if told.startswith("`") else f"`{call}` did not finish: {told}"


def _how(result: TestResult) -> str:
    return (result.message or "it does not pass").rstrip(".")


def _why(report: TestReport) -> str:
    if report.outcome is RunOutcome.BUILD_ERROR and report.build_errors:
        return report.build_errors[0].message
    return report.reason or report.outcome.value
