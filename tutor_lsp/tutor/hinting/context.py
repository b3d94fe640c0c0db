"""The context that coach and reviewer receive, read from session and texts at call time."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from tutor_lsp.core.exercise.report import TestReport
from tutor_lsp.core.ports import Backend
from tutor_lsp.core.text.spoken_language import answer_language
from tutor_lsp.stages.subject import LearnerState, NodeBrief
from tutor_lsp.stages.tutoring import TutoringContext
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.register import tutor_name
from tutor_lsp.tutor.hinting.coach.predicted import without_values
from tutor_lsp.tutor.hinting.tutor_choice import tutor_choice
from tutor_lsp.tutor.services.services import Services


async def tutoring_backend(services: Services, opened: OpenExercise) -> Backend:
    """The backend that coaches and reviews: the one named in the settings, else the model that made
    the exercise; the author's hints if neither can be used, which is reported once.
    """
    wanted = tutor_name(services, opened.session)
    choice = await tutor_choice(services, wanted)
    if choice.name != wanted:
        services.say_once(choice.why)
    return services.backends.get(str(choice.name)) or services.backends.library


@asynccontextmanager
async def working(
    services: Services, backend: Backend, title: str
) -> AsyncIterator[Callable[[str], None]]:
    """Cancellable progress while a model is asked, and how to say what is done now; nothing for
    what answers at once."""
    if not backend.needs_prompt:
        yield lambda _: None
        return
    shown = await services.frontend.progress(services.tasks.current(), title)
    ended = "canceled"
    try:
        shown.report(0, f"asking {backend.name}")
        yield lambda done: shown.report(0, done)
        ended = "completed"
    finally:
        shown.done(ended)


async def tutoring_context(
    services: Services,
    opened: OpenExercise,
    *,
    report: TestReport | None,
    older: bool = False,
    texts: Mapping[str, str] | None = None,
) -> TutoringContext:
    """What a stage is told of now, or of the texts that an attempt ran on; `older` if the report is
    about another text than that."""
    session = opened.session
    # The coach asks what changed since the last attempt, the reviewer since the one before this.
    this = report if texts is not None else None
    texts = opened.texts() if texts is None else texts
    node = services.curriculum.node(session.node)
    known = without_values(opened.vault, opened.exercise.units, session)
    record, before = await services.db(
        lambda tx: (
            tx.node(session.language, session.node),
            tx.events(session=session.id, kind="attempt"),
        )
    )
    return TutoringContext(
        exercise=opened.exercise,
        vault=replace(opened.vault, solution=known),
        texts=texts,
        report=report,
        older=older,
        attempt_texts=_texts_before(before, this),
        hints=session.hints,
        contracts={
            unit.id: f"{site.comment or ''}\n{site.signature}".strip()
            for unit in opened.exercise.units
            if (site := opened.starter_site(unit)) is not None
        },
        node=NodeBrief.of_node(node, services.curriculum) if node is not None else None,
        learner=LearnerState(
            mastery=record.mastery,
            tags={tag: kept.count for tag, kept in record.tags.items()},
            challenge=session.challenge,
        ),
        answer_language=answer_language(services.settings.answer_language),
        reader=opened.toolchain,
        session_id=session.id,
        now=services.now,
    )


def _texts_before(
    attempts: list[dict[str, Any]], report: TestReport | None
) -> dict[str, str] | None:
    """The learner's files of the last attempt before this report, None if there was none."""
    run = report.run_id if report is not None else None
    earlier = [item["data"] for item in attempts if item["data"].get("runId") != run]
    return dict(earlier[-1]["files"]) if earlier and "files" in earlier[-1] else None
