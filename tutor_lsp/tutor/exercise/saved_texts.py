"""The texts of an exercise as they are saved, and whether they changed since they were read."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tutor_lsp.core.exercise.exercise import LESSON, Exercise
from tutor_lsp.core.exercise.snapshot import readable, run_hash, snapshot
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.tutor.exercise.disk import Signs, read_disk, signs_of
from tutor_lsp.tutor.exercise.files import read_text

RACY_NS = 50_000_000
"""A file that changed this short before it was looked at may change again with the same times: the
clock of file systems ticks every few milliseconds."""
COARSE_NS = 2_000_000_000
"""The same where a file system keeps whole seconds."""
_SECOND_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class SavedTexts:
    """`texts` of all files that matter to a run and of the lesson, by relative path; `check_hash`
    and `attempt_hash` identify all that a check and an attempt would run on, as reports do."""

    texts: Mapping[str, str]
    check_hash: str
    attempt_hash: str

    @property
    def hashes(self) -> frozenset[str]:
        """Those of all reports that are about these texts."""
        return frozenset({self.check_hash, self.attempt_hash})


@dataclass(frozen=True, slots=True)
class _Seen:
    signs: Signs = field(default_factory=dict)
    saved: SavedTexts = SavedTexts({}, "", "")
    racy: bool = True


class SavedFiles:
    """Reads an exercise's files anew when their signs changed. Use from one thread only."""

    def __init__(
        self, root: Path, exercise: Exercise, given: Mapping[str, str], toolchain: Toolchain
    ) -> None:
        """`given` are all files as delivered."""
        self._root = root
        self._exercise = exercise
        self._given = given
        self._toolchain = toolchain
        self._seen = _Seen()

    def look(self) -> SavedTexts:
        """The saved texts now; a fraction of a millisecond where nothing changed."""
        seen, now = self._seen, time.time_ns()
        signs = signs_of(self._root, self._exercise.files, self._toolchain)
        lesson = _sign_of(self._root / LESSON)
        if lesson is not None:
            signs[LESSON] = lesson
        if seen.racy or seen.signs != signs:
            saved = read_saved(self._root, self._exercise, self._given, self._toolchain)
            self._seen = seen = _Seen(signs, saved, any(_racy(s, now) for s in signs.values()))
        return seen.saved


def read_saved(
    root: Path, exercise: Exercise, given: Mapping[str, str], toolchain: Toolchain
) -> SavedTexts:
    """The saved texts now; `given` are all files as delivered. Blocks; for any thread."""
    found = read_disk(root, exercise.files, toolchain).found
    texts = {file: readable(text) for file, text in found.texts.items()}
    lesson = read_text(root / LESSON)
    if lesson is not None:
        texts[LESSON] = lesson
    shot = snapshot(exercise, given, found, toolchain)
    return SavedTexts(texts, run_hash(shot, found), shot.hash)


def _sign_of(path: Path) -> tuple[int, ...] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _racy(sign: tuple[int, ...], now: int) -> bool:
    written, changed = sign[2:]
    whole = not written % _SECOND_NS and not changed % _SECOND_NS
    return now - max(written, changed) < (COARSE_NS if whole else RACY_NS)
