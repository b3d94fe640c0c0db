"""Placing a proven exercise in the tutor home: complete or not at all."""

import errno
import json
import os
import secrets
import shutil
import time
from collections.abc import Collection, Mapping
from pathlib import Path

from tutor_lsp.authoring.model import ProvenExercise
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.text.writing import remedy
from tutor_lsp.wire import to_wire

RECORD = ".tutor/exercise.json"

EXERCISES = "exercises"
"""Folder of the home with the exercises of all languages that were made in it: an editor that asks
whether a folder is trusted asks once, about this one."""

IMPORTED = "imported"
"""Folder of the home with exercises from elsewhere, which trust in the other one does not cover."""

_INCOMING = ".incoming-"
_LEFT_OVER_S = 3600.0
_TAKEN = frozenset({errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR, errno.EISDIR})


def place(home: Path, proven: ProvenExercise, taken: Collection[str] = ()) -> Path:
    """Write the exercise to `<home>/exercises/<node>-<slug>/` and return that folder.

    The files are written to a hidden folder beside it, synced, and renamed into place at once; an
    existing name is left alone and `-2`, `-3`, … is tried, as it is for the folders in `taken`:
    those of sessions, which may be gone. Nothing of solution or hints is
    written. On failure the hidden folder is removed. Raises TutorError `HOME`. Blocks: keep it
    off the loop.
    """
    exercise = proven.exercise
    files = {**proven.files, RECORD: record(exercise)}
    return place_files(home / EXERCISES, proven.folder, files, taken)


def place_files(
    parent: Path, name: str, files: Mapping[str, str | bytes], taken: Collection[str] = ()
) -> Path:
    """Write files as the new folder `name`, or `name-2`, … if that is taken; returns that folder.

    Complete or not at all, as `place`. Raises TutorError `HOME`. Blocks.
    """
    incoming = parent / f"{_INCOMING}{os.getpid()}-{secrets.token_hex(4)}"
    try:
        parent.mkdir(parents=True, exist_ok=True)
        _sweep(parent)
        try:
            write_tree(incoming, files, sync=True)
            return _move(incoming, parent, name, taken)
        except BaseException:
            shutil.rmtree(incoming, ignore_errors=True)
            raise
    except OSError as error:
        raise TutorError(
            "HOME",
            f"The exercise cannot be written to {parent}: {error.strerror or error}. "
            + remedy(
                error,
                "Make that folder writable, or set another one with the setting tutor.home.",
            ),
            details={"path": str(parent), "errno": error.errno},
        ) from error


def record(exercise: Exercise) -> str:
    """The text of `.tutor/exercise.json`."""
    return json.dumps(to_wire(exercise), ensure_ascii=False, indent=1) + "\n"


def write_tree(folder: Path, files: Mapping[str, str | bytes], *, sync: bool = False) -> None:
    """Write `files` into the new folder `folder`, all of them new; with `sync`, to the disk.

    Raises OSError, FileExistsError if `folder` exists already.
    """
    folder.mkdir()
    made = {folder}
    for name, text in files.items():
        path = folder / name
        for parent in reversed(path.relative_to(folder).parents[:-1]):
            if folder / parent not in made:
                (folder / parent).mkdir()
                made.add(folder / parent)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode() if isinstance(text, str) else text)
            if sync:
                stream.flush()
                os.fsync(handle)
    if sync:
        for each in made:
            _sync_folder(each)


def _move(incoming: Path, parent: Path, name: str, taken: Collection[str]) -> Path:
    number = 1
    while True:
        target = parent / (name if number == 1 else f"{name}-{number}")
        number += 1
        if os.path.lexists(target) or str(target) in taken:
            continue
        try:
            incoming.rename(target)
        except OSError as error:
            if error.errno in _TAKEN:  # another process was faster
                continue
            raise
        _sync_folder(parent)
        return target


def _sync_folder(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sweep(parent: Path) -> None:
    """Remove what a killed process left: hidden folders unchanged for an hour."""
    for path in parent.glob(f"{_INCOMING}*"):
        try:
            old = time.time() - path.stat().st_mtime > _LEFT_OVER_S
        except FileNotFoundError:
            continue
        if old:
            shutil.rmtree(path, ignore_errors=True)
