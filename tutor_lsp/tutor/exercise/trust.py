"""Code that came from elsewhere: the one gate before it, and the question that opens the gate.

What was not made on this machine (an imported record, a copied or cloned folder, a library of
one's own) runs nothing before its learner agreed to what is named.
"""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.loss import OF_THE_RECORD
from tutor_lsp.core.session import Event, Session
from tutor_lsp.files.reading import shown_name
from tutor_lsp.library.loader import shipped_proof
from tutor_lsp.tutor.exercise.what_runs import (
    Runs,
    runs_of_folder,
    runs_of_library,
    runs_of_recording,
)

if TYPE_CHECKING:
    from tutor_lsp.library.loader import Entry
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise

TRUST, LEAVE = "Trust and run", "Not now"
KIND = "UNTRUSTED"
TRUSTED_SESSION, TRUSTED_LIBRARY = "exercise-trusted", "library-trusted"
"""Kinds of the events that a yes leaves behind."""
MACHINE_EVENTS = OF_THE_RECORD | {TRUSTED_SESSION, TRUSTED_LIBRARY, "consent"}
"""What holds on the machine alone where it happened; a record from elsewhere cannot bring it."""
WAITING = (
    "This exercise came from elsewhere, so nothing of it is run until you trust it: check it "
    "(tutor.check), and you are told what would run."
)


def require_trust(session: Session) -> None:
    """The gate: passed by whatever runs code of a session's folder or vault.

    Raises TutorError `UNTRUSTED`.
    """
    if not session.trusted:
        raise TutorError(KIND, WAITING, details={"workspace": session.workspace})


async def allow(app: "App", opened: "OpenExercise", *, agreed: bool, command: str) -> None:
    """Open the gate of a folder from elsewhere by the learner's yes, if it is not open.

    `agreed` is a yes that was given with the command. Raises TutorError `UNTRUSTED`, which names
    what would run, where there is none.
    """
    async with opened.trusting:
        await app.refresh(opened)
        if opened.session.trusted:
            return
        runs = await asyncio.to_thread(runs_of_folder, opened)
        if not agreed:
            await _ask(app, runs, command)
        event = Event(TRUSTED_SESSION, runs.data, opened.session.id)
        await app.change_session(opened, lambda session: replace(session, trusted=True), event)
        app.frontend.exercise_changed(opened)


async def allow_library(app: "App", entry: "Entry", *, agreed: bool) -> None:
    """A yes to the exercise of a library of one's own, asked once for each of its versions: its
    proof runs before it opens. Raises TutorError `UNTRUSTED`, `BROKEN_EXERCISE`.
    """
    content = await app.load("tutor_lsp.authoring.content")
    exercise = await asyncio.to_thread(app.library.load, entry)
    digest = content.bundled_hash(exercise)
    if await asyncio.to_thread(shipped_proof, digest) is not None:
        return  # word for word what comes with the tutor: nothing is left to be run
    known = await app.db(lambda tx: tx.events(kind=TRUSTED_LIBRARY))
    if any(event["data"].get("hash") == digest for event in known):
        return
    runs = runs_of_library(exercise)
    if not agreed:
        await _ask(app, runs, f"tutor.start --node {entry.node}")
    await app.record(TRUSTED_LIBRARY, {**runs.data, "hash": digest, "exercise": entry.id})


async def allow_recording(app: "App", path: Path, *, agreed: bool) -> None:
    """A yes to playing recorded answers of a model, whose exercise is proven before it opens.

    Raises TutorError `UNTRUSTED`.
    """
    if not agreed:
        await _ask(app, runs_of_recording(path), f"tutor.start --replay {shown_name(str(path))}")


async def _ask(app: "App", runs: Runs, command: str) -> None:
    """Raises TutorError `UNTRUSTED` unless somebody answers yes."""
    details: dict[str, Any] = {**runs.data, "trust": True}
    if not app.frontend.abilities.chooses:
        raise TutorError(KIND, f"{runs.said} {how_to_agree(app, command)}", details=details)
    answer = await app.frontend.choose(f"{runs.said} Run it?", (TRUST, LEAVE))
    if answer != TRUST:
        raise TutorError(
            KIND, f"Nothing was run: you did not agree to run {runs.where}.", details=details
        )


def how_to_agree(app: "App", command: str) -> str:
    """What to do for a yes where nobody can be asked."""
    verb = command.replace("tutor.", "tutor-lsp ")
    if app.frontend.abilities.terminal:
        return f"If you trust it: {verb} --trust."
    return f'If you trust it: {command} with {{"trust": true}}, or {verb} --trust in a terminal.'
