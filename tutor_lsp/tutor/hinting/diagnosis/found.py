"""All that is found out about a unit that fails, for its hint."""

import asyncio
from dataclasses import dataclass, replace

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.mistakes import Diagnosis
from tutor_lsp.core.exercise.report import Remark, TestReport
from tutor_lsp.core.ports import Files
from tutor_lsp.process.priority import behind_all_else
from tutor_lsp.stages.tutoring import TutoringContext
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.diagnosis.diagnose import PATIENCE_S, diagnose, runs_of
from tutor_lsp.tutor.hinting.diagnosis.known import known_mistakes
from tutor_lsp.tutor.hinting.diagnosis.unsure import NOTHING, Unsure, unsure
from tutor_lsp.tutor.hinting.diagnosis.valued import Value, value_in_condition
from tutor_lsp.tutor.hinting.diagnosis.warned import fails, warnings_about
from tutor_lsp.tutor.services.services import Services


@dataclass(frozen=True, slots=True)
class Found:
    """`known` is the mistake that the code makes, where that is sure, or else where it is wrong;
    `warned` is what is suspicious in it, `value` what it gave where the test does not say that, and
    `shorter` a fact about a shorter call than the test's."""

    known: Diagnosis | None = None
    warned: tuple[Remark, ...] = ()
    value: Value | None = None
    shorter: str = ""

    def put_into(self, context: TutoringContext) -> TutoringContext:
        """The context of a hint with it."""
        if self.known is not None:
            context = replace(context, diagnoses={self.known.unit: self.known})
        if self.value is not None and context.report is not None:
            context = replace(context, report=self.value.told(context.report))
        return replace(context, warnings=self.warned, shorter=self.shorter)


NOTHING_FOUND = Found()


async def found_out(
    services: Services,
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    texts: Files,
    report: TestReport | None,
    *,
    patience_s: float = PATIENCE_S,
) -> Found:
    """What is known of a unit in these texts; `report` is what is known of them. What has to be run
    for it is waited for with `patience_s`."""
    given = (services, trials, opened, unit, texts, report)
    until = asyncio.get_running_loop().time() + patience_s

    async def known_or_not() -> tuple[Diagnosis | None, Unsure]:
        known = await diagnose(*given, patience_s=patience_s)
        left = max(until - asyncio.get_running_loop().time(), 0)
        return known, NOTHING if known is not None else await unsure(*given, left)

    value, (known, other), warned = await asyncio.gather(
        value_in_condition(*given, patience_s),
        known_or_not(),
        warnings_about(*given, patience_s),
    )
    return Found(known or other.located, warned, value, other.shorter)


async def look_beside(
    services: Services, trials: ShadowCopies, opened: OpenExercise, texts: Files, report: TestReport
) -> None:
    """Begin what a hint on a failing run would have to wait for: of the first unit that fails, or
    of all if nothing ran. Nothing on battery."""
    if await trials.saves_power():
        return
    units = [unit for unit in opened.exercise.units if fails(unit, report)][:1]
    with behind_all_else():
        for unit in units or opened.exercise.units:
            await found_out(services, trials, opened, unit, texts, report, patience_s=0)


async def learn(services: Services, trials: ShadowCopies, opened: OpenExercise) -> None:
    """Begin what takes longest to know of an exercise, so that it is known when something fails: a
    hint would not wait for it. Nothing on battery."""
    if not await trials.saves_power():
        runs = await runs_of(services, trials, opened)
        with behind_all_else():
            await runs.known(opened, await known_mistakes(services, opened))
