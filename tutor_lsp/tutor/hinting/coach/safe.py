"""What of a text gives no solution away: of what does the rest is kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import TestOutcome, TestReport
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.coach.checks import HintFault, leak, leak_of_another
from tutor_lsp.tutor.hinting.coach.running import Known
from tutor_lsp.tutor.hinting.coach.sentences import only, sentences


@dataclass(frozen=True, slots=True)
class Leaks:
    """Looks at texts of one hint; what was run once is not run again."""

    trials: ShadowCopies
    opened: OpenExercise
    unit: Unit
    level: int
    texts: Mapping[str, str]
    report: TestReport | None
    known: Known = field(default_factory=dict)

    async def found(self, text: str, code: str | None) -> HintFault | None:
        """How a text with code gives a unit away, or None."""
        given = (self.trials, self.opened, self.unit, self.level, text, code, self.texts)
        fault = await leak(*given, self.known)
        if fault is not None:
            return fault
        for unit in self.others():
            more = (self.trials, self.opened, unit, text, code, self.texts, self.known)
            if (fault := await leak_of_another(*more)) is not None:
                return fault
        return None

    def others(self) -> list[Unit]:
        """The other units of which a test does not pass, or of which none is known to."""
        tests = self.report.tests if self.report is not None else ()
        passed = {test.name for test in tests if test.outcome is TestOutcome.PASSED}
        units = self.opened.exercise.units
        return [unit for unit in units if unit != self.unit and not passed.issuperset(unit.tests)]


async def safe(
    leaks: Leaks, text: str, code: str | None
) -> tuple[str, str | None, HintFault | None]:
    """Text and code without what gives a solution away, and why something is gone."""
    fault = await leaks.found(text, code)
    if fault is None:
        return text, code, None
    if code and await leaks.found("", code) is not None:
        code = None
    elif code and await leaks.found(text, None) is None:
        return text, None, fault  # it is in what the two say together
    kept = [said for said in sentences(text) if await leaks.found(said, None) is None]
    while kept:
        rest = only(text, set(kept).__contains__)
        if await leaks.found(rest, code) is None:
            return rest, code, fault
        kept.pop()
    return "", code, fault
