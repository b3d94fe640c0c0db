"""The search for the place where a unit's code is wrong, in the exercise's hidden copy."""

import asyncio
import contextlib
import shutil

from tutor_lsp.authoring.locating.trying import located
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof.trial import trial_of
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.mistakes import Place
from tutor_lsp.core.exercise.signatures import Signatures
from tutor_lsp.core.ports import Files, RunLimits
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.registry import dialect
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies

LIMIT_S = 6.0
"""Longest search for a place, in seconds; after that nothing is known of it."""


async def place_in(
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    texts: Files,
    candidate: Candidate,
    known: Signatures,
) -> Place | None:
    """Where a unit's function is wrong in these texts; None where changes of it do not tell, or not
    in time. Raises TutorError `TOOLCHAIN_MISSING`, `HOME`."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LIMIT_S):
            files = await trials.base(opened, texts)
            language = dialect(opened.exercise.language)
            trial = await asyncio.to_thread(trial_of, candidate, opened.toolchain, language)
            async with trials.holding(opened, files) as copy:
                folder = copy / "changes"
                try:
                    bench = Bench(opened.toolchain, folder, RunLimits())
                    solution = opened.vault.solution
                    return await located(trial, bench, solution, unit, texts, known)
                finally:
                    await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    return None
