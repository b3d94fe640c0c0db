"""`tutor.sessions`, `tutor.resume` and `tutor.end`."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.standing import finished
from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import Event, NodeRecord, Session
from tutor_lsp.core.wire import to_wire
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.hinting.reveal import forget_comparisons
from tutor_lsp.tutor.learner.advice import LOOK_S, recommendations
from tutor_lsp.tutor.learner.how_far import standings
from tutor_lsp.tutor.learner.mastery import keep_end
from tutor_lsp.tutor.learner.status import session_view
from tutor_lsp.tutor.record.recover import said, take_up_lost
from tutor_lsp.tutor.starting.announce import show_exercise, tell_what_is_missing
from tutor_lsp.tutor.starting.resume import reopen

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import NoArguments


async def sessions(app: "App", arguments: "NoArguments") -> list[dict[str, Any]]:
    """All sessions, newest first; `missing` marks those whose folder is gone, `continues` those
    that can be gone on with: neither passed nor ended. `proven` is one line on what was executed
    (empty where there is no record of it). `folder`, `units` and `unitsPassing` tell those of one
    title apart."""

    def read(tx: Transaction) -> tuple[list[Session], str | None]:
        return tx.sessions(), tx.active()

    found, active = await app.db(read)
    known = await standings(app, found)
    missing = await asyncio.to_thread(
        lambda: {session.id for session in found if not Path(session.workspace).is_dir()}
    )
    listed = []
    for session in found:
        exercise, stands = known.get(session.id, (None, None))
        row = {
            **session_view(session, stands),
            "active": session.id == active,
            "missing": session.id in missing,
            "continues": not finished(session) and session.id not in missing,
            "folder": Path(session.workspace).name,
            "proven": exercise.proof.line if exercise is not None else "",
            "units": len(stands.units) if stands is not None else 0,
            "unitsPassing": stands.units_passing if stands is not None else 0,
        }
        listed.append(row)
    return listed


async def resume(app: "App", arguments: "NoArguments") -> dict[str, Any]:
    """Make a session the active one and show it: the one named, else the last that goes on."""
    if arguments.session is not None:
        session = await app.find_session(arguments.session)
    else:
        session = await _last_open(app)
    opened, payload = await reopen(app, session, None)
    await tell_what_is_missing(app, opened, LOOK_S)
    await show_exercise(app, opened)
    return payload


async def _last_open(app: "App") -> Session:
    active = await app.active_session()
    if active is not None and not finished(active):
        return active
    found = await app.db(lambda tx: tx.sessions())
    if not found:
        lost = [await take_up_lost(app, language) for language in app.toolchains]
        found = [session for sessions in lost for session in sessions]
        if found:
            app.frontend.message(said(found, found[0].title))
    if not found:
        raise TutorError("NO_SESSION", "There is no session yet. Start an exercise first.")
    return next((each for each in found if not finished(each)), active or found[0])


async def end(app: "App", arguments: "NoArguments") -> dict[str, Any]:
    """End the session; its record stays. Summary and recommendations with reasons."""
    opened = await app.locate(arguments)
    summary = await end_session(app, opened)
    done = opened.session.node if opened.session.passed else None
    session = opened.session
    advice = await recommendations(app, session.language, leave_out=done, ending=session.id)
    return {"summary": summary, "recommendations": to_wire(advice)}


async def end_session(app: "App", opened: OpenExercise) -> str:
    """End a session in one transaction with what it means for mastery; the summary."""
    app.runs(opened).cancel()
    at = app.now()
    units = [unit.id for unit in opened.exercise.units]

    def work(tx: Transaction) -> tuple[Session, NodeRecord, list[str]]:
        session = tx.session(opened.session.id) or opened.session
        session = keep_end(tx, session, units, at)
        after = tx.node(session.language, session.node)
        session = replace(session, ended_at=at, updated_at=at)
        tx.put_session(session)
        if tx.active() == session.id:
            tx.set_active(None)
        tx.log(Event("session-ended", {"mastery": after.mastery}, session.id))
        claims = tx.events(session=session.id, kind="claim")
        return session, after, [str(event["data"]["node"]) for event in claims]

    opened.session, record, claimed = await app.db(work)
    app.frontend.exercise_opened(None)
    await app.trials.remove(opened)
    await app.attempts.remove(opened)
    await forget_comparisons(app, opened)
    return _summary(app, opened, record) + _built_on(app, claimed)


def _built_on(app: "App", claimed: list[str]) -> str:
    """What counts as known since this challenge was passed without help."""
    titles = [node.title for name in claimed if (node := app.curriculum.node(name)) is not None]
    return f" What it built on counts as known: {', '.join(titles)}." if titles else ""


def _summary(app: "App", opened: OpenExercise, record: NodeRecord) -> str:
    session = opened.session
    stands = opened.standing()
    passing = f"{stands.units_passing} of {len(stands.units)}"
    attempts = "1 attempt" if session.attempt_count == 1 else f"{session.attempt_count} attempts"
    hints = "no hint" if not session.hints else f"hints up to level {session.hint_level_used}"
    node = app.curriculum.node(session.node)
    topic = session.node if node is None else node.title
    state = "passed" if session.passed else "not passed yet"
    return (
        f"“{session.title}”: {passing} units pass, {attempts}, {hints}; {state}. "
        f"Mastery of “{topic}”: {record.mastery} of 3.{_ahead(session, record)}"
    )


def _ahead(session: Session, record: NodeRecord) -> str:
    """When a topic that was passed comes up again."""
    if not session.passed or record.card is None:
        return ""
    return f" A short review is due on {record.card.due[:10]}."
