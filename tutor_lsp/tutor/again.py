"""Going on with an exercise whose folder is there already, instead of making another copy."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import Event, Session
from tutor_lsp.tutor.advice import LOOK_S
from tutor_lsp.tutor.decision import Continue
from tutor_lsp.tutor.how_far import standings
from tutor_lsp.tutor.jobs import Job
from tutor_lsp.tutor.lazy import is_exercise
from tutor_lsp.tutor.opened import OpenExercise
from tutor_lsp.tutor.ready import (
    job_failed,
    ready_payload,
    show_when_ready,
    tell_what_is_missing,
)

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import StartArguments


@dataclass(frozen=True, slots=True)
class Started:
    """`tutor.start`: the job goes on; `tutor/sessionReady` or `tutor/sessionFailed` follows."""

    job_id: str
    node: str | None
    language: str
    depth: str


async def begun_before(app: "App", language: str, node: str) -> Session | None:
    """The newest session of a topic if it is not passed and its folder is there, else None.

    A session of before the last pass is history and is never taken up again. Own topics may have
    the same id in several languages.
    """
    sessions = await app.db(lambda tx: tx.sessions())
    mine = sorted(
        (each for each in sessions if (each.language, each.node) == (language, node)),
        key=lambda session: session.created_at,
        reverse=True,
    )
    for session in mine:
        if session.passed:
            return None
        if not session.challenge and await asyncio.to_thread(is_exercise, Path(session.workspace)):
            return session
    return None


def wants_new(arguments: "StartArguments") -> bool:
    """Whether a start says more than a topic, so that only an exercise made for it will do."""
    said = (arguments.depth, arguments.backend)
    return arguments.fresh or arguments.challenge or any(said)


async def go_on_if_begun(app: "App", arguments: "StartArguments", language: str, node: str) -> None:
    """Raise Continue with the exercise of a topic that is in progress, unless the start asks for
    something new.
    """
    there = None if wants_new(arguments) else await begun_before(app, language, node)
    if there is not None:
        raise Continue(there.id, await in_progress(app, there))


async def tell_if_begun(app: "App", language: str, node: str) -> None:
    """Say that a topic which was named gets a new folder beside the exercise in progress."""
    there = await begun_before(app, language, node)
    if there is not None and there.ended_at is None:
        app.frontend.message(
            f"“{there.title}” stays as you left it (tutor.resume goes on with it): "
            "this is a new exercise."
        )


async def in_progress(app: "App", session: Session) -> str:
    """What to tell about a session that is gone on with."""
    _, stands = (await standings(app, [session])).get(session.id, (None, None))
    far = f" ({stands.units_words})" if stands is not None and stands.units else ""
    return f"You have “{session.title}” in progress{far}: going on with it."


async def reopen(
    app: "App", session: Session, job: Job | None
) -> tuple[OpenExercise, dict[str, Any]]:
    """Make a session the active one; its record, texts and attempts stay. `tutor/sessionReady` is
    sent and returned; the `job` that does this, if one does, is done by then. Raises TutorError
    `NO_WORKSPACE`, `BROKEN_EXERCISE`, `STORE`.
    """
    opened = await app.open_session(session)

    def work(tx: Transaction) -> Session:
        current = tx.session(session.id) or session
        if current.ended_at is not None:
            current = replace(current, ended_at=None, updated_at=app.now())
            tx.put_session(current)
        tx.set_active(session.id)
        tx.log(Event("session-resumed", {}, session.id))
        return current

    opened.session = await app.db(work)
    payload = ready_payload(opened, job.id if job is not None else None)
    if job is not None:
        job.succeed(session.id)
    app.frontend.exercise_opened(opened.root / opened.exercise.units[0].file)
    app.frontend.notify("tutor/sessionReady", payload)
    app.frontend.exercise_changed(opened)
    return opened, payload


def begin_again(app: "App", session: Session, why: str) -> Started:
    """Open a session as a job, as a set-up would, and say why in a plain sentence."""

    async def work(job: Job) -> None:
        job.committed = True
        try:
            opened, _ = await reopen(app, session, job)
        except TutorError as error:
            job_failed(app, job, error)
            raise
        app.frontend.message(why)
        await tell_what_is_missing(app, opened, LOOK_S)
        app.tasks.spawn(show_when_ready(app, opened, 0.0), "show an exercise")

    job = Job(app.new_id(), session.title, session.node, session.language)
    app.jobs.start(job, work)
    return Started(job.id, session.node, session.language, session.depth)
