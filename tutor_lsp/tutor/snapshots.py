"""Taking the snapshot that an attempt runs on, and telling whether the disk is still like it."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from tutor_lsp.core.session import Attempt
from tutor_lsp.core.snapshot import Found, Snapshot, snapshot
from tutor_lsp.tutor.disk import Disk, read_disk
from tutor_lsp.tutor.opened import OpenExercise
from tutor_lsp.tutor.uris import uri_to_path

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import Arguments


def read(opened: OpenExercise) -> Disk:
    """The exercise's folder as it is now. Blocks."""
    return read_disk(opened.root, opened.exercise.files, opened.toolchain)


def of_found(opened: OpenExercise, found: Found) -> Snapshot:
    """What an attempt would run on if the folder were as it was found."""
    return snapshot(opened.exercise, opened.vault.originals, found, opened.toolchain)


async def take(app: "App", opened: OpenExercise) -> Snapshot:
    """The snapshot of now. What is on the disk is read before anything else is awaited."""
    at = app.now()
    disk = await asyncio.to_thread(read, opened)
    return replace(of_found(opened, disk.found), at=at)


def at_hand(app: "App", arguments: "Arguments") -> OpenExercise | None:
    """The exercise that a request is about, as far as that is known without waiting."""
    if arguments.session is not None:
        found = (item for item in app.open_exercises() if item.session.id == arguments.session)
        return next(found, None)
    path = app.frontend.current_document()
    if arguments.uri is not None:
        path = uri_to_path(arguments.uri)
    return app.opened_of(path) if path is not None else None


async def overtaken(opened: OpenExercise, text_hash: str) -> bool:
    """Whether an attempt of now would run on other texts than those of that hash."""
    disk = await asyncio.to_thread(read, opened)
    return of_found(opened, disk.found).hash != text_hash


async def old_text(opened: OpenExercise, attempt: Attempt) -> str | None:
    """`14:03`, when the text that an attempt ran on was taken, if the disk has another one now."""
    text_hash = attempt.report.text_hash
    if not text_hash or not await overtaken(opened, text_hash):
        return None
    return clock(attempt.at)


def clock(at: str) -> str:
    """The learner's local time of day of an ISO 8601 time."""
    return datetime.fromisoformat(at).astimezone().strftime("%H:%M")


def with_stubs(opened: OpenExercise, found: Found, texts: Mapping[str, str]) -> dict[str, str]:
    """What an attempt would run on if the stub files in a folder were as in `texts`."""
    own = {file: texts[file] for file in opened.stub_files() if file in texts}
    return of_found(opened, replace(found, texts={**found.texts, **own})).texts


def whole_of(opened: OpenExercise, texts: Mapping[str, str]) -> dict[str, str]:
    """What an attempt would run on if these were all files of a folder, beside those given."""
    return of_found(opened, Found({**opened.vault.originals, **texts})).texts
