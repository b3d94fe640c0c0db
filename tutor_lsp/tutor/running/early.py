"""The mark of the unit that was edited, before the rest of a check has ended."""

from collections.abc import Sequence

from tutor_lsp.core.exercise.judge import judge
from tutor_lsp.core.exercise.report import RawReport, RawTest, RunOutcome
from tutor_lsp.core.exercise.snapshot import Found, readable
from tutor_lsp.core.ports import Early
from tutor_lsp.tutor.exercise import snapshots
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.services.services import Services


def early_results(services: Services, opened: OpenExercise, found: Found) -> Early | None:
    """Shows the results of the unit that was edited last as soon as a check of these texts has
    them. None if no unit was edited, or its sentences depend on a unit that may not pass.
    """
    exercise = opened.exercise
    unit = exercise.unit(opened.last_edited) if opened.last_edited is not None else None
    if unit is None or not unit.tests:
        return None
    needed = exercise.proof.needs.get(unit.id, ())
    if not all(item.passed for item in opened.standing().units if item.unit.id in needed):
        return None

    def heard(tests: Sequence[RawTest]) -> None:
        texts = {file: readable(text) for file, text in found.texts.items()}
        report = judge(
            RawReport(RunOutcome.FAILED, tuple(tests)),
            opened.as_checked(texts),
            texts,
            opened.stubs(texts),
            explain=opened.toolchain.explain,
            run_id="",
            only=unit.tests,
        )
        opened.early = snapshots.checked(opened, found).hash, report.tests
        services.frontend.exercise_changed(opened)

    return Early(frozenset(unit.tests), heard)
