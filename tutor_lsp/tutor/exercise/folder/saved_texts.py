"""The saved texts of an exercise, and whether they changed since they were read."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tutor_lsp.core.exercise.exercise import LESSON, Exercise
from tutor_lsp.core.exercise.snapshot import readable, run_hash, snapshot
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.tutor.exercise.folder.disk import Signs, places_of, read_disk, sign_of, signs_of
from tutor_lsp.tutor.exercise.folder.files import read_text

RACY_NS = 50_000_000
"""A file that changed this shortly before it was checked may change again with the same times: the
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


@dataclass(frozen=True, slots=True)
class _Quiet:
    """Places, and their signs when nothing had changed; without any, all is looked at."""

    places: tuple[str, ...] = ()
    signs: tuple[tuple[int, ...] | None, ...] = ()


@dataclass(slots=True)
class SavedFiles:
    """Reads an exercise's files again when their signs changed; `given` are all files as delivered.
    Use from one thread only."""

    root: Path
    exercise: Exercise
    given: Mapping[str, str]
    toolchain: Toolchain
    _seen: _Seen = field(default_factory=_Seen)
    _quiet: _Quiet = field(default_factory=_Quiet)

    def look(self) -> SavedTexts:
        """The saved texts now; some microseconds where nothing changed: it is asked five times a
        second."""
        seen, now = self._seen, time.time_ns()
        places = self._quiet.places
        here = tuple(map(_sign, places))
        if here and here == self._quiet.signs:
            return seen.saved
        signs = signs_of(self.root, self.exercise.files, self.toolchain)
        lesson = sign_of(self.root / LESSON)
        if lesson is not None:
            signs[LESSON] = lesson
        if seen.racy or seen.signs != signs:
            saved = read_saved(self.root, self.exercise, self.given, self.toolchain)
            self._seen = seen = _Seen(signs, saved, any(_racy(s, now) for s in signs.values()))
            self._quiet = _Quiet(places_of(self.root, (*self.exercise.files, *signs)))
        elif not any(sign is not None and _racy(sign, now) for sign in here):
            # Looked at before the files were: what changes from now on changes these.
            self._quiet = _Quiet(places, here)
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


def _sign(place: str) -> tuple[int, ...] | None:
    """Like `sign_of`, without the cost of a path."""
    try:
        there = os.stat(place)  # noqa: PTH116 - asked for every file five times a second
    except OSError:
        return None
    return there.st_ino, there.st_size, there.st_mtime_ns, there.st_ctime_ns


def _racy(sign: tuple[int, ...], now: int) -> bool:
    written, changed = sign[2:]
    whole = not written % _SECOND_NS and not changed % _SECOND_NS
    return now - max(written, changed) < (COARSE_NS if whole else RACY_NS)
