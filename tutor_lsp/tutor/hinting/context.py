"""What coach and reviewer are told, read from session and texts at call time."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.exercise.report import TestReport
from tutor_lsp.core.ports import Backend
from tutor_lsp.core.session import Session
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise

if TYPE_CHECKING:
    from tutor_lsp.stages.backends.select import Choice
    from tutor_lsp.tutor.app import App


def tutor_name(app: "App", session: Session | None) -> str:
    """Who is to coach and review: the backend named in the settings, else the exercise's maker."""
    from tutor_lsp.stages.backends.select import AUTO, LIBRARY

    setting = app.settings.backend
    if setting != AUTO:
        return setting
    return session.backend if session is not None else LIBRARY


async def tutoring_backend(app: "App", opened: OpenExercise) -> Backend:
    """Who coaches and reviews: the backend named in the settings, else the model that made the
    exercise; the author's hints where neither can be used, which is said once.
    """
    wanted = tutor_name(app, opened.session)
    choice = await _tutor(app, wanted)
    if choice.name != wanted:
        app.say_once(choice.why)
    return app.backends.get(str(choice.name)) or app.backends.library


async def answers_questions(app: "App", session: Session | None) -> bool:
    """Whether a model would be asked if the learner asks a question in this session."""
    from tutor_lsp.stages.backends.select import LIBRARY

    return (await _tutor(app, tutor_name(app, session))).name != LIBRARY


async def _tutor(app: "App", wanted: str) -> "Choice":
    from tutor_lsp.stages.backends.select import LIBRARY, choose_tutor

    asked = [] if wanted == LIBRARY else [wanted]
    return choose_tutor(await app.backends.states(asked), named=wanted)


@asynccontextmanager
async def working(app: "App", backend: Backend, title: str) -> AsyncIterator[None]:
    """Cancellable progress while a model is asked; nothing for what answers at once."""
    if not backend.needs_prompt:
        yield
        return
    shown = await app.frontend.progress(app.tasks.current(), title)
    ended = "canceled"
    try:
        shown.report(0, f"asking {backend.name}")
        yield
        ended = "completed"
    finally:
        shown.done(ended)


async def tutoring_context(
    app: "App",
    opened: OpenExercise,
    *,
    report: TestReport | None,
    older: bool = False,
    texts: Mapping[str, str] | None = None,
) -> Any:
    """A stages.tutoring.TutoringContext, of now or of the texts that an attempt ran on; `older` if
    the report is about another text than that."""
    stages = await app.load("tutor_lsp.stages.tutoring")
    subject = await app.load("tutor_lsp.stages.subject")
    session = opened.session
    # The coach asks what changed since the last attempt, the reviewer since the one before this.
    this = report if texts is not None else None
    texts = opened.texts() if texts is None else texts
    node = app.curriculum.node(session.node)
    record, before = await app.db(
        lambda tx: (
            tx.node(session.language, session.node),
            tx.events(session=session.id, kind="attempt"),
        )
    )
    return stages.TutoringContext(
        exercise=opened.exercise,
        vault=opened.vault,
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
        node=subject.NodeBrief.of_node(node, app.curriculum) if node is not None else None,
        learner=subject.LearnerState(
            mastery=record.mastery,
            tags={tag: kept.count for tag, kept in record.tags.items()},
            challenge=session.challenge,
        ),
        session_id=session.id,
        now=app.now,
    )


def _texts_before(
    attempts: list[dict[str, Any]], report: TestReport | None
) -> dict[str, str] | None:
    """The learner's files of the last attempt before this report, None if there was none."""
    run = report.run_id if report is not None else None
    earlier = [item["data"] for item in attempts if item["data"].get("runId") != run]
    return dict(earlier[-1]["files"]) if earlier and "files" in earlier[-1] else None
