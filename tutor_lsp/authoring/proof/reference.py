"""Step `reference`: somebody who sees what the learner sees can pass every test. Pure."""

from collections.abc import Mapping
from typing import Protocol

from tutor_lsp.authoring.proof.literals import known_of, only_the_test_knows
from tutor_lsp.authoring.proof.trial import EXECUTED, Trial, not_executed, said, why
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, RawTest, RunOutcome, TestOutcome


class Solver(Protocol):
    """Writes a reference; raises what ends the set-up."""

    @property
    def accepts(self) -> Mapping[str, str]:
        """The domains that came with the last reference, by the unit's id."""

    async def blind(self, report: RawReport | None = None) -> Mapping[str, str]:
        """From lesson and starter alone: the full text of each stub file. `report` is that of an
        earlier one which did not build: only what the compiler said may be used of it."""

    async def informed(self, report: RawReport) -> Mapping[str, str]:
        """Once more, with the tests and what became of the blind solution."""


def holds(report: RawReport, stubs: RawReport) -> bool:
    """Whether a reference passes every test that was collected on the stubs."""
    passed = {test.name for test in report.tests if test.outcome is TestOutcome.PASSED}
    return report.outcome is RunOutcome.PASSED and passed >= {test.name for test in stubs.tests}


def check(trial: Trial, report: RawReport, stubs: RawReport) -> list[ProofFinding]:
    """What a reference that was given does not pass."""
    found = not_executed("reference", "the reference", report)
    if report.outcome not in EXECUTED:
        return found
    outcomes = {test.name: test for test in report.tests}
    for name in dict.fromkeys([*(test.name for test in stubs.tests), *outcomes]):
        test = outcomes.get(name)
        if test is None:
            text = f"The test `{name}` is not collected with the reference."
            found.append(trial.at_test("reference", text, name))
        elif test.outcome is not TestOutcome.PASSED:
            text = f"The reference does not pass `{name}`{why(test)}."
            found.append(trial.at_test("reference", text, name, test))
    return found


def check_solved(
    trial: Trial, blind: RawReport, informed: RawReport, stubs: RawReport
) -> list[ProofFinding]:
    """What the blind solution did not pass, and why: the contract says too little where the
    informed one passes, else the tests contradict themselves."""
    if informed.outcome not in EXECUTED:
        return not_executed("reference", "the reference", informed)
    after = {test.name: test for test in informed.tests}
    before = {test.name: test for test in blind.tests}
    found: list[ProofFinding] = []
    for name in dict.fromkeys([*(test.name for test in stubs.tests), *after]):
        last, first = after.get(name), before.get(name)
        if last is None:
            text = f"The test `{name}` is not collected with the reference."
            found.append(trial.at_test("reference", text, name))
        elif last.outcome is not TestOutcome.PASSED:
            text = (
                f"The test `{name}` cannot be passed: a solver who had seen all tests and what "
                f"failed did not pass it either{why(last)}. The tests contradict each other or "
                "the contract."
            )
            found.append(trial.at_test("reference", text, name, last))
        elif first is not None and first.outcome is not TestOutcome.PASSED:
            found.append(_under_specified(trial, name, first))
    if blind.outcome is RunOutcome.BUILD_ERROR and not found:
        what = "what a solver wrote twice who saw lesson and starter"
        found += not_executed("reference", what, blind)
    return found


def _under_specified(trial: Trial, name: str, first: RawTest) -> ProofFinding:
    unit = trial.owner(name)
    stub = f"`{unit.stub}`" if unit else "its stub"
    failure = trial.toolchain.explain(first, trial.candidate.files, list(trial.stubs))
    literal = only_the_test_knows(failure.expected, known_of(trial))
    text = (
        f"Lesson and starter say too little about {stub}: a solver who saw only these did not "
        f"pass `{name}` ({failure.message})"
    )
    text += f"; only the test knows the value {literal}." if literal else "."
    if unit is None:
        return trial.at_test("reference", text, name, output=said(first))
    return trial.at_stub("reference", text, unit, said(first))


def missing(trial: Trial, impossible: int) -> list[ProofFinding]:
    """There is no reference and nobody to write one; `impossible` tests cannot be passed anyway."""
    count = len(trial.tests)
    text = (
        f"No reference solution is there, so nobody has shown that the {count} tests can be passed."
    )
    if impossible:
        text += f" At most {count - impossible} of them can."
    return [ProofFinding("reference", text)]
