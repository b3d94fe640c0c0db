"""What the learner looks at first, before a check has ended: a build error, or the mark of the unit
that was edited."""

from collections.abc import Sequence

from tutor_lsp.core.exercise import standing
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.judge import judge
from tutor_lsp.core.exercise.missing_stub import at_their_stubs
from tutor_lsp.core.exercise.report import BuildError, RawReport, RawTest, RunOutcome
from tutor_lsp.core.exercise.snapshot import Found, readable
from tutor_lsp.core.ports import Early
from tutor_lsp.tutor.exercise import snapshots
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.services.services import Services


def early_results(services: Services, opened: OpenExercise, found: Found) -> Early:
    """Shows what a check of these texts finds first: that they do not build, or the results of the
    unit that was edited last, unless its sentences depend on a unit that may not pass.
    """
    unit = _edited(opened)
    tests = () if unit is None else unit.tests

    def show(early: standing.Early) -> None:
        opened.early = snapshots.checked(opened, found).hash, early
        services.frontend.exercise_changed(opened)

    def heard(raw: Sequence[RawTest]) -> None:
        texts = _texts(found)
        report = judge(
            RawReport(RunOutcome.FAILED, tuple(raw)),
            opened.as_checked(texts),
            texts,
            opened.stubs(texts),
            explain=opened.toolchain.explain,
            run_id="",
            only=tests,
        )
        show(standing.Early(tests=report.tests))

    def wrong(errors: Sequence[BuildError]) -> None:
        texts = _texts(found)
        told = at_their_stubs(errors, opened.as_checked(texts), texts, opened.stubs(texts))
        show(standing.Early(errors=told))

    return Early(frozenset(tests), heard, wrong)


def _texts(found: Found) -> dict[str, str]:
    return {file: readable(text) for file, text in found.texts.items()}


def _edited(opened: OpenExercise) -> Unit | None:
    """The unit that was edited last, where its sentences depend on nothing that may not pass."""
    exercise = opened.exercise
    unit = exercise.unit(opened.last_edited) if opened.last_edited is not None else None
    if unit is None or not unit.tests or unit.kind.on_request:
        return None
    needed = exercise.proof.needs.get(unit.id, ())
    passing = all(item.passed for item in opened.standing().units if item.unit.id in needed)
    return unit if passing else None
