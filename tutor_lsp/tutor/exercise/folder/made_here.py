"""The exercise folders that were made in this home: noted beside the record, which may be lost.

Like the record, the note belongs to the learner: contained code cannot write to it.
"""

import hashlib
import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tutor_lsp.authoring.workspace import record
from tutor_lsp.core.exercise.check import plain
from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.store.backups import FOLDER
from tutor_lsp.store.files import make_folder
from tutor_lsp.tutor.exercise.folder.files import given_text

NOTES = "made-here.jsonl"
log = logging.getLogger("tutor_lsp")


def note(home: Path, root: Path, exercise: Exercise, files: Mapping[str, str]) -> None:
    """Note a folder that was just made of these files. Blocks; a note that cannot be written is
    skipped: after a loss its learner is asked once.
    """
    try:
        make_folder(home / FOLDER)
        line = json.dumps(_line(root, exercise, files), sort_keys=True) + "\n"
        path = home / FOLDER / NOTES
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "ab", buffering=0) as stream:
            stream.write(line.encode())
    except OSError as error:
        log.warning("%s could not be noted as made here: %s", root, error)


def is_noted(home: Path, root: Path, exercise: Exercise, files: Mapping[str, str]) -> bool:
    """Whether this very folder was made here, and its exercise and the files as given are still
    what they were; what its learner wrote may be anything. Blocks.
    """
    try:
        lines = (home / FOLDER / NOTES).read_text(encoding="utf-8").splitlines()
        return json.dumps(_line(root, exercise, files), sort_keys=True) in lines
    except (OSError, UnicodeDecodeError):
        return False


def _line(root: Path, exercise: Exercise, files: Mapping[str, str]) -> dict[str, Any]:
    """A folder's fingerprint: its place, its identity (a copy has another), and what was given."""
    digest = hashlib.sha256(record(plain(exercise)).encode("utf-8", "surrogatepass"))
    for name in sorted(set(exercise.files) - set(exercise.starter)):
        text = given_text(files.get(name))
        digest.update(repr((name, text)).encode("utf-8", "surrogatepass"))
    return {
        "folder": os.path.realpath(root),
        "inode": root.stat().st_ino,
        "given": digest.hexdigest(),
    }
