"""Finding an exercise again: from the store, from its folder, or from both where one is damaged."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from tutor_lsp.authoring.content import bundled_hash
from tutor_lsp.authoring.workspace import record
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.check import plain, why_invalid
from tutor_lsp.core.exercise.exercise import LESSON, Exercise
from tutor_lsp.core.exercise.files import FileLimits
from tutor_lsp.core.session import Event, Session, Vault
from tutor_lsp.core.text.translation import t
from tutor_lsp.core.text.writing import remedy
from tutor_lsp.files.reading import Unreadable, read_below, size
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise.cases import with_cases
from tutor_lsp.tutor.exercise.folder.coach_file import write_coach_file_again
from tutor_lsp.tutor.exercise.folder.files import given_text, notes_folder, replace_text
from tutor_lsp.tutor.exercise.folder.made_here import is_noted
from tutor_lsp.tutor.exercise.folder.marker import MARKER
from tutor_lsp.tutor.exercise.trust_gate import is_allowed
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.wire import filled_from, from_wire


async def load_exercise(services: Services, session: Session) -> tuple[Session, Exercise, Vault]:
    """A session's exercise; the folder's record is rebuilt if it is damaged.

    A folder that has another exercise than the store is another folder in the place of the
    learner's own: its session is no longer trusted.

    Raises TutorError `BROKEN_EXERCISE` if neither store nor folder has it.
    """
    kept = await services.db(lambda tx: tx.exercise(session.id))
    path = Path(session.workspace) / MARKER
    here = await asyncio.to_thread(read_marker, path, services.settings.file_limits)
    if kept is not None:
        if isinstance(here, str):
            try:
                end = await asyncio.to_thread(_write_again, session, kept[0])
                services.frontend.message(
                    f"{path} was missing or damaged and has been rebuilt{end}"
                )
            except OSError as error:
                advice = remedy(error, "Move what is in its way, or make that folder writable.")
                services.say_once(f"{path} cannot be rebuilt ({error.strerror}). {advice}")
        elif here != plain(kept[0]):
            session = await _no_longer_trusted(services, session)
        vault = await _with_programs(services, *kept)
        return session, kept[0], vault
    if isinstance(here, str):
        raise TutorError(
            "BROKEN_EXERCISE",
            f"{path} cannot be used ({here}), and the record of this exercise is not in the "
            "store. Start the exercise again; your files stay where they are.",
        )
    vault = await _vault_of(services, here, path.parent.parent)
    await services.db(lambda tx: tx.put_exercise(session.id, here, vault))
    return await _no_longer_trusted(services, session), here, vault


async def _no_longer_trusted(services: Services, session: Session) -> Session:
    if not session.trusted:
        return session

    def work(tx: Transaction) -> Session:
        changed = replace(tx.session(session.id) or session, trusted=False)
        tx.put_session(changed)
        return changed

    return await services.db(work)


def new_session(services: Services, exercise: Exercise, root: Path) -> Session:
    """A new session for the exercise in a folder; it is not stored."""
    now = services.now()
    return filled_from(
        Session,
        exercise,
        id=services.new_id(),
        exercise_id=exercise.id,
        workspace=str(root),
        lesson=str(root / LESSON),
        created_at=now,
        updated_at=now,
    )


async def adopt_session(services: Services, root: Path) -> Session:
    """A new session for an exercise folder that this home has no record of; trusted only if it is
    noted as made here and what was given in it is unchanged.

    Raises TutorError `BROKEN_EXERCISE`.
    """
    exercise = await asyncio.to_thread(read_marker, root / MARKER, services.settings.file_limits)
    if isinstance(exercise, Exercise) and exercise.language not in services.toolchains:
        exercise = t(f"there are no exercises in {exercise.language[:40]!r} here")
    if isinstance(exercise, str):
        raise TutorError(
            "BROKEN_EXERCISE",
            f"{root / MARKER} cannot be used ({exercise}), and no session is known for this "
            "folder. Start the exercise again; your files stay where they are.",
        )
    vault = await _vault_of(services, exercise, root)
    texts = await asyncio.to_thread(_texts, root, exercise, services.settings.file_limits)
    made_here = await asyncio.to_thread(is_noted, services.home, root, exercise, texts)
    session = replace(new_session(services, exercise, root), trusted=made_here)

    def work(tx: Transaction) -> None:
        tx.put_session(session)
        tx.put_exercise(session.id, exercise, vault)
        tx.log(Event("session-adopted", {"workspace": str(root)}, session.id))

    await services.db(work)
    return session


def read_marker(path: Path, limits: FileLimits) -> Exercise | str:
    """The record in a file of an exercise folder, or why it cannot be used. Blocks."""
    try:
        raw = read_below(path.parent.parent, MARKER.as_posix(), limits.total_bytes)
        exercise = from_wire(Exercise, json.loads(raw))
    except Unreadable as error:
        return f"it {error.why}"
    except (ValueError, TypeError, KeyError, RecursionError):
        return t("it is not an exercise record")
    return why_invalid(exercise, limits) or plain(exercise)


def is_as_given(services: Services, session: Session, exercise: Exercise, vault: Vault) -> bool:
    """Whether the folder of a session still has its exercise, and what was given in it is what it
    was: noted as made here, or as the vault has it. What its learner wrote may be anything. Blocks.
    """
    root, limits = Path(session.workspace), services.settings.file_limits
    try:
        here = read_marker(root / MARKER, limits)
        if not isinstance(here, str) and here != plain(exercise):
            return False
        texts = _texts(root, exercise, limits)
        if not root.is_dir() or is_noted(services.home, root, exercise, texts):
            return root.is_dir()
        if session.cases:
            toolchain = services.toolchain(session.language)
            exercise, vault = with_cases(exercise, vault, session.cases, toolchain)
    except (TutorError, OSError):
        return False
    given = set(exercise.files) - set(exercise.starter)
    return all(
        given_text(texts.get(name)) == given_text(vault.originals.get(name)) for name in given
    )


def _write_again(session: Session, exercise: Exercise) -> str:
    """Rebuild the tutor's own files in a folder from the store. Returns what to report, as the end
    of a sentence. Raises OSError. Blocks."""
    root = Path(session.workspace)
    notes_folder(root)
    replace_text(root / MARKER, record(exercise))
    return write_coach_file_again(root, session, exercise)


async def _vault_of(services: Services, exercise: Exercise, root: Path) -> Vault:
    """What the store would have of an exercise that it does not know."""
    found = await asyncio.to_thread(_from_library, services, exercise, root)
    return await _with_programs(services, exercise, found)


def _from_library(services: Services, exercise: Exercise, root: Path) -> Vault:
    """Solution and hints from the library where the exercise comes from there. Blocks."""
    originals = _texts(root, exercise, services.settings.file_limits)
    originals.update(exercise.starter)
    entry = services.library.by_id(exercise.id)
    if entry is None:
        return Vault(originals=originals)
    bundled = services.library.load(entry)
    known = {name: text for name, text in bundled.files.items() if name in originals}
    given = {**originals, **known, **exercise.starter}  # stubs as begun, even under another text
    return Vault(
        dict(bundled.solution),
        dict(bundled.hints),
        given,
        dict(bundled.accepts),
    )


async def _with_programs(services: Services, exercise: Exercise, vault: Vault) -> Vault:
    """The vault with the programs that an exported record goes without, where a library has the
    exercise and somebody has agreed that what is in that runs."""
    asking = [unit.id for unit in exercise.units if unit.asks_for_tests]
    entry = None
    if any(unit not in vault.programs for unit in asking):
        entry = await asyncio.to_thread(services.library.by_id, exercise.id)
    if entry is None:
        return vault
    try:
        bundled = await asyncio.to_thread(services.library.load, entry)
    except TutorError:
        return vault
    if not await is_allowed(services, bundled_hash(bundled)):
        return vault
    known = bundled.programs
    mine = {u: known[u] for u in asking if u in known and known[u].file in vault.originals}
    return replace(vault, programs={**mine, **vault.programs})


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
            if error.why == "does not exist":
                continue
            why = error.why
            if left < limits.file_bytes and why.startswith("is larger"):
                why = t(f"exceeds, together with the files before it, {size(limits.total_bytes)}")
            raise TutorError(
                "BROKEN_EXERCISE",
                f"The exercise in {root} cannot be used: {file} {why}. Put a plain file of the "
                "exercise in its place.",
            ) from None
        left -= len(raw)
        found[file] = raw.decode("utf-8", errors="replace")
    return found
