"""The mistakes that are known in an exercise. They are in the vault, as the reference is."""

import asyncio
from collections.abc import Mapping

from tutor_lsp.authoring.content import bundled_hash
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.trust_gate import is_allowed
from tutor_lsp.tutor.services.services import Services

Mistakes = Mapping[str, tuple[Mistake, ...]]


async def known_mistakes(services: Services, opened: OpenExercise) -> Mistakes:
    """Those of an exercise by unit: for records that have none, because they began before there
    were any or were imported, those of the library that the exercise is from."""
    if opened.mistakes is None:
        opened.mistakes = opened.vault.mistakes or await _of_library(services, opened.exercise)
    return opened.mistakes


async def _of_library(services: Services, exercise: Exercise) -> Mistakes:
    entry = await asyncio.to_thread(services.library.by_id, exercise.id)
    if entry is None:
        return {}
    try:
        bundled = await asyncio.to_thread(services.library.load, entry)
    except TutorError:
        return {}
    if not bundled.mistakes or not await is_allowed(services, bundled_hash(bundled)):
        return {}
    mine = {unit.id: (unit.stub, unit.file) for unit in exercise.units}
    same = {unit.id for unit in entry.units if mine.get(unit.id) == (unit.stub, unit.file)}
    return {unit: known for unit, known in bundled.mistakes.items() if unit in same}
