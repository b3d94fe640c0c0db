"""The steps of a program up to a learner's first wrong answer, once they have guessed twice."""

import asyncio
from collections.abc import Mapping

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Unit, UnitKind
from tutor_lsp.core.exercise.report import TestOutcome, TestReport
from tutor_lsp.core.language.predictions import Answer
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.core.text.plain_text import fenced
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.common.predict.program import program_files, right_values
from tutor_lsp.languages.common.predict.settle import asked
from tutor_lsp.languages.common.predict.trace import (
    lines_of,
    run_traced,
    steps_in,
    told_values,
    traced_files,
    without,
)
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.coach.predicted import unmet

GUESSES = 2
"""Wrong texts that were checked, from which on the way to the answer is shown."""
LIMIT_S = 20.0


async def trace_for(
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    report: TestReport | None,
    texts: Mapping[str, str],
) -> str:
    """What leads to the first wrong answer of a unit, as Markdown; empty where nothing does: for
    other kinds, before two guesses, and where it cannot be run in time."""
    progress = opened.session.progress.get(unit.id)
    tried = progress is not None and len(progress.failing_texts) >= GUESSES
    if unit.kind is not UnitKind.PREDICT or not tried or report is None:
        return ""
    wrong = {t.name for t in report.tests if t.outcome is TestOutcome.FAILED and t.unit == unit.id}
    test = next((name for name in unit.tests if name in wrong), None)
    aside = next((each for each in opened.exercise.aside if each.file == unit.file), None)
    if test is None or aside is None or not opened.session.trusted:
        return ""
    placed = await trials.base(opened, texts)
    program = program_files(placed, {each.file for each in opened.exercise.units})
    try:
        names = (await asyncio.to_thread(asked, opened.toolchain, aside, placed)).uses.get(test, ())
        files = await asyncio.to_thread(traced_files, opened.toolchain, placed, program, unit, test)
        async with asyncio.timeout(LIMIT_S), trials.holding(opened, files) as folder:
            every = opened.exercise.aside
            raw = await run_traced(opened.toolchain, folder, every, test, RunLimits())
    except (TimeoutError, TutorError):
        return ""
    steps = steps_in(raw.output) if raw is not None else []
    if raw is None or not steps:
        return ""
    right = await asyncio.to_thread(_right, opened, unit)
    shown = without(steps, told_values(raw, right), [placed[file] for file in program])
    about = ", ".join(f"`{name}`" for name in names) or f"`{unit.stub}`"
    head = t(f"What the program does on the way to {about}, line by line:")
    return f"{head}\n\n{fenced(lines_of(shown, placed), 'text')}"


def _right(opened: OpenExercise, unit: Unit) -> list[Answer]:
    """The values that a trace for a unit must not have: its own, and those that other units still
    ask for. Blocks: parses."""
    files = dict.fromkeys(
        (unit.file, *(u.file for u in unmet(opened.exercise.units, opened.session)))
    )
    texts = (opened.vault.solution.get(file, "") for file in files)
    return [each for text in texts for each in right_values(opened.exercise.language, text)]
