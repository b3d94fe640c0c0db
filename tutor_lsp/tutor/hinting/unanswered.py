"""What is said to a question that nobody can answer."""

from collections.abc import Mapping
from typing import Any, Literal

from tutor_lsp.core.exercise.mistakes import Diagnosis
from tutor_lsp.core.text.translation import t
from tutor_lsp.stages.plain_hint import facts_of
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.hinting.context import tutoring_backend
from tutor_lsp.tutor.ide.view import UnitView
from tutor_lsp.tutor.interface.results import AskResult
from tutor_lsp.tutor.services.services import Services


async def unanswered(
    services: Services,
    opened: OpenExercise,
    item: UnitView,
    tutoring: Mapping[str, Any],
    known: Diagnosis | None,
    older: str,
) -> AskResult:
    """Why there is no answer, with what is sure: a known mistake, and the last run, which `older`
    introduces if it is about another text. Uses up no hint."""
    voice = services.frontend.abilities.voice
    backend = await tutoring_backend(services, opened)
    reason: Literal["NO_MODEL", "NO_ANSWER"] = "NO_ANSWER"
    why = t(f"{backend.name} gave no answer that could be verified. Ask again, or in other words.")
    if not backend.is_model:
        reason = "NO_MODEL"
        why = t(
            "Your question needs a model to answer it: tutor.doctor shows which are available, "
            "the setting tutor.backend names one."
        )
    told = f"{t(older or 'From the last run:')} {facts_of(tutoring, opened.session.language)}"
    if tutoring["run"] is None:
        told = voice.ours(t("No tests have run yet: tutor.check runs them."))
    if known is not None and known.sure:
        told = f"{known.says} {told}"
    return AskResult(
        item.unit.id,
        item.hint.level if item.hint is not None else 1,
        f"{voice.ours(why)} {told}",
        None,
        verified=False,
        answers_questions=backend.is_model,
        title=t(f"Your question · {item.unit.id} {item.unit.stub}"),
        stub=item.unit.stub,
        answered=False,
        reason=reason,
    )
