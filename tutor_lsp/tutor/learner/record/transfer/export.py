"""`tutor-lsp export`: the whole learner record as one JSON file."""

import asyncio
import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tutor_lsp import __version__
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.files import FileLimits
from tutor_lsp.core.exercise.mistakes import MISTAKES_EVENT
from tutor_lsp.core.session import NodeRecord, Session
from tutor_lsp.core.text.writing import remedy
from tutor_lsp.languages.registry import special_names
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise.folder.files import read_bytes, replace_bytes
from tutor_lsp.tutor.exercise.trust_gate import MACHINE_EVENTS
from tutor_lsp.tutor.learner.record.transfer.form import (
    ExportedExercise,
    PastEvent,
    RecordExport,
    written,
)
from tutor_lsp.tutor.services.services import Services

MADE = frozenset({".git", "node_modules", ".tutor"})
"""Folders that are not exported, besides those that tools rebuild. Of `.tutor` only
`KEPT_NOTES` moves."""
KEPT_NOTES = (".tutor/exercise.json", ".tutor/coach.md")


async def export(services: Services, path: Path, *, force: bool = False) -> dict[str, Any]:
    """Write the record to `path`, for its owner only; counts of what is in it.

    `leftOut` names files of exercise folders that are too large to be taken along. Raises
    TutorError `EXPORT` where the file is there already (without `force`), is a folder, link or
    device (even so), or cannot be written.
    """
    if not force and await asyncio.to_thread(os.path.lexists, path):
        raise TutorError(
            "EXPORT", f"{path} already exists. Give another name, or --force to replace it."
        )
    if await asyncio.to_thread(_is_special, path):
        raise TutorError("EXPORT", f"{path} is not a file that can be replaced. Give another name.")
    kept, left_out = await asyncio.to_thread(
        _gather, await services.db(_read), services.settings.file_limits
    )
    text = written(kept, at=services.now(), program=__version__)
    try:
        await asyncio.to_thread(replace_bytes, path, text.encode(), mode=0o600, sync=True)
    except OSError as error:
        raise TutorError(
            "EXPORT",
            f"{path} cannot be written: {error.strerror or error}. "
            + remedy(error, "Choose another place."),
        ) from error
    return {"path": str(path), "bytes": len(text), "leftOut": left_out, **counts(kept)}


def _is_special(path: Path) -> bool:
    try:
        return not stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def counts(kept: RecordExport) -> dict[str, int]:
    """How much a record holds, without what an import leaves out because it belongs to one
    machine."""
    return {
        "sessions": len(kept.sessions),
        "topics": len(kept.nodes),
        "events": sum(event.kind not in MACHINE_EVENTS for event in kept.events),
        "folders": len(kept.files),
    }


def _read(tx: Transaction) -> RecordExport:
    sessions = tx.sessions()[::-1]
    found = {session.id: tx.exercise(session.id) for session in sessions}
    return RecordExport(
        sessions=tuple(sessions),
        exercises={
            name: ExportedExercise(kept[0], replace(kept[1], programs={}, mistakes={}))
            for name, kept in found.items()
            if kept is not None
        },
        nodes=tuple(
            each for each in tx.all_nodes() if each != NodeRecord(each.node, each.language)
        ),
        events=tuple(
            PastEvent(event["at"], event["kind"], event["data"], event["session"])
            for event in tx.events()
            if event["kind"] != MISTAKES_EVENT
        ),
        folders={session.id: _folder(session) for session in sessions},
        files={},
        active=tx.active(),
    )


def _gather(kept: RecordExport, limits: FileLimits) -> tuple[RecordExport, list[str]]:
    """The record with the files of its folders, and sessions that name no place."""
    files: dict[str, Mapping[str, bytes]] = {}
    left_out: list[str] = []
    for session in kept.sessions:
        root = Path(session.workspace)
        if root.is_dir():
            files[session.id] = folder_files(root, left_out, limits)
    whole = replace(
        kept,
        files=files,
        sessions=tuple(replace(s, workspace="", lesson="") for s in kept.sessions),
    )
    return whole, left_out


def _folder(session: Session) -> str:
    name = re.sub(r"[^A-Za-z0-9._-]", "-", Path(session.workspace).name)
    return name.strip("-._")[:200] or "exercise"


def folder_files(root: Path, left_out: list[str], limits: FileLimits) -> dict[str, bytes]:
    """The files of an exercise folder by relative path; no links, nothing that is rebuilt.

    Files that are too large, or more than `limits` allow, are named in `left_out`.
    """
    found: dict[str, bytes] = {}
    paths = [root / note for note in KEPT_NOTES if (root / note).is_file()]
    left = limits.total_bytes
    for path in [*paths, *_walk(root)]:
        raw = read_bytes(path) if len(found) < limits.files else None
        most = left if path in paths else min(left, limits.file_bytes)
        if raw is None or len(raw) > most:
            left_out.append(str(path))
        else:
            left -= len(raw)
            found[path.relative_to(root).as_posix()] = raw
    return dict(sorted(found.items()))


def _walk(folder: Path) -> Iterator[Path]:
    for entry in sorted(os.scandir(folder), key=lambda item: item.name):
        if entry.is_symlink() or "\\" in entry.name:
            continue
        if entry.is_dir():
            made = entry.name in MADE or entry.name in special_names().makes
            if not made and not entry.name.endswith(".egg-info"):
                yield from _walk(Path(entry.path))
        elif stat.S_ISREG(entry.stat().st_mode) and entry.name.isprintable():
            yield Path(entry.path)
