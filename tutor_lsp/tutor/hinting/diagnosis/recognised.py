"""Which known mistake a learner's code makes that comes to the same as some of them."""

import asyncio
from collections.abc import Collection, Sequence

from tutor_lsp.authoring.locating.compared import contradicted
from tutor_lsp.core.exercise.diagnosis import agreed
from tutor_lsp.core.exercise.exercise import Unit, sharing
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.language.syntax import Token
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.languages.common.syntax import body_of, parse
from tutor_lsp.languages.registry import dialect
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.hinting.diagnosis.known import known_mistakes
from tutor_lsp.tutor.services.services import Services


async def recognised(
    services: Services, opened: OpenExercise, unit: Unit, texts: Files, names: Collection[str]
) -> Mistake | None:
    """The mistake among those of these `names` that a unit's code makes in these texts; None where
    they are of several tags, or the code is wrong in another place than they are."""
    if not names:
        return None
    mistakes = (await known_mistakes(services, opened)).get(unit.id, ())
    mine = [each for each in mistakes if each.name in names]
    if agreed(mine) is None:
        return None
    return await asyncio.to_thread(_fitting, opened, unit, texts, mine)


def _fitting(
    opened: OpenExercise, unit: Unit, texts: Files, mistakes: Sequence[Mistake]
) -> Mistake | None:
    own = _tokens(opened, unit, texts.get(unit.file, ""))
    right = _tokens(opened, unit, opened.vault.solution.get(unit.file, ""))
    for mistake in mistakes:
        if not contradicted(own, right, _tokens(opened, unit, mistake.code)):
            return mistake
    return None


def _tokens(opened: OpenExercise, unit: Unit, text: str) -> tuple[Token, ...]:
    """Those of a unit's function in a text; none where it has several, or others share its file."""
    parsed = parse(text, dialect(opened.exercise.language).grammar)
    if unit.aside is not None:
        return () if sharing(opened.exercise.units, unit) else parsed.tokens
    site = site_of(opened.toolchain, text, unit.stub)
    return () if site is None else body_of(parsed, site)
