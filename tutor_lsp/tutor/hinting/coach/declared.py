"""Whether a hint's code is the declaration that a unit asks for: put into its file, and run."""

import asyncio
from collections.abc import Mapping, Sequence

from tutor_lsp.core.exercise.declared import declares
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import TestOutcome
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies

MOST_PIECES = 3


async def passes_in_file(
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    found: Sequence[str],
    texts: Mapping[str, str],
    *,
    every: bool,
    limit_s: float,
) -> bool | None:
    """Whether a test of the unit, or `every` one, passes with one of these pieces as its file, that
    did not pass before; None if that is not known in time. Raises TutorError."""
    whole = [piece for piece in found if declares(piece, unit.stub, opened.lines)]
    if not whole:
        return False
    try:
        async with asyncio.timeout(limit_s):
            before = await _passing(trials, opened, unit, {}, texts)
            for piece in whole[:MOST_PIECES]:
                now = await _passing(trials, opened, unit, {unit.file: piece}, texts)
                if now >= set(unit.tests) if every else now - before:
                    return True
    except TimeoutError:
        return None
    return False if len(whole) <= MOST_PIECES else None


async def _passing(
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    files: Mapping[str, str],
    texts: Mapping[str, str],
) -> set[str]:
    report = await trials.run(opened, files, unit.tests, texts=texts)
    return {test.name for test in report.tests if test.outcome is TestOutcome.PASSED}
