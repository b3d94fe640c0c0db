"""Step `reference`: whoever sees what the learner sees can pass every test. Pure."""

from tutor_lsp.authoring.proof.literals import known_of, only_the_test_knows
from tutor_lsp.authoring.proof.trial import Trial, not_executed, test_output, why
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, RawTest, RunOutcome, TestOutcome


def holds(report: RawReport, stubs: RawReport) -> bool:
    """Whether a reference passes every test that was collected on the stubs."""
    passed = {test.name for test in report.tests if test.outcome is TestOutcome.PASSED}
    return report.outcome is RunOutcome.PASSED and passed >= {test.name for test in stubs.tests}


def check(
    trial: Trial, report: RawReport, stubs: RawReport, blind: RawReport | None = None
) -> list[ProofFinding]:
    """Tests that a reference does not pass.

    `blind` is the run of a solver's first solution: the tests that only the second one passes show
    that the contract says too little, those that neither passes that they contradict themselves.
    """
    found = not_executed("reference", "the reference", report)
    if found:
        return found
    after = {test.name: test for test in report.tests}
    before = {} if blind is None else {test.name: test for test in blind.tests}
    for name in dict.fromkeys([*(test.name for test in stubs.tests), *after]):
        last, first = after.get(name), before.get(name)
        if last is None:
            text = f"The test `{name}` is not collected with the reference."
            found.append(trial.at_test("reference", text, name))
        elif last.outcome is not TestOutcome.PASSED:
            text = f"The reference does not pass `{name}`{why(last)}."
            if blind is not None:
                text = (
                    f"The test `{name}` cannot be passed: a solver who had seen all tests and what "
                    f"failed did not pass it either{why(last)}. The tests contradict each other or "
                    "the contract."
                )
            found.append(trial.at_test("reference", text, name, last))
        elif first is not None and first.outcome is not TestOutcome.PASSED:
            found.append(_under_specified(trial, name, first))
    if blind is not None and blind.outcome is RunOutcome.BUILD_ERROR and not found:
        what = "what a solver, who saw lesson and starter, wrote twice"
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
        return trial.at_test("reference", text, name, output=test_output(first))
    return trial.at_stub("reference", text, unit, test_output(first))


def missing(trial: Trial, impossible: int) -> list[ProofFinding]:
    """There is no reference and no solver; `impossible` tests cannot be passed anyway."""
    count = len(trial.tests)
    text = (
        f"There is no reference solution, so nobody has shown that the {count} tests can be passed."
    )
    if impossible:
        text += f" At most {count - impossible} of them can."
    return [ProofFinding("reference", text)]
