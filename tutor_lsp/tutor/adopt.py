"""Finding an exercise again: from the store, from its folder, or from both where one is damaged."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.authoring.workspace import record
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise import LESSON, Exercise
from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import Event, Session, Vault
from tutor_lsp.core.wire import from_wire
from tutor_lsp.tutor.files import read_text, replace_text, stays_inside
from tutor_lsp.tutor.lazy import MARKER

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App


async def load_exercise(app: "App", session: Session) -> tuple[Exercise, Vault]:
    """The exercise of a session; the folder's record is written anew where it is damaged.

    Raises TutorError `BROKEN_EXERCISE` if neither store nor folder has it.
    """
    kept = await app.db(lambda tx: tx.exercise(session.id))
    path = Path(session.workspace) / MARKER
    here = await asyncio.to_thread(_read_marker, path)
    if kept is not None:
        if here is None:
            await asyncio.to_thread(_write_marker, path, kept[0])
            app.frontend.message(
                f"{path} was missing or damaged and was written anew; nothing is lost."
            )
        return kept
    if here is None:
        raise TutorError(
            "BROKEN_EXERCISE",
            f"{path} cannot be read, and the record of this exercise is not in the store. "
            "Start the exercise again; your files stay where they are.",
        )
    vault = await asyncio.to_thread(_vault_of, app, here, path.parent.parent)
    await app.db(lambda tx: tx.put_exercise(session.id, here, vault))
    return here, vault


def new_session(app: "App", exercise: Exercise, root: Path) -> Session:
    """A session of now for the exercise in a folder; it is not stored."""
    now = app.now()
    return Session(
        id=app.new_id(),
        exercise_id=exercise.id,
        node=exercise.node,
        title=exercise.title,
        language=exercise.language,
        depth=exercise.depth,
        workspace=str(root),
        lesson=str(root / LESSON),
        created_at=now,
        updated_at=now,
        backend=exercise.backend,
        challenge=exercise.challenge,
    )


async def adopt_session(app: "App", root: Path) -> Session:
    """A new session for an exercise folder that this home has no record of.

    Raises TutorError `BROKEN_EXERCISE`.
    """
    exercise = await asyncio.to_thread(_read_marker, root / MARKER)
    if exercise is None:
        raise TutorError(
            "BROKEN_EXERCISE",
            f"{root / MARKER} cannot be read and no session is known for this folder. "
            "Start the exercise again; your files stay where they are.",
        )
    vault = await asyncio.to_thread(_vault_of, app, exercise, root)
    session = replace(new_session(app, exercise, root), trusted=False)

    def work(tx: Transaction) -> None:
        tx.put_session(session)
        tx.put_exercise(session.id, exercise, vault)
        tx.log(Event("session-adopted", {"workspace": str(root)}, session.id))

    await app.db(work)
    return session


def _read_marker(path: Path) -> Exercise | None:
    text = read_text(path)
    if text is None:
        return None
    try:
        exercise = from_wire(Exercise, json.loads(text))
    except (ValueError, TypeError, KeyError):
        return None
    named = {*exercise.files, *exercise.starter, *(unit.file for unit in exercise.units)}
    return exercise if all(stays_inside(file) for file in named) else None


def _write_marker(path: Path, exercise: Exercise) -> None:
    path.parent.mkdir(exist_ok=True)
    replace_text(path, record(exercise))


def _vault_of(app: "App", exercise: Exercise, root: Path) -> Vault:
    """Solution and hints from the library where the exercise comes from there."""
    originals = {file: read_text(root / file) or "" for file in exercise.files}
    originals.update(exercise.starter)
    entry = app.library.by_id(exercise.id)
    if entry is None:
        return Vault(originals=originals)
    bundled = app.library.load(entry)
    given = {**originals, **{k: v for k, v in bundled.files.items() if k in originals}}
    return Vault(dict(bundled.solution), dict(bundled.hints), given)
