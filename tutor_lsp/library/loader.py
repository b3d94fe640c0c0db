"""Libraries of exercises: the bundled one and folders with the user's own exercises."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import cast

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Proof, UnitKind
from tutor_lsp.core.exercise.files import FileLimits
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.exercise.signatures import Signatures
from tutor_lsp.core.learner.curriculum import Curriculum, combine
from tutor_lsp.core.session import Programs
from tutor_lsp.languages.registry import AnyLanguage, languages
from tutor_lsp.library import beside
from tutor_lsp.library.entry import BrokenExerciseError, Entry, EntryUnit
from tutor_lsp.library.gather import Gathered, OwnLibrary, gather
from tutor_lsp.library.markdown import body, split_at
from tutor_lsp.library.shelf import Listed, Shelf, read_bundled, read_shelf
from tutor_lsp.library.texts import Texts
from tutor_lsp.library.topics import parse
from tutor_lsp.wire import from_wire

BUNDLED = Path(__file__).parent
"""The library that ships with the package."""

LIMITS = FileLimits()
"""Limits of an exercise where no settings name others."""


@dataclass(frozen=True, slots=True)
class BundledExercise:
    """All texts of an exercise, by path relative to the exercise (`src/…`, `tests/…`).

    `solution` is keyed by the learner's file that it replaces. `hints` maps a unit's id to its
    L1, L2 and L3 texts, `accepts` to the text of its domain, if it has one, `mistakes` to
    those that are known of it, `programs` to those that the tests it asks for run on.
    """

    entry: Entry
    lesson: str
    src: Mapping[str, str]
    tests: Mapping[str, str]
    solution: Mapping[str, str]
    hints: Mapping[str, tuple[str, str, str]]
    accepts: Mapping[str, str] = field(default_factory=dict)
    mistakes: Mapping[str, tuple[Mistake, ...]] = field(default_factory=dict)
    programs: Mapping[str, Programs] = field(default_factory=dict)

    @property
    def files(self) -> dict[str, str]:
        """The learner's files: lesson, starter and tests."""
        return {"LESSON.md": self.lesson, **self.src, **self.tests}


class Library:
    """Exercises under `roots`: `<root>/<language>/<node>-<slug>/`, `<root>/<node>-<slug>/`, or
    `<root>` itself, and the topics that they bring along.

    Folders are read on first use, and again by `refresh`. Of equal ids the first root's exercise
    counts. What cannot be used is left out and reported in `problems`, one sentence each, and so
    is a root without any exercise. No more of an exercise is read than `limits` allow, and no
    links in it are followed. What was read of long libraries is kept in the folder `kept_in`.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        limits: FileLimits = LIMITS,
        *,
        kept_in: Path | None = None,
    ) -> None:
        self.roots = tuple(dict.fromkeys(roots))
        self._limits = limits
        self._kept_in = kept_in
        self._shelves: tuple[Shelf, ...] = ()
        self._gathered: Gathered | None = None

    @property
    def _all(self) -> Gathered:
        if self._gathered is None:
            self.refresh()
        return cast("Gathered", self._gathered)

    def refresh(self) -> bool:
        """Take up what changed in the own libraries since they were read; whether anything did.
        Blocks."""
        known = {shelf.root: shelf for shelf in self._shelves}
        shelves = tuple(self._read(root, known.get(root)) for root in self.roots)
        before, self._shelves = self._shelves, shelves
        if self._gathered is not None and _contents(before) == _contents(shelves):
            return False
        # Only topics of one's own need those of the tutor.
        own = any(root != BUNDLED for root in self.roots)
        self._gathered = gather(shelves, BUNDLED, load_curriculum() if own else None)
        return True

    def _read(self, root: Path, known: Shelf | None) -> Shelf:
        if root == BUNDLED:
            return known or _bundled()
        return read_shelf(root, self._kept_in, known)

    @property
    def problems(self) -> tuple[str, ...]:
        """One sentence for each thing in the libraries that cannot be used."""
        return tuple(said for each in self._all.own for said in each.left_out)

    @property
    def own(self) -> tuple[OwnLibrary, ...]:
        """The roots besides the bundled library, in order."""
        return self._all.own

    @property
    def curriculum(self) -> Curriculum:
        """The topics of all languages, own ones included. Raises TutorError
        `BROKEN_CURRICULUM`."""
        return self._all.curriculum or load_curriculum()

    @property
    def listed(self) -> tuple[Listed, ...]:
        """All exercises in short, sorted by language, root, depth, node and slug."""
        return self._all.listed

    def nodes(self, language: str) -> frozenset[str]:
        """The nodes of a language that there are exercises on."""
        return frozenset(each.node for each in self.listed if each.language == language)

    def entries(self, language: str | None = None) -> tuple[Entry, ...]:
        """All exercises, or one language's, in the order of `listed`."""
        return tuple(e.entry() for e in self.listed if language is None or e.language == language)

    def find(self, node: str, most: int | None = None) -> tuple[Entry, ...]:
        """A node's exercises, in order of roots, or the first few of them."""
        return tuple(each.entry() for each in self._all.by_node.get(node, ())[:most])

    def by_id(self, exercise_id: str) -> Entry | None:
        """The exercise with that id, or None."""
        found = self._all.by_id.get(exercise_id)
        return found.entry() if found is not None else None

    def load(self, entry: Entry) -> BundledExercise:
        """All texts of an exercise. Raises TutorError `BROKEN_EXERCISE`."""
        try:
            return read_exercise(entry, self._limits)
        except BrokenExerciseError as error:
            raise TutorError(
                "BROKEN_EXERCISE",
                f"The exercise “{entry.title}” cannot be used: {error}. Fix or remove "
                f"{entry.path}.",
            ) from None


def read_exercise(entry: Entry, limits: FileLimits = LIMITS) -> BundledExercise:
    """All texts of the exercise in `entry.path`. Raises BrokenExerciseError."""
    texts = Texts(entry.path, limits)
    solution = texts.below("src", "solution/")
    if texts.has("solution/tests"):
        solution |= texts.below("tests", "solution/")
    exercise = BundledExercise(
        entry=entry,
        lesson=texts.one("LESSON.md"),
        src=texts.below("src"),
        tests=texts.below("tests"),
        solution=solution,
        hints={unit.id: _hints(texts, unit.id) for unit in entry.units},
        accepts=_accepts(texts, entry),
        mistakes=_mistakes(texts, entry),
        programs=beside.read_programs(texts, entry),
    )
    for unit in entry.units:
        if unit.file not in (exercise.tests if unit.kind == UnitKind.TEST else exercise.src):
            raise BrokenExerciseError(f"{unit.id} names {unit.file}, which {_not_there(unit)}")
    own = {unit.file for unit in entry.units if unit.kind == UnitKind.TEST}
    stray = sorted(solution.keys() - exercise.src.keys() - own)
    if stray:
        raise BrokenExerciseError(f"solution/{stray[0]} does not replace any starter file")
    for unit in entry.units:
        if unit.file not in solution:
            raise BrokenExerciseError(f"solution/{unit.file} is missing")
    return exercise


def _not_there(unit: EntryUnit) -> str:
    if unit.kind == UnitKind.TEST:
        return "is no file of tests/"
    return "does not exist"


def _contents(shelves: Sequence[Shelf]) -> list[tuple[object, ...]]:
    """What counts of libraries that were read."""
    return [(each.root, each.exercises, each.topics, each.problems) for each in shelves]


def is_bundled(entry: Entry) -> bool:
    """Whether an exercise ships with the package and so is trusted."""
    return entry.path.is_relative_to(BUNDLED)


@cache
def _bundled() -> Shelf:
    """The bundled library, which stays as it is while this process lives. Blocks at first."""
    return read_bundled(BUNDLED)


@cache
def load_curriculum() -> Curriculum:
    """The curriculum of all languages, from their `curriculum.toml`. Blocks at the first call.

    Raises TutorError `BROKEN_CURRICULUM` for unreadable data.
    """
    return combine([_topics(known) for _, known in sorted(languages().items())])


def _topics(language: AnyLanguage) -> Curriculum:
    try:
        return parse(tomllib.loads(language.text("curriculum.toml") or ""))
    except (OSError, ValueError) as error:
        raise TutorError(
            "BROKEN_CURRICULUM",
            f"The list of topics in {language.name} cannot be read: {error}. Install the tutor "
            "again.",
            details={"language": language.id},
        ) from error


def shipped_proof(content_hash: str, root: Path = BUNDLED) -> Proof | None:
    """The shipped proof of exactly this content, or None."""
    try:
        records = json.loads((root / "proofs.json").read_bytes())
        record = records["proofs"].get(content_hash)
        return None if record is None else from_wire(Proof, record["proof"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # a damaged record proves nothing: the proof runs again


def shipped_signatures(content_hash: str, root: Path = BUNDLED) -> Mapping[str, Signatures]:
    """The shipped signatures of exactly this content, by unit; empty if there are none."""
    try:
        records = json.loads((root / "signatures.json").read_bytes())
        kept = records["signatures"].get(content_hash, {"units": {}})
        return {unit: from_wire(Signatures, each) for unit, each in kept["units"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _accepts(texts: Texts, entry: Entry) -> dict[str, str]:
    """The existing domains: `accepts/<unit>` with the suffix of the unit's own file."""
    if not texts.has("accepts"):
        return {}
    domains = texts.below("accepts")
    named = {accepts_file(unit): unit.id for unit in entry.units}
    stray = sorted(domains.keys() - named.keys())
    if stray:
        raise BrokenExerciseError(f"{stray[0]} belongs to no unit")
    asking = (unit for unit in entry.units if unit.kind != UnitKind.BODY)
    refused = next((u for u in asking if accepts_file(u) in domains), None)
    if refused is not None:
        raise BrokenExerciseError(
            f"{accepts_file(refused)} is for a unit that asks to {refused.kind} `{refused.stub}`, "
            "and only bodies have that: delete it"
        )
    return {named[file]: text for file, text in domains.items()}


def _mistakes(texts: Texts, entry: Entry) -> dict[str, tuple[Mistake, ...]]:
    """The known mistakes: `mistakes/<unit>.md`, for units that have any."""
    if not texts.has("mistakes"):
        return {}
    named = {f"mistakes/{unit.id}.md": unit for unit in entry.units}
    there = texts.below("mistakes")
    if stray := sorted(there.keys() - named.keys()):
        raise BrokenExerciseError(f"{stray[0]} belongs to no unit")
    return {
        named[file].id: beside.read_mistakes(file, text)
        for file, text in there.items()
        if named[file].kind != UnitKind.TEST
    }


def accepts_file(unit: EntryUnit) -> str:
    """The path of a unit's domain in its exercise."""
    return f"accepts/{unit.id}{PurePosixPath(unit.file).suffix}"


def _hints(texts: Texts, unit: str) -> tuple[str, str, str]:
    name = f"hints/{unit}.md"
    pieces = split_at(texts.one(name), 2)
    titles = [piece.partition("\n")[0].strip() for piece in pieces]
    if titles != ["## L1", "## L2", "## L3"]:
        raise BrokenExerciseError(f"{name} must have exactly the sections L1, L2 and L3")
    first, second, third = (body(piece) for piece in pieces)
    return first, second, third
