"""Libraries of exercises: the bundled one and folders of own exercises."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from tutor_lsp.core.curriculum import Curriculum, CurriculumError, combine, parse
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise import Proof
from tutor_lsp.core.wire import from_wire
from tutor_lsp.library.entry import BrokenExerciseError, Entry, EntryUnit, read_entry
from tutor_lsp.library.markdown import body, split_at

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
_NOT_EXERCISES = frozenset({"curriculum", "remedial", "target"})
_LANGUAGE = re.compile(r"[a-z0-9]+")
_IGNORED = frozenset({"__pycache__", "target"})


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
    """Exercises under `roots`: `<root>/<language>/<node>-<slug>/`, or `<root>` itself.

    Folders are read once, when first asked. Of equal ids the first root's exercise counts. A
    folder that cannot be used is left out and told in `problems`, one sentence each.
    """

    def __init__(self, roots: Sequence[Path]) -> None:
        self.roots = tuple(roots)

    @cached_property
    def _read(self) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
        entries: dict[str, Entry] = {}
        problems: list[str] = []
        for root in self.roots:
            here: dict[str, Entry] = {}
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
            entries = here | entries
        ordered = sorted(entries.values(), key=lambda e: (e.language, e.depth, e.node, e.slug))
        return tuple(ordered), tuple(problems)

    @property
    def problems(self) -> tuple[str, ...]:
        """One sentence per folder that is left out."""
        return self._read[1]

    def entries(self, language: str | None = None) -> tuple[Entry, ...]:
        """All exercises, or those of a language, sorted by language, depth, node and slug."""
        return tuple(e for e in self._read[0] if language is None or e.language == language)

    def find(self, node: str) -> tuple[Entry, ...]:
        """The exercises of a node."""
        return tuple(entry for entry in self._read[0] if entry.node == node)

    def by_id(self, exercise_id: str) -> Entry | None:
        """The exercise with that id, or None."""
        return next((entry for entry in self._read[0] if entry.id == exercise_id), None)

    def load(self, entry: Entry) -> BundledExercise:
        """All texts of an exercise. Raises TutorError `BROKEN_EXERCISE`."""
        try:
            return read_exercise(entry)
        except BrokenExerciseError as error:
            raise TutorError(
                "BROKEN_EXERCISE",
                f'The exercise "{entry.title}" cannot be used: {error}. Mend or remove '
                f"{entry.path}.",
            ) from None


def read_exercise(entry: Entry) -> BundledExercise:
    """All texts of the exercise in `entry.path`. Raises BrokenExerciseError."""
    path = entry.path
    solution = _texts(path / "solution", "src")
    hints = {unit.id: _hints(path / "hints" / f"{unit.id}.md") for unit in entry.units}
    exercise = BundledExercise(
        entry=entry,
        lesson=_text(path / "LESSON.md", "LESSON.md"),
        src=_texts(path, "src"),
        tests=_texts(path, "tests"),
        solution=solution,
        hints=hints,
        accepts=_accepts(entry),
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


def load_curriculum(root: Path = BUNDLED) -> Curriculum:
    """The curriculum of all languages from `<root>/curriculum/*.toml`.

    Raises TutorError `BROKEN_CURRICULUM` for data that cannot be read.
    """
    parts: list[Curriculum] = []
    for file in sorted((root / "curriculum").glob("*.toml")):
        try:
            parts.append(parse(tomllib.loads(file.read_text("utf-8"))))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, CurriculumError) as error:
            raise TutorError(
                "BROKEN_CURRICULUM",
                f"The list of topics in {file} cannot be read: {error}. Install the tutor again.",
                details={"path": str(file)},
            ) from error
    return combine(parts)


def shipped_proof(content_hash: str, root: Path = BUNDLED) -> Proof | None:
    """The proof that ships for exactly this content, or None."""
    try:
        records = json.loads((root / "proofs.json").read_bytes())
        found = records["proofs"].get(content_hash)
        return None if found is None else from_wire(Proof, found["proof"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # a damaged record proves nothing: the proof is made again


def _folders(root: Path, problems: list[str]) -> list[tuple[str | None, Path]]:
    if (root / "exercise.toml").is_file():
        return [(None, root)]
    found: list[tuple[str | None, Path]] = []
    try:
        for folder in sorted(root.iterdir()):
            if not _LANGUAGE.fullmatch(folder.name) or folder.name in _NOT_EXERCISES:
                continue
            if folder.is_dir():
                found.extend(
                    (folder.name, path)
                    for path in sorted(folder.iterdir())
                    if path.is_dir() and path.name[0] not in "._"
                )
    except OSError as error:
        problems.append(f"The library {root} cannot be read: {error.strerror}.")
    return found


def _texts(base: Path, part: str) -> dict[str, str]:
    found: dict[str, str] = {}
    waiting = [base / part]
    while waiting:
        for path in sorted(waiting.pop().iterdir()):
            if path.name.startswith(".") or path.name in _IGNORED or path.suffix == ".pyc":
                continue
            name = path.relative_to(base).as_posix()
            if path.is_symlink():
                raise BrokenExerciseError(f"{name} is a link")
            if path.is_dir():
                waiting.append(path)
            else:
                found[name] = _text(path, name)
    if not found:
        raise BrokenExerciseError(f"{part} is empty")
    return dict(sorted(found.items()))


def _accepts(entry: Entry) -> dict[str, str]:
    """The domains that are there: `accepts/<unit>` with the suffix of the unit's own file."""
    if not (entry.path / "accepts").is_dir():
        return {}
    texts = _texts(entry.path, "accepts")
    named = {accepts_file(unit): unit.id for unit in entry.units}
    stray = sorted(texts.keys() - named.keys())
    if stray:
        raise BrokenExerciseError(f"{stray[0]} belongs to no unit")
    return {named[file]: text for file, text in texts.items()}


def accepts_file(unit: EntryUnit) -> str:
    """Where the domain of a unit stands in its exercise."""
    return f"accepts/{unit.id}{PurePosixPath(unit.file).suffix}"


def _text(path: Path, name: str) -> str:
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8")
    except FileNotFoundError:
        raise BrokenExerciseError(f"{name} is missing") from None
    except OSError as error:
        raise BrokenExerciseError(f"{name} cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise BrokenExerciseError(f"{name} is not UTF-8 text") from None
    if len(raw) > MAX_FILE_BYTES:
        raise BrokenExerciseError(f"{name} is larger than {MAX_FILE_BYTES // 1024} KiB")
    if "\r" in text or text.startswith("\ufeff"):
        raise BrokenExerciseError(f"{name} must have plain line ends and no byte order mark")
    if text and (not text.endswith("\n") or text.endswith("\n\n")):
        raise BrokenExerciseError(f"{name} must end with exactly one newline")
    return text


def _hints(path: Path) -> tuple[str, str, str]:
    name = f"hints/{path.name}"
    pieces = split_at(_text(path, name), 2)
    titles = [piece.partition("\n")[0].strip() for piece in pieces]
    if titles != ["## L1", "## L2", "## L3"]:
        raise BrokenExerciseError(f"{name} must have exactly the sections L1, L2 and L3")
    first, second, third = (body(piece) for piece in pieces)
    return first, second, third
