"""Takes the snapshot that an attempt runs on, and compares the disk with it."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace

from tutor_lsp.core.exercise.snapshot import Found, Snapshot, run_hash, snapshot
from tutor_lsp.core.session import Attempt
from tutor_lsp.core.text.clock import local_time
from tutor_lsp.tutor.exercise.folder.disk import Disk, read_disk
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.services.services import Services

FRESH_NS = 20_000_000
"""How long after a file began to be written it may be half there, in ns."""
SHOWN_NS = 250_000_000
"""The same as long as it is not what the editor shows."""
EMPTY_NS = 2_000_000_000
"""The same of one that is empty: most editors empty a file before they write it."""
AGAIN_S = 0.005
LONGEST_S = 2.5
"""How long to wait for a file that is constantly being written, in seconds."""


def read(opened: OpenExercise) -> Disk:
    """The exercise's folder as it is now. Blocks."""
    return read_disk(opened.root, opened.exercise.files, opened.toolchain)


def of_found(opened: OpenExercise, found: Found) -> Snapshot:
    """What an attempt would run on if the folder were as it was found."""
    return snapshot(opened.exercise, opened.vault.originals, found, opened.toolchain)


def checked(opened: OpenExercise, found: Found) -> Snapshot:
    """The same, with the hash of a check that runs on the folder itself."""
    shot = of_found(opened, found)
    return replace(shot, hash=run_hash(shot, found))


async def take(services: Services, opened: OpenExercise) -> Snapshot:
    """A snapshot of the present state. The disk is read before anything else is awaited.

    A file that was written a moment ago may be half there, and is read again.
    """
    end = time.monotonic() + LONGEST_S
    while True:
        at = services.now()
        disk = await asyncio.to_thread(read, opened)
        if not _half_written(opened, disk) or time.monotonic() > end:
            return replace(of_found(opened, disk.found), at=at)
        await asyncio.sleep(AGAIN_S)


def _half_written(opened: OpenExercise, disk: Disk) -> bool:
    now, signs = time.time_ns(), disk.signs
    ages = [(f, text, now - signs[f][2]) for f, text in disk.found.texts.items() if f in signs]
    return any(
        0 <= age < EMPTY_NS and age < _settles_in(opened, file, text) for file, text, age in ages
    )


def _settles_in(opened: OpenExercise, file: str, text: str) -> int:
    """How old a file with that text must be to count as written, in ns."""
    shown = opened.shown_otherwise(file, text)
    if shown is False:
        return 0
    if not text and opened.vault.originals.get(file):
        return EMPTY_NS
    return SHOWN_NS if shown else FRESH_NS


async def overtaken(opened: OpenExercise, text_hash: str) -> bool:
    """Whether an attempt made now would run on other texts than those with that hash."""
    disk = await asyncio.to_thread(read, opened)
    return of_found(opened, disk.found).hash != text_hash


async def old_text(opened: OpenExercise, attempt: Attempt) -> str | None:
    """`14:03`, when the text that an attempt ran on was taken, if the disk has another one now."""
    text_hash = attempt.report.text_hash
    if not text_hash or not await overtaken(opened, text_hash):
        return None
    return local_time(attempt.at)


def with_stubs(opened: OpenExercise, found: Found, texts: Mapping[str, str]) -> dict[str, str]:
    """What an attempt would run on if the stub files in a folder were as in `texts`."""
    own = {file: texts[file] for file in opened.stub_files() if file in texts}
    return of_found(opened, replace(found, texts={**found.texts, **own})).texts


def whole_of(opened: OpenExercise, texts: Mapping[str, str]) -> dict[str, str]:
    """What an attempt would run on if these were all files of a folder, beside those given."""
    return of_found(opened, Found({**opened.vault.originals, **texts})).texts
