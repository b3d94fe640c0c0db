"""The files of an exercise folder on the disk: what a run there would use."""

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.exercise.snapshot import Found, NewFile, Rules
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.registry import special_names
from tutor_lsp.tutor.exercise.folder.files import MOST_BYTES, read_bytes

Signs = dict[str, tuple[int, ...]]
"""By path, what changes with a file: inode, size, mtime and ctime in ns."""

MOST_NEW = 100
"""Most files read besides the given ones."""
MOST_LOOKED_AT = 2000
"""Most folder entries that are checked."""
_FOLDERS = frozenset({"src", "tests"})
_LEFT = frozenset({"__pycache__", "node_modules"})


@dataclass(frozen=True, slots=True)
class Disk:
    """What was found, and signs that later show whether anything has changed."""

    found: Found
    signs: Signs


def read_disk(root: Path, files: Collection[str], rules: Rules) -> Disk:
    """Read the exercise's `files`, without the lesson, and what else a run may load. Blocks.

    Never follows a link out of the folder, never waits for a pipe or a device, and reads at most
    `MOST_NEW` further files of at most `MOST_BYTES` each.
    """
    texts: dict[str, str] = {}
    odd: dict[str, str] = {}
    signs: Signs = {}
    new = 0
    for file, path, kind in _files(root, files, rules):
        sign = sign_of(path, follow=kind is None)
        if sign is None:
            continue
        if kind is None or not kind.data:
            signs[file] = sign
        new += kind is not None
        if kind is not None and path.is_symlink():
            odd[file] = t("it is a link")
        elif new > MOST_NEW:
            odd[file] = t(f"there are more than {MOST_NEW} files of your own")
        elif (data := read_bytes(path)) is None:
            odd[file] = t(f"it is not a readable file of at most {MOST_BYTES >> 20} MB")
        elif kind is not None and b"\0" in data:
            odd[file] = t("it is not text")
        else:
            texts[file] = data.decode("utf-8", "surrogateescape")
    return Disk(Found(texts, odd), signs)


def signs_of(root: Path, files: Collection[str], rules: Rules) -> Signs:
    """The signs alone, of the same files. Blocks for less than a millisecond or so."""
    signs: Signs = {}
    for file, path, kind in _files(root, files, rules):
        sign = None if kind is not None and kind.data else sign_of(path, follow=kind is None)
        if sign is not None:
            signs[file] = sign
    return signs


def sign_of(path: Path, *, follow: bool = True) -> tuple[int, ...] | None:
    """A file's signs, None if it is not there."""
    try:
        status = path.stat(follow_symlinks=follow)
    except OSError:
        return None
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _files(
    root: Path, files: Collection[str], rules: Rules
) -> Iterator[tuple[str, Path, NewFile | None]]:
    """Every file that matters to a run, with what it is; None for one of the exercise's own."""
    real = os.path.realpath(root) + os.sep
    given = set(files)
    for file in sorted(given - {LESSON}):
        path = root / file
        if os.path.realpath(path).startswith(real):
            yield file, path, None
    for file, path in _others(root):
        if file not in given:
            kind = rules.new_file(file)
            if kind.taken or kind.why:
                yield file, path, kind


def places_of(root: Path, files: Iterable[str]) -> tuple[str, ...]:
    """Paths whose signs change with those of `files`, and with any other file that would matter:
    the files, their folders, and the folders that tools look into. Blocks likewise.
    """
    looked_into: list[str] = []
    for _ in _others(root, looked_into):
        pass
    given = [root / file for file in files]
    folders = {root, *(path.parent for path in given), *(root / name for name in looked_into)}
    return tuple(sorted(map(str, {*given, *folders})))


def _others(root: Path, looked_into: list[str] | None = None) -> Iterator[tuple[str, Path]]:
    """Files at the top and in the folders that tools look into, links to folders among them; the
    folders are added to `looked_into`."""
    tops = _FOLDERS | special_names().folders
    folders = [""]
    looked_at = 0
    while folders:
        folder = folders.pop()
        if looked_into is not None:
            looked_into.append(folder)
        try:
            with os.scandir(root / folder) as entries:
                inside = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in inside:
            looked_at += 1
            if looked_at > MOST_LOOKED_AT:
                return
            file = f"{folder}/{entry.name}" if folder else entry.name
            if not entry.is_dir(follow_symlinks=False):
                yield file, Path(entry.path)
            elif entry.name in tops if not folder else _is_source_folder(entry.name):
                folders.append(file)


def _is_source_folder(name: str) -> bool:
    return not name.startswith(".") and name not in _LEFT
