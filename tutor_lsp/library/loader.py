"""Libraries of exercises: the bundled one and folders of own exercises."""

import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Proof
from tutor_lsp.core.exercise.files import FileLimits
from tutor_lsp.core.learner.curriculum import Curriculum, CurriculumError, combine, parse
from tutor_lsp.core.wire import from_wire
from tutor_lsp.languages.language import Language
from tutor_lsp.languages.registry import languages
from tutor_lsp.library.entry import BrokenExerciseError, Entry, EntryUnit, read_entry
from tutor_lsp.library.markdown import body, split_at
from tutor_lsp.library.texts import Texts

__all__ = [
    "BUNDLED",
    "BrokenExerciseError",
    "BundledExercise",
    "Entry",
    "EntryUnit",
    "Library",
    "is_bundled",
    "load_curriculum",
    "shipped_proof",
]

BUNDLED = Path(__file__).parent
"""The library that ships with the package."""

MAX_FILE_BYTES = 128 * 1024
LIMITS = FileLimits(file_bytes=MAX_FILE_BYTES)
MOST_FOLDERS = 2000
"""Folders of one library that are looked at."""
_NOT_EXERCISES = frozenset({"target"})
_LANGUAGE = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class BundledExercise:
    """All texts of an exercise, by path relative to the exercise (`src/…`, `tests/…`).

    `solution` is keyed by the file of `src/` that it replaces. `hints` maps a unit's id to its
    L1, L2 and L3 texts, `accepts` to the text of its domain, if it has one.
    """

    entry: Entry
    lesson: str
    src: Mapping[str, str]
    tests: Mapping[str, str]
    solution: Mapping[str, str]
    hints: Mapping[str, tuple[str, str, str]]
    accepts: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> dict[str, str]:
        """What a learner gets: lesson, starter and tests."""
        return {"LESSON.md": self.lesson, **self.src, **self.tests}


class Library:
    """Exercises under `roots`: `<root>/<language>/<node>-<slug>/`, `<root>/<node>-<slug>/`, or
    `<root>` itself.

    Folders are read once, when first asked. Of equal ids the first root's exercise counts. A
    folder that cannot be used is left out and told in `problems`, one sentence each, and so is a
    root without any exercise. Of an
    exercise no more is read than `limits` allow, and no link is followed in it.
    """

    def __init__(self, roots: Sequence[Path], limits: FileLimits | None = None) -> None:
        self.roots = tuple(roots)
        self._limits = LIMITS if limits is None else replace(limits, file_bytes=MAX_FILE_BYTES)

    @cached_property
    def _read(self) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
        entries: dict[str, Entry] = {}
        problems: list[str] = []
        rank: dict[str, int] = {}
        for number, root in enumerate(self.roots):
            here: dict[str, Entry] = {}
            known = len(problems)
            for language, path in _folders(root, problems):
                try:
                    entry = read_entry(path, language)
                except BrokenExerciseError as error:
                    problems.append(f"Exercise {path} is left out: {error}.")
                    continue
                if entry.id in here:
                    first = here[entry.id].path
                    problems.append(
                        f'Exercise {path} is left out: its id "{entry.id}" is that of {first}.'
                    )
                here.setdefault(entry.id, entry)
            if not here and len(problems) == known:
                problems.append(
                    f"The library {root} holds no exercise: name a folder with exercises in it, "
                    "each in a folder of its own with an exercise.toml."
                )
            entries = here | entries
            rank = dict.fromkeys(here, number) | rank
        ordered = sorted(
            entries.values(), key=lambda e: (e.language, rank[e.id], e.depth, e.node, e.slug)
        )
        return tuple(ordered), tuple(problems)

    @property
    def problems(self) -> tuple[str, ...]:
        """One sentence per folder that is left out."""
        return self._read[1]

    def entries(self, language: str | None = None) -> tuple[Entry, ...]:
        """All exercises, or those of a language, sorted by language, root, depth, node and slug."""
        return tuple(e for e in self._read[0] if language is None or e.language == language)

    def find(self, node: str) -> tuple[Entry, ...]:
        """The exercises of a node, those of the first root first."""
        return tuple(entry for entry in self._read[0] if entry.node == node)

    def by_id(self, exercise_id: str) -> Entry | None:
        """The exercise with that id, or None."""
        return next((entry for entry in self._read[0] if entry.id == exercise_id), None)

    def load(self, entry: Entry) -> BundledExercise:
        """All texts of an exercise. Raises TutorError `BROKEN_EXERCISE`."""
        try:
            return read_exercise(entry, self._limits)
        except BrokenExerciseError as error:
            raise TutorError(
                "BROKEN_EXERCISE",
                f'The exercise "{entry.title}" cannot be used: {error}. Mend or remove '
                f"{entry.path}.",
            ) from None


def read_exercise(entry: Entry, limits: FileLimits = LIMITS) -> BundledExercise:
    """All texts of the exercise in `entry.path`. Raises BrokenExerciseError."""
    texts = Texts(entry.path, limits)
    solution = texts.below("src", "solution/")
    exercise = BundledExercise(
        entry=entry,
        lesson=texts.one("LESSON.md"),
        src=texts.below("src"),
        tests=texts.below("tests"),
        solution=solution,
        hints={unit.id: _hints(texts, unit.id) for unit in entry.units},
        accepts=_accepts(texts, entry),
    )
    stray = sorted(solution.keys() - exercise.src.keys())
    if stray:
        raise BrokenExerciseError(f"solution/{stray[0]} replaces no file of the starter")
    for unit in entry.units:
        if unit.file not in exercise.src:
            raise BrokenExerciseError(f"{unit.id} names {unit.file}, which is not there")
        if unit.file not in solution:
            raise BrokenExerciseError(f"solution/{unit.file} is missing")
    return exercise


def is_bundled(entry: Entry) -> bool:
    """Whether an exercise ships with the package, so that nobody else wrote it."""
    return entry.path.is_relative_to(BUNDLED)


def load_curriculum() -> Curriculum:
    """The curriculum of all languages, from their `curriculum.toml`. Blocks.

    Raises TutorError `BROKEN_CURRICULUM` for data that cannot be read.
    """
    return combine([_topics(known) for _, known in sorted(languages().items())])


def _topics(language: Language) -> Curriculum:
    try:
        return parse(tomllib.loads(language.text("curriculum.toml") or ""))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, CurriculumError) as error:
        raise TutorError(
            "BROKEN_CURRICULUM",
            f"The list of topics in {language.name} cannot be read: {error}. Install the tutor "
            "again.",
            details={"language": language.id},
        ) from error


def shipped_proof(content_hash: str, root: Path = BUNDLED) -> Proof | None:
    """The proof that ships for exactly this content, or None."""
    try:
        records = json.loads((root / "proofs.json").read_bytes())
        found = records["proofs"].get(content_hash)
        return None if found is None else from_wire(Proof, found["proof"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # a damaged record proves nothing: the proof is made again


def _folders(root: Path, problems: list[str]) -> list[tuple[str | None, Path]]:
    found: list[tuple[str | None, Path]] = []
    try:
        if (root / "exercise.toml").is_file():
            return [(None, root)]
        for folder in _inside(root):
            if os.path.lexists(folder / "exercise.toml"):
                found.append((None, folder))
                continue
            if not _LANGUAGE.fullmatch(folder.name) or folder.name in _NOT_EXERCISES:
                continue
            if folder.is_dir():
                found.extend(
                    (folder.name, path)
                    for path in _inside(folder)
                    if path.is_dir() and path.name[0] not in "._"
                )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no folder has such a name"
        problems.append(f"The library {root} cannot be read: {why}.")
    if len(found) > MOST_FOLDERS:
        problems.append(f"Only the first {MOST_FOLDERS} folders of {root} are looked at.")
    return found[:MOST_FOLDERS]


def _inside(folder: Path) -> list[Path]:
    with os.scandir(folder) as entries:
        names = [entry.name for entry in islice(entries, 10 * MOST_FOLDERS)]
    return [folder / name for name in sorted(names)]


def _accepts(texts: Texts, entry: Entry) -> dict[str, str]:
    """The domains that are there: `accepts/<unit>` with the suffix of the unit's own file."""
    if not texts.has("accepts"):
        return {}
    given = texts.below("accepts")
    named = {accepts_file(unit): unit.id for unit in entry.units}
    stray = sorted(given.keys() - named.keys())
    if stray:
        raise BrokenExerciseError(f"{stray[0]} belongs to no unit")
    return {named[file]: text for file, text in given.items()}


def accepts_file(unit: EntryUnit) -> str:
    """Where the domain of a unit stands in its exercise."""
    return f"accepts/{unit.id}{PurePosixPath(unit.file).suffix}"


def _hints(texts: Texts, unit: str) -> tuple[str, str, str]:
    name = f"hints/{unit}.md"
    pieces = split_at(texts.one(name), 2)
    titles = [piece.partition("\n")[0].strip() for piece in pieces]
    if titles != ["## L1", "## L2", "## L3"]:
        raise BrokenExerciseError(f"{name} must have exactly the sections L1, L2 and L3")
    first, second, third = (body(piece) for piece in pieces)
    return first, second, third
