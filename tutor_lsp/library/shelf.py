"""The exercises of one library: what lists show, and what was read of each before.

Reading an `exercise.toml` takes a third of a millisecond, so what was read of a long library is
kept in one file: an exercise is read again when its description or its folder changed.
"""

import contextlib
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from tutor_lsp import __version__
from tutor_lsp.core.learner.curriculum import Curriculum
from tutor_lsp.core.mend import Mend, Problem
from tutor_lsp.files.parsing import parse_toml
from tutor_lsp.files.reading import Unreadable, read_below
from tutor_lsp.languages.registry import languages
from tutor_lsp.library.entry import MOST_BYTES, BrokenExerciseError, Entry, read_entry
from tutor_lsp.library.topics import Topic, parse_own
from tutor_lsp.wire import from_wire, to_wire

MOST_FOLDERS = 2000
"""Most folders of one library that are read."""
WORTH = 20
"""Folders from which on what was read of them is kept."""
RACY_NS = 2_000_000_000
"""What changed this shortly before it was read may change again with the same times."""
TOPICS = "curriculum.toml"
"""Describes a library's own topics; beside its exercises, or in the folder of a language."""
LIBRARIES = Mend("setting", setting="libraries")
LOOKED_AT = 100
"""Most folders in a folder without exercises that are looked at to see what was meant."""
_SIGNED = ("", "/exercise.toml", "/solution")

Read = Callable[[Path, str | None], Entry]


class Listed(NamedTuple):
    """An exercise in short. `whole` is its entry, or the JSON of it."""

    id: str
    node: str
    slug: str
    language: str
    title: str
    depth: str
    topic: Topic | None
    folder: str
    whole: Entry | str

    def entry(self) -> Entry:
        """All of it."""
        if isinstance(self.whole, str):
            return from_wire(Entry, json.loads(self.whole))
        return self.whole


class Shelf(NamedTuple):
    """Exercises by folder, in order, what the library says of its topics, and one sentence for
    each folder and file that cannot be used. `rows` is what need not be read again.
    """

    root: Path
    exercises: list[Listed]
    topics: list[Curriculum]
    problems: list[str]
    rows: dict[str, Any]


def read_shelf(root: Path, kept_in: Path | None = None, known: Shelf | None = None) -> Shelf:
    """The exercises of a library. With `kept_in`, what was read of a long one is kept in that
    folder, which is made where the one above it is there; what is `known` of an earlier read is
    used where no file changed since. Blocks.
    """
    shelf = Shelf(root, [], [], [], {})
    folders = _folders(root, shelf)
    file = None
    if kept_in is not None and len(folders) >= WORTH:
        file = kept_in / f"{hashlib.sha256(os.fsencode(root)).hexdigest()[:16]}.json"
    before = known.rows if known is not None else _load(file) if file is not None else {}
    now = time.time_ns()
    for language, folder in folders:
        sign = _sign(folder)
        row = before.get(folder)
        if row is None or sign is None or row[0] != [language, *sign]:
            row = [[language, *(sign or ())], *_row(_read(folder, language))]
        if sign is not None and now - max(sign) > RACY_NS:
            shelf.rows[folder] = row
        _add(shelf, folder, _of_row(folder, row))
    if file is not None and shelf.rows != before:
        _keep(file, shelf.rows)
    return shelf


def read_bundled(root: Path) -> Shelf:
    """The exercises of a library to which nobody writes. Blocks."""
    shelf = Shelf(root, [], [], [], {})
    for language, folder in _folders(root, shelf):
        _add(shelf, folder, _read(folder, language))
    return shelf


def unused(folder: str, why: str) -> Problem:
    """That an exercise is left out, and the file that says what is wrong with it."""
    mend = Mend("file", file=f"{folder}/exercise.toml")
    return Problem(f"Exercise {folder} is left out: {why}.", mend)


def _add(shelf: Shelf, folder: str, found: Listed | str) -> None:
    if isinstance(found, str):
        shelf.problems.append(unused(folder, found))
    else:
        shelf.exercises.append(found)


def _read(folder: str, language: str | None) -> Listed | str:
    """The exercise in a folder, or why it is left out."""
    try:
        entry = read_entry(Path(folder), language)
    except BrokenExerciseError as error:
        return str(error)
    short = (entry.id, entry.node, entry.slug, entry.language, entry.title, entry.depth)
    return Listed(*short, entry.topic, folder, entry)


def _row(found: Listed | str) -> list[Any]:
    if isinstance(found, str):
        return [found]
    *short, topic, _, entry = found
    return ["", *short, topic and to_wire(topic), json.dumps(to_wire(entry))]


def _of_row(folder: str, row: list[Any]) -> Listed | str:
    _, problem, *short = row
    if problem:
        return str(problem)
    *named, topic, whole = short
    return Listed(*named, from_wire(Topic, topic) if topic else None, folder, whole)


def _sign(folder: str) -> tuple[int, ...] | None:
    """What changes with an exercise: times, size and inode of its description, and of the folders
    whose parts must be there.
    """
    found: list[int] = []
    try:
        for end in _SIGNED:
            there = os.stat(folder + end)  # noqa: PTH116 - there may be thousands
            found += (there.st_mtime_ns, there.st_size, there.st_ino)
    except OSError:
        return None
    return tuple(found)


def _load(file: Path) -> dict[str, Any]:
    """What was kept by this version, by folder."""
    try:
        kept = json.loads(file.read_bytes())
        if kept["version"] != __version__:
            return {}
        folders = kept["folders"]
        sound = all(len(row) in (2, 10) and isinstance(row[0], list) for row in folders.values())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    return folders if sound else {}


def _keep(file: Path, folders: Mapping[str, Any]) -> None:
    """Replace what was kept; where that fails it is read again next time."""
    with contextlib.suppress(OSError, UnicodeEncodeError):
        for folder in (file.parent.parent, file.parent):
            folder.mkdir(exist_ok=True)  # not the home itself: looking makes none
        handle, part = tempfile.mkstemp(dir=file.parent, prefix=".shelf-")
        try:
            with os.fdopen(handle, "w", encoding="ascii") as written:
                json.dump({"version": __version__, "folders": folders}, written)
            Path(part).replace(file)
        except BaseException:
            Path(part).unlink(missing_ok=True)
            raise


def _folders(root: Path, shelf: Shelf) -> list[tuple[str | None, str]]:
    """The folders of exercises, each with the language whose folder it is in."""
    folders: list[tuple[str | None, str]] = []
    try:
        if (root / "exercise.toml").is_file():
            return [(None, str(root))]
        _read_topics(root, "", shelf)
        for name, is_folder in _inside(root):
            folder = str(root / name)
            if os.path.lexists(f"{folder}/exercise.toml"):
                folders.append((None, folder))
            elif is_folder and name in languages():
                _read_topics(Path(folder), name, shelf)
                folders.extend(
                    (name, f"{folder}/{inner}")
                    for inner, is_one in _inside(Path(folder))
                    if is_one and inner[0] not in "._"
                )
            elif is_folder and name[0] not in "._":
                shelf.problems.extend(_stray(folder))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no folder can have this name"
        shelf.problems.append(Problem(f"The library {root} cannot be read: {why}.", LIBRARIES))
    if len(folders) > MOST_FOLDERS:
        shelf.problems.append(f"Only the first {MOST_FOLDERS} folders of {root} are read.")
    return folders[:MOST_FOLDERS]


def _stray(folder: str) -> list[str]:
    """Why a folder that was meant to have exercises is left out; empty for any other folder."""
    if os.path.lexists(f"{folder}/solution") and os.path.lexists(f"{folder}/LESSON.md"):
        return [f"Exercise {folder} is left out: it has no exercise.toml."]
    try:
        inside = _inside(Path(folder))[:LOOKED_AT]
    except OSError:
        return []
    if any(os.path.lexists(f"{folder}/{name}/exercise.toml") for name, _ in inside):
        said = (
            f"Folder {folder} is left out: it is named after no language. Add the folder itself "
            "to the setting libraries to use its exercises."
        )
        return [Problem(said, LIBRARIES)]
    return []


def _read_topics(folder: Path, language: str, shelf: Shelf) -> None:
    """What a folder's file of topics says, if it has one."""
    if not os.path.lexists(folder / TOPICS):
        return
    try:
        table = parse_toml(read_below(folder, TOPICS, MOST_BYTES))
        shelf.topics.append(parse_own(table, language))
    except (Unreadable, ValueError) as error:
        file = folder / TOPICS
        said = f"{file} is left out: {_clause(error)}."
        shelf.problems.append(Problem(said, Mend("file", file=str(file))))


def _clause(error: Exception) -> str:
    said = str(error)
    return said.removeprefix(f"{TOPICS} ")


def _inside(folder: Path) -> list[tuple[str, bool]]:
    """Names in a folder, in order, and whether each is a folder, too."""
    with os.scandir(folder) as entries:
        found = [(entry.name, entry.is_dir()) for entry in islice(entries, 10 * MOST_FOLDERS)]
    return sorted(found)
