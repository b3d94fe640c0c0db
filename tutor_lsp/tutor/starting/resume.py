"""Going on with an exercise whose folder is there already, instead of making another copy."""

import asyncio
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.exercise.standing import Progress, progress_of
from tutor_lsp.core.learner.mastery import open_tags
from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import Event, Session
from tutor_lsp.tutor.exercise.disk import read_disk
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.learner.advice import LOOK_S
from tutor_lsp.tutor.learner.how_far import kept_of, standings
from tutor_lsp.tutor.running.failures import as_tutor_error
from tutor_lsp.tutor.services.deferred_app import is_exercise
from tutor_lsp.tutor.services.jobs import Job
from tutor_lsp.tutor.starting.announce import (
    job_failed,
    ready_payload,
    show_when_ready,
    tell_what_is_missing,
)
from tutor_lsp.tutor.starting.decision import Continue

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
    for session in await _since_last_pass(app, language, node):
        if not session.challenge and await asyncio.to_thread(is_exercise, Path(session.workspace)):
            return session
    return None


async def _since_last_pass(app: "App", language: str, node: str) -> list[Session]:
    """The sessions of a topic, newest first."""
    sessions = await app.db(lambda tx: tx.sessions())
    mine = sorted(
        (each for each in sessions if (each.language, each.node) == (language, node)),
        key=lambda session: session.created_at,
        reverse=True,
    )
    return list(takewhile(lambda session: not session.passed, mine))


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


async def begin_named(app: "App", arguments: "StartArguments", language: str, node: str) -> None:
    """Before a topic that was named gets a new folder: raise Continue with an exercise of what is
    asked for in which nothing was done yet, else say that the one in progress stays.
    """
    if not arguments.fresh:
        for session in await _since_last_pass(app, language, node):
            if not _is_asked_for(session, arguments) or await _is_outdated(app, session):
                continue
            if await _is_untouched(app, session):
                raise Continue(
                    session.id,
                    f"You have not written anything in “{session.title}” yet: it is open again, "
                    "instead of one more copy.",
                )
    there = await begun_before(app, language, node)
    if there is not None and there.ended_at is None:
        app.frontend.message(
            f"“{there.title}” stays as you left it (tutor.resume goes on with it): "
            "this is a new exercise."
        )


def _is_asked_for(session: Session, arguments: "StartArguments") -> bool:
    return (
        session.challenge == arguments.challenge
        and arguments.depth in (None, session.depth)
        and arguments.backend in (None, "auto", session.backend)
    )


async def _is_outdated(app: "App", session: Session) -> bool:
    """Whether a misconception came up since, so that a new lesson would have a section on it."""
    node = app.curriculum.node(session.node)
    if node is None:
        return False
    records = await app.db(lambda tx: tx.nodes(session.language))
    topics = [each.id for each in (node, *app.curriculum.requirements(node.id))]
    return any(
        record.tags[tag].last_at > session.created_at
        for record in (records[topic] for topic in topics if topic in records)
        for tag in open_tags(record)
    )


async def _is_untouched(app: "App", session: Session) -> bool:
    """Whether nothing was done in an exercise: no file of it differs from what was given, and none
    was added. One that would ask before it runs is as good as gone."""
    if not session.trusted or progress_of(session) is not Progress.NOT_BEGUN:
        return False
    kept = (await kept_of(app, [session])).get(session.id)
    toolchain = app.toolchains.get(session.language)
    if kept is None or toolchain is None:
        return False
    exercise, given = kept[0], kept[1].originals
    root = Path(session.workspace)
    if not await asyncio.to_thread(is_exercise, root):
        return False
    found = (await asyncio.to_thread(read_disk, root, exercise.files, toolchain)).found
    wanted = {file: given.get(file) for file in exercise.files if file != LESSON}
    return not found.odd and found.texts == wanted


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
        except Exception as raised:
            job_failed(app, job, as_tutor_error(raised, f"Opening “{session.title}”"))
            raise
        app.frontend.message(why)
        await tell_what_is_missing(app, opened, LOOK_S)
        app.tasks.spawn(show_when_ready(app, opened, 0.0), "show an exercise")

    job = Job(app.new_id(), session.title, session.node, session.language)
    app.jobs.start(job, work)
    return Started(job.id, session.node, session.language, session.depth)
