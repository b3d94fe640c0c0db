"""`tutor-lsp import`: merges another record into this one; nothing that is here is lost."""

import asyncio
import hashlib
import os
import shutil
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from tutor_lsp.authoring.workspace import IMPORTED, place_files
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.exercise.files import FileLimits
from tutor_lsp.core.learner.merging import merge_sessions, missing_events
from tutor_lsp.core.session import ELSEWHERE, Event, Session
from tutor_lsp.files.reading import Unreadable, read_file
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise.trust_gate import MACHINE_EVENTS
from tutor_lsp.tutor.learner.record.record_merge import merge_topics
from tutor_lsp.tutor.learner.record.transfer.export import folder_files
from tutor_lsp.tutor.learner.record.transfer.fitting import fitted
from tutor_lsp.tutor.learner.record.transfer.form import RecordExport, read, refused
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.services.tasks import to_the_end
from tutor_lsp.wire import to_wire

NOT_WRITTEN = (".tutor/", ".vscode/")
"""Files that programs put beside the learner's texts."""
KEPT = (
    "workspace", "lesson", "trusted", "exercise_id", "node", "language", "depth", "review_of",
    "cases",
)  # fmt: skip
"""The fields that a session known here keeps, whatever the record says."""


async def import_record(services: Services, path: Path) -> dict[str, Any]:
    """Merge the record in a file into this home's; what was new.

    A session that is not known here gets its folder in this home, under a free name; folders that
    are there are never written into. Other texts of a session that is known here go into the event
    log. Importing the same file again changes nothing. Raises TutorError `IMPORT`, `HOME`, `STORE`;
    nothing has been changed then. Once it writes it can no longer be cancelled.
    """
    limits = services.settings.file_limits
    kept = await asyncio.to_thread(_read, path, services.settings.import_bytes, limits)
    return await to_the_end(_keep(services, kept, path))


async def _keep(services: Services, given: RecordExport, path: Path) -> dict[str, Any]:
    here = await services.db(lambda tx: {session.id: session for session in tx.sessions()})
    placed: dict[str, Path] = {}
    limits = services.settings.file_limits
    try:
        fit = await asyncio.to_thread(fitted, given, here, services.toolchains, limits)
    except ValueError as error:
        raise refused(str(path), str(error)) from None
    kept = fit.kept
    texts = await asyncio.to_thread(_other_texts, kept, here, limits)
    try:
        await asyncio.to_thread(_place_all, services.home, kept, here, placed)
        result = await services.db(lambda tx: _merge(tx, kept, services.home, placed, texts))
    except BaseException:
        for folder in placed.values():
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        raise
    folders = [str(folder) for folder in placed.values()]
    left_out, anew = list(fit.left_out), list(fit.anew)
    return {**result, "placed": folders, "leftOut": left_out, "writtenAnew": anew}


def _read(path: Path, most: int, limits: FileLimits) -> RecordExport:
    try:
        text = read_file(path, most).decode("utf-8")
    except UnicodeDecodeError:
        raise TutorError(
            "IMPORT", f"{path} is not text, so it is not an exported record. Nothing was changed."
        ) from None
    except Unreadable as error:
        more = " (the setting limits.importBytes)" if error.why.startswith("is larger") else ""
        raise TutorError(
            "IMPORT", f"{error}{more}, so it is not imported. Nothing was changed."
        ) from None
    return read(text, str(path), limits)


def _other_texts(
    kept: RecordExport, here: Mapping[str, Session], limits: FileLimits
) -> dict[str, dict[str, str]]:
    """Texts of sessions that are known here which differ from what lies in their folders."""
    found: dict[str, dict[str, str]] = {}
    for name, files in kept.files.items():
        if name not in here:
            continue
        root = Path(here[name].workspace)
        mine = folder_files(root, [], limits) if root.is_dir() else {}
        differing = {
            path: raw.decode("utf-8", "replace")
            for path, raw in files.items()
            if not path.startswith(NOT_WRITTEN) and mine.get(path) != raw
        }
        if differing:
            found[name] = differing
    return found


def _place_all(
    home: Path, kept: RecordExport, here: Mapping[str, Session], placed: dict[str, Path]
) -> None:
    """Make the folders of sessions that are not known here; each is noted in `placed`."""
    taken = {session.workspace for session in here.values()}
    for session in kept.sessions:
        files = kept.files.get(session.id)
        if session.id not in here and files:
            name = kept.folders[session.id]
            placed[session.id] = place_files(home / IMPORTED, name, dict(files), taken)


def _merge(
    tx: Transaction,
    kept: RecordExport,
    home: Path,
    placed: Mapping[str, Path],
    texts: Mapping[str, Mapping[str, str]],
) -> dict[str, Any]:
    new_sessions = 0
    known_here = {session.id for session in tx.sessions()}
    for session in kept.sessions:
        known = tx.session(session.id)
        if known is None:
            root = placed.get(session.id) or _free(tx, home / IMPORTED, kept, session)
            lesson = str(root / LESSON)
            session = replace(session, workspace=str(root), lesson=lesson)
            tx.put_session(replace(session, trusted=False, cases=()))
            new_sessions += 1
        else:
            mine = {name: getattr(known, name) for name in KEPT}
            merged = merge_sessions(known, replace(session, **mine))
            if merged != known:
                tx.put_session(merged)
        if session.id in kept.exercises and tx.exercise(session.id) is None:
            exercise = kept.exercises[session.id]
            tx.put_exercise(session.id, exercise.exercise, exercise.vault)
            taken = tx.session(session.id)
            if taken is not None and taken.trusted:
                tx.put_session(replace(taken, trusted=False))
    new_nodes = merge_topics(tx, kept.nodes)
    given = [to_wire(event) for event in kept.events if event.kind not in MACHINE_EVENTS]
    missing = missing_events(map(_anywhere, tx.events()), map(_anywhere, given))
    for event in missing:
        data = event["data"]
        if event["session"] in known_here and "files" in data:
            data = {**data, ELSEWHERE: True}
        tx.log_past(event["at"], Event(event["kind"], data, event["session"]))
    _keep_texts(tx, texts)
    if tx.active() is None and kept.active in placed:
        tx.set_active(kept.active)
    result = {
        "sessions": new_sessions,
        "topics": new_nodes,
        "events": len(missing),
        "folders": len(placed),
        "textsKept": sum(len(files) for files in texts.values()),
    }
    if new_sessions or new_nodes or missing:
        tx.log(Event("record-imported", result))
    return result


def _anywhere(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """The event as it holds anywhere: an undone reset brings cases back, and those of others are
    code that nobody agreed to here."""
    data = dict(event["data"])
    data.pop(ELSEWHERE, None)
    if "cases" in data:
        data["cases"] = None
    return {**event, "data": data}


def _free(tx: Transaction, parent: Path, kept: RecordExport, session: Session) -> Path:
    """A folder for a session that brings no files: no other one's, and not there."""
    name = kept.folders[session.id]
    taken = {each.workspace for each in tx.sessions()}
    for number in count(1):
        root = parent / (name if number == 1 else f"{name}-{number}")
        if str(root) not in taken and not os.path.lexists(root):
            break
    return root


def _keep_texts(tx: Transaction, texts: Mapping[str, Mapping[str, str]]) -> None:
    """Keep other texts of known sessions, once each, in the event log."""
    known = {event["data"].get("digest") for event in tx.events(kind="imported-texts")}
    for name, files in texts.items():
        whole = "\0".join(f"{path}\0{text}" for path, text in sorted(files.items()))
        digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
        if digest not in known:
            tx.log(Event("imported-texts", {"digest": digest, "files": dict(files)}, name))
