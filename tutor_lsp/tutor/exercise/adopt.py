"""Finding an exercise again: from the store, from its folder, or from both where one is damaged."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.authoring.workspace import record
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.check import odd, plain
from tutor_lsp.core.exercise.exercise import LESSON, Exercise
from tutor_lsp.core.exercise.files import FileLimits
from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import Event, Session, Vault
from tutor_lsp.core.text.writing import remedy
from tutor_lsp.core.wire import from_wire
from tutor_lsp.files.reading import Unreadable, read_below, size
from tutor_lsp.tutor.exercise.cases import with_cases
from tutor_lsp.tutor.exercise.files import notes_folder, replace_text
from tutor_lsp.tutor.exercise.open_exercise import given_text
from tutor_lsp.tutor.hinting.coach_again import write_coach_file_again
from tutor_lsp.tutor.record.made_here import is_noted
from tutor_lsp.tutor.services.deferred_app import MARKER

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App


async def load_exercise(app: "App", session: Session) -> tuple[Session, Exercise, Vault]:
    """The exercise of a session; the folder's record is written anew where it is damaged.

    A folder that has another exercise than the store is another folder in the place of the
    learner's own: its session is no longer trusted.

    Raises TutorError `BROKEN_EXERCISE` if neither store nor folder has it.
    """
    kept = await app.db(lambda tx: tx.exercise(session.id))
    path = Path(session.workspace) / MARKER
    here = await asyncio.to_thread(_read_marker, path, app.settings.file_limits)
    if kept is not None:
        if isinstance(here, str):
            try:
                end = await asyncio.to_thread(_write_again, session, kept[0])
                app.frontend.message(f"{path} was missing or damaged and was written anew{end}")
            except OSError as error:
                advice = remedy(error, "Move what is in its way, or make that folder writable.")
                app.say_once(f"{path} cannot be written anew ({error.strerror}). {advice}")
        elif here != plain(kept[0]):
            session = await _no_longer_trusted(app, session)
        return session, *kept
    if isinstance(here, str):
        raise TutorError(
            "BROKEN_EXERCISE",
            f"{path} cannot be used ({here}), and the record of this exercise is not in the "
            "store. Start the exercise again; your files stay where they are.",
        )
    vault = await asyncio.to_thread(_vault_of, app, here, path.parent.parent)
    await app.db(lambda tx: tx.put_exercise(session.id, here, vault))
    return await _no_longer_trusted(app, session), here, vault


async def _no_longer_trusted(app: "App", session: Session) -> Session:
    if not session.trusted:
        return session

    def work(tx: Transaction) -> Session:
        changed = replace(tx.session(session.id) or session, trusted=False)
        tx.put_session(changed)
        return changed

    return await app.db(work)


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
    """A new session for an exercise folder that this home has no record of; trusted only if it is
    noted as made here and what was given in it is unchanged.

    Raises TutorError `BROKEN_EXERCISE`.
    """
    exercise = await asyncio.to_thread(_read_marker, root / MARKER, app.settings.file_limits)
    if isinstance(exercise, Exercise) and exercise.language not in app.toolchains:
        exercise = f"there are no exercises in {exercise.language[:40]!r} here"
    if isinstance(exercise, str):
        raise TutorError(
            "BROKEN_EXERCISE",
            f"{root / MARKER} cannot be used ({exercise}), and no session is known for this "
            "folder. Start the exercise again; your files stay where they are.",
        )
    vault = await asyncio.to_thread(_vault_of, app, exercise, root)
    made_here = await asyncio.to_thread(_is_made_here, app, exercise, root)
    session = replace(new_session(app, exercise, root), trusted=made_here)

    def work(tx: Transaction) -> None:
        tx.put_session(session)
        tx.put_exercise(session.id, exercise, vault)
        tx.log(Event("session-adopted", {"workspace": str(root)}, session.id))

    await app.db(work)
    return session


def _is_made_here(app: "App", exercise: Exercise, root: Path) -> bool:
    return is_noted(app.home, root, exercise, _texts(root, exercise, app.settings.file_limits))


def is_as_given(app: "App", session: Session, exercise: Exercise, vault: Vault) -> bool:
    """Whether the folder of a session still has its exercise, and what was given in it is what it
    was: noted as made here, or as the vault has it. What its learner wrote may be anything. Blocks.
    """
    root, limits = Path(session.workspace), app.settings.file_limits
    try:
        here = _read_marker(root / MARKER, limits)
        if not isinstance(here, str) and here != plain(exercise):
            return False
        texts = _texts(root, exercise, limits)
        if not root.is_dir() or is_noted(app.home, root, exercise, texts):
            return root.is_dir()
        if session.cases:
            toolchain = app.toolchain(session.language)
            exercise, vault = with_cases(exercise, vault, session.cases, toolchain)
    except (TutorError, OSError):
        return False
    given = set(exercise.files) - set(exercise.starter)
    return all(
        given_text(texts.get(name)) == given_text(vault.originals.get(name)) for name in given
    )


def _read_marker(path: Path, limits: FileLimits) -> Exercise | str:
    """The record in a folder, or why it cannot be used."""
    try:
        raw = read_below(path.parent.parent, MARKER.as_posix(), limits.total_bytes)
        exercise = from_wire(Exercise, json.loads(raw))
    except Unreadable as error:
        return f"it {error.why}"
    except (ValueError, TypeError, KeyError, RecursionError):
        return "it is no record of an exercise"
    return odd(exercise, limits) or plain(exercise)


def _write_again(session: Session, exercise: Exercise) -> str:
    """Write the tutor's own files of a folder anew from the store. What to say of it, as the end of
    a sentence. Raises OSError. Blocks."""
    root = Path(session.workspace)
    notes_folder(root)
    replace_text(root / MARKER, record(exercise))
    return write_coach_file_again(root, session, exercise)


def _vault_of(app: "App", exercise: Exercise, root: Path) -> Vault:
    """Solution and hints from the library where the exercise comes from there."""
    originals = _texts(root, exercise, app.settings.file_limits)
    originals.update(exercise.starter)
    entry = app.library.by_id(exercise.id)
    if entry is None:
        return Vault(originals=originals)
    bundled = app.library.load(entry)
    given = {**originals, **{k: v for k, v in bundled.files.items() if k in originals}}
    return Vault(dict(bundled.solution), dict(bundled.hints), given, dict(bundled.accepts))


def _texts(root: Path, exercise: Exercise, limits: FileLimits) -> dict[str, str]:
    """The files that a record names, as they lie in its folder; no link is followed.

    Raises TutorError `BROKEN_EXERCISE` for more than `limits` allow, and for what is no file.
    """
    found: dict[str, str] = {}
    left = limits.total_bytes
    for file in exercise.files:
        try:
            raw = read_below(root, file, min(limits.file_bytes, left))
        except Unreadable as error:
            if error.why == "is not there":
                continue
            why = error.why
            if left < limits.file_bytes and why.startswith("is larger"):
                why = f"and the files before it hold more than {size(limits.total_bytes)}"
            raise TutorError(
                "BROKEN_EXERCISE",
                f"The exercise in {root} cannot be used: {file} {why}. Put a plain file of the "
                "exercise in its place.",
            ) from None
        left -= len(raw)
        found[file] = raw.decode("utf-8", errors="replace")
    return found
