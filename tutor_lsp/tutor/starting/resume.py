"""Resuming an exercise whose folder already exists, instead of making another copy."""

import asyncio
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.exercise.standing import Progress, progress_of
from tutor_lsp.core.learner.mastery import open_tags
from tutor_lsp.core.session import Event, Session
from tutor_lsp.core.text.translation import t
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise.folder.disk import read_disk
from tutor_lsp.tutor.exercise.folder.marker import is_exercise
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.interface.arguments import StartArguments
from tutor_lsp.tutor.interface.notifications import SessionReady
from tutor_lsp.tutor.interface.results import Started
from tutor_lsp.tutor.learner.standings import kept_of, standings
from tutor_lsp.tutor.services.failures import as_tutor_error
from tutor_lsp.tutor.services.jobs import Job
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.starting.announce import job_failed, show_when_ready, tell_ready


class Continue(Exception):  # noqa: N818 - the learner's choice, not an error
    """The learner wants to resume a session instead."""

    def __init__(self, session: str, why: str) -> None:
        super().__init__(session)
        self.session = session
        self.why = why


async def begun_before(services: Services, language: str, node: str) -> Session | None:
    """The newest session of a topic if it is not passed and its folder is there, else None.

    A session of before the last pass is history and is never taken up again. Own topics may have
    the same id in several languages.
    """
    for session in await _since_last_pass(services, language, node):
        if not session.challenge and await asyncio.to_thread(is_exercise, Path(session.workspace)):
            return session
    return None


async def _since_last_pass(services: Services, language: str, node: str) -> list[Session]:
    """The sessions of a topic, newest first."""

    def read(tx: Transaction) -> list[Session]:
        return list(takewhile(lambda each: not each.passed, tx.sessions_of(language, node)))

    return await services.db(read)


def wants_new(arguments: StartArguments) -> bool:
    """Whether a start asks for more than a topic, so that only an exercise made for it will do."""
    said = (arguments.depth, arguments.backend)
    return arguments.fresh or arguments.challenge or any(said)


async def go_on_if_begun(
    services: Services, arguments: StartArguments, language: str, node: str
) -> None:
    """Raise Continue with the exercise of a topic that is in progress, unless the start asks for
    something new.
    """
    there = None if wants_new(arguments) else await begun_before(services, language, node)
    if there is None:
        return
    said = await in_progress(services, there)
    if services.frontend.abilities.terminal and (arguments.node or arguments.topic):
        # A row that was chosen says what it does; a name that was typed may have meant a new one.
        said += t(f' tutor.start with {{"node": "{node}", "fresh": true}} begins anew.')
    raise Continue(there.id, said)


async def begin_named(
    services: Services, arguments: StartArguments, language: str, node: str
) -> None:
    """Before a topic that was named gets a new folder: raise Continue with an exercise of what is
    asked for in which nothing was done yet, else say that the one in progress stays.
    """
    if not arguments.fresh:
        for session in await _since_last_pass(services, language, node):
            if not _is_asked_for(session, arguments) or await _is_outdated(services, session):
                continue
            if await _is_untouched(services, session):
                raise Continue(
                    session.id,
                    t(
                        f"You have not written anything in “{session.title}” yet, so it is open "
                        "again instead of another copy."
                    ),
                )
    there = await begun_before(services, language, node)
    if there is not None and there.ended_at is None:
        services.frontend.message(
            f"“{there.title}” stays as you left it: this is a new exercise. tutor.resume with "
            f'{{"session": "{there.id[:8]}"}} continues the other.'
        )


def _is_asked_for(session: Session, arguments: StartArguments) -> bool:
    return (
        session.challenge == arguments.challenge
        and arguments.depth in (None, session.depth)
        and arguments.backend in (None, "auto", session.backend)
    )


async def _is_outdated(services: Services, session: Session) -> bool:
    """Whether a misconception came up since, so that a new lesson would have a section on it."""
    node = services.curriculum.node(session.node)
    if node is None:
        return False
    records = await services.db(lambda tx: tx.nodes(session.language))
    topics = [each.id for each in (node, *services.curriculum.requirements(node.id))]
    return any(
        record.tags[tag].last_at > session.created_at
        for record in (records[topic] for topic in topics if topic in records)
        for tag in open_tags(record)
    )


async def _is_untouched(services: Services, session: Session) -> bool:
    """Whether nothing was written in an exercise: no file of it differs from what was given, and
    none was added. One that would ask before it runs does not count."""
    # Who only took hints has not begun to write: another copy would be the same without them.
    unhinted = replace(session, hints=())
    if not session.trusted or progress_of(unhinted) is not Progress.NOT_BEGUN:
        return False
    kept = (await kept_of(services, [session])).get(session.id)
    toolchain = services.toolchains.get(session.language)
    if kept is None or toolchain is None:
        return False
    exercise, given = kept[0], kept[1].originals
    root = Path(session.workspace)
    if not await asyncio.to_thread(is_exercise, root):
        return False
    found = (await asyncio.to_thread(read_disk, root, exercise.files, toolchain)).found
    wanted = {file: given.get(file) for file in exercise.files if file != LESSON}
    return not found.odd and found.texts == wanted


async def in_progress(services: Services, session: Session) -> str:
    """The message about a resumed session."""
    _, stands = (await standings(services, [session])).get(session.id, (None, None))
    far = f" ({stands.units_words})" if stands is not None and stands.units else ""
    return t(f"You have “{session.title}” in progress{far}: continuing it.")


async def reopen(
    exercises: OpenExercises, session: Session, job: Job | None
) -> tuple[OpenExercise, SessionReady]:
    """Make a session the active one; its record, texts and attempts stay. `tutor/sessionReady` is
    sent and returned; the `job` that does this, if one does, is done by then. Raises TutorError
    `NO_WORKSPACE`, `BROKEN_EXERCISE`, `STORE`.
    """
    services = exercises.services
    opened = await exercises.open_session(session)

    def work(tx: Transaction) -> Session:
        current = tx.session(session.id) or session
        if current.ended_at is not None:
            current = replace(current, ended_at=None, updated_at=services.now())
            tx.put_session(current)
        tx.set_active(session.id)
        tx.log(Event("session-resumed", {}, session.id))
        return current

    opened.session = await services.db(work)
    return opened, tell_ready(services, opened, job)


def begin_again(exercises: OpenExercises, session: Session, why: str) -> Started:
    """Open a session as a job, as a set-up would, and say why in one sentence."""

    services = exercises.services

    async def work(job: Job) -> None:
        job.committed = True
        try:
            opened, _ = await reopen(exercises, session, job)
        except Exception as raised:
            job_failed(services, job, as_tutor_error(raised, f"Opening “{session.title}”"))
            raise
        services.frontend.message(why)
        await show_when_ready(services, opened, 0.0)

    job = Job(services.new_id(), session.title, session.node, session.language)
    services.jobs.start(job, work)
    title = services.curriculum.title_of(session.node)
    return Started(job.id, session.node, session.language, session.depth, title=title)
