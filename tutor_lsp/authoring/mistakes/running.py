"""Running the mistakes that a model wrote, each in place of the reference."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof import mistakes
from tutor_lsp.authoring.proof.executor import Executor
from tutor_lsp.authoring.proof.trial import Trial, why
from tutor_lsp.core.exercise.exercise import Unit, asides
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.exercise.report import RawReport, TestOutcome
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.core.text.plain_text import clip_bytes
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.process.scratch import scratch_folder

GIVES_BYTES = 400
"""Most bytes of what is said of a run."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a mistake: its `fault`, "" if it holds, and what it `gives`."""

    unit: Unit
    mistake: Mistake
    fault: str
    gives: str


async def run_mistakes(
    trial: Trial, candidate: Candidate, limits: RunLimits, scratch: Path | None
) -> list[Ran]:
    """What came of the candidate's mistakes, in their order. Raises TutorError
    `TOOLCHAIN_MISSING`."""
    async with scratch_folder("mistakes", scratch) as folder:
        aside = asides(trial.units, candidate.files)
        executor = Executor(trial, Bench(trial.toolchain, folder, limits, aside=aside))
        reports = await executor.mistakes_alone(candidate.solution)
    return [
        Ran(each.unit, each.mistake, each.said, _gives(each.unit, reports.get(each.key)))
        for each in mistakes.judged(trial, reports)
    ]


def _gives(unit: Unit, report: RawReport | None) -> str:
    """The build's first error, or how the unit's first failing test ended."""
    if report is None:
        return ""
    errors = (*report.build_errors, *report.aside_errors)
    if errors:
        return clip_bytes(f"does not build: {errors[0].labelled}", GIVES_BYTES)
    ran: Mapping[str, str] = {
        test.name: f"{test.name}: {test.outcome.value}{why(test)}"
        for test in report.tests
        if test.outcome is not TestOutcome.PASSED
    }
    first = next((ran[name] for name in unit.tests if name in ran), report.reason or "")
    return clip_bytes(first, GIVES_BYTES)
