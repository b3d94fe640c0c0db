"""Whether the traces that lead learners to their first wrong answer can be made, and keep it."""

import asyncio
from collections.abc import Mapping

from tutor_lsp.authoring.predict.checks import asking, others, program_of
from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.exercise.exercise import Unit, asides
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import TestOutcome
from tutor_lsp.languages.common.predict.program import right_values
from tutor_lsp.languages.common.predict.trace import (
    run_traced,
    same,
    steps_in,
    told_values,
    traced_files,
    without,
)
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.common.proof.placing import put_files


async def check_traces(
    trial: Trial, bench: Bench, solution: Mapping[str, str]
) -> list[ProofFinding]:
    """A finding for each test of whose program no step can be told."""
    found: list[ProofFinding] = []
    for unit in asking(trial.units):
        for test in unit.tests:
            found += await _of_test(trial, bench, solution, unit, test)
    return found


async def _of_test(
    trial: Trial, bench: Bench, solution: Mapping[str, str], unit: Unit, test: str
) -> list[ProofFinding]:
    solved = trial.solved(solution)
    right = right_values(trial.dialect.language, solution.get(unit.file, ""))
    for text in others(trial, unit, solution.get(unit.file, "")):
        files = {**solved, unit.file: text}
        program = program_of(trial)
        placed = await asyncio.to_thread(traced_files, trial.toolchain, files, program, unit, test)
        folder = bench.folder / "traced"
        await put_files(folder, placed)
        aside = asides(trial.units, trial.candidate.files)
        ran = await run_traced(trial.toolchain, folder, aside, test, bench.limits)
        if ran is None or ran.outcome is TestOutcome.PASSED:
            continue  # another answer is the wrong one
        steps = steps_in(ran.output)
        if not steps:
            said = (
                f"No step of the program can be told for `{test}`, to lead a learner to a wrong "
                "answer: let it give its result by names that its lines change."
            )
            return [trial.at_test("reference", said, test, output=ran.error or "")]
        values = told_values(ran, right)
        shown = without(steps, values, [solved[file] for file in program])
        if any(same(shown[-1].value, value) for value in values):
            said = f"The last step that is told for `{test}` is the answer itself."
            return [trial.at_test("giveaway", said, test)]
        return []
    said = f"No wrong answer fails `{test}`."
    return [trial.at_test("stubs", said, test)]
