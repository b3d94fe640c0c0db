"""Which constructs that units are about the learner's code uses."""

from collections.abc import Callable, Sequence

from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.exercise.report import TestOutcome, TestReport, TestResult, Unpractised
from tutor_lsp.core.ports import Files, FunctionSite
from tutor_lsp.core.session import Session
from tutor_lsp.languages.practises import constructs, left_out


def unpractised(
    exercise: Exercise,
    texts: Files,
    functions: Callable[[str], Sequence[FunctionSite]],
    results: Sequence[TestResult],
) -> tuple[Unpractised, ...]:
    """The constructs that these texts do without in units that are about them and pass."""
    failing = {test.unit for test in results if test.outcome is not TestOutcome.PASSED}
    return tuple(
        Unpractised(unit.id, name, exercise.language)
        for unit in exercise.units
        if unit.id not in failing
        for name in left_out(exercise.language, unit, texts, functions)
    )


def practised(exercise: Exercise, session: Session, report: TestReport) -> dict[str, bool]:
    """The constructs that a passed exercise is about, each with whether the learner used it: none
    of a unit whose solution was shown. Empty where the run did not look."""
    if report.unpractised is None:
        return {}
    known = constructs(exercise.language)
    without = {(each.unit, each.construct) for each in report.unpractised}
    found: dict[str, bool] = {}
    for unit in exercise.units:
        progress = session.progress.get(unit.id)
        shown = progress is not None and progress.revealed
        for name in known.keys() & set(unit.practises):
            own = not shown and (unit.id, name) not in without
            found[name] = found.get(name, False) or own
    return found
