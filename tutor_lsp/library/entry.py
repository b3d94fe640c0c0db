"""The content of an exercise's `exercise.toml`, read and checked without the other files."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.learner.curriculum import DEPTHS, NAME
from tutor_lsp.files.parsing import parse_toml
from tutor_lsp.files.reading import Unreadable, read_below
from tutor_lsp.library.topics import Topic, wrong_topic
from tutor_lsp.wire import from_table

FORMAT = "exercise_v1"
MOST_BYTES = 128 * 1024
"""Most bytes of exercise.toml."""


class BrokenExerciseError(Exception):
    """An exercise folder that cannot be used; the text is a clause that says what is wrong."""


@dataclass(frozen=True, slots=True)
class EntryUnit:
    """A unit as listed in `exercise.toml`; `file` is relative to the exercise, `practises` are
    constructs that it is about."""

    id: str
    stub: str
    file: str
    first_principle: str
    lesson_heading: str
    tests: tuple[str, ...]
    practises: tuple[str, ...] = ()
    kind: str = UnitKind.BODY.value


@dataclass(frozen=True, slots=True)
class Entry:
    """One exercise of a library. `minutes` is the author's estimate, if any, `topic` describes its
    node, if the author does."""

    id: str
    node: str
    slug: str
    language: str
    title: str
    depth: str
    minutes: int | None
    description: str
    units: tuple[EntryUnit, ...]
    path: Path
    topic: Topic | None = None

    @property
    def folder(self) -> str:
        """The name of its folder, the same in the library and in the tutor home."""
        return f"{self.node}-{self.slug}"


def read_entry(path: Path, language: str | None = None) -> Entry:
    """The entry of an exercise folder; with `language`, it must be in that language.

    Raises BrokenExerciseError.
    """
    try:
        data = parse_toml(read_below(path, "exercise.toml", MOST_BYTES))
    except Unreadable as error:
        if error.why == "does not exist":
            raise BrokenExerciseError("it has no exercise.toml") from None
        raise BrokenExerciseError(str(error)) from None
    except ValueError as error:
        raise BrokenExerciseError(f"exercise.toml {error}") from None
    entry = _entry(data, path)
    if language is not None and entry.language != language:
        raise BrokenExerciseError(f'its language is "{entry.language}", its folder "{language}"')
    if path.name != entry.folder:
        raise BrokenExerciseError(f'its folder must be named "{entry.folder}"')
    for part in ("LESSON.md", "src", "tests", "solution/src", "hints"):
        if not (path / part).exists():
            raise BrokenExerciseError(f"it has no {part}")
    return entry


def _entry(data: Mapping[str, Any], path: Path) -> Entry:
    if data.get("format") != FORMAT:
        raise BrokenExerciseError(f'its format must be "{FORMAT}", not {data.get("format")!r}')
    if "path" in data:
        raise BrokenExerciseError('exercise.toml has the unknown key "path"')
    given = {key: value for key, value in data.items() if key != "format"}
    try:
        entry = from_table(Entry, {"minutes": None, **given, "path": str(path)}, "exercise.toml")
    except ValueError as error:
        raise BrokenExerciseError(str(error)) from None
    _check_values(entry)
    _check_units(entry)
    return entry


def _check_values(entry: Entry) -> None:
    for key in ("id", "node", "slug", "language"):
        name = getattr(entry, key)
        if not NAME.fullmatch(name) or len(name) > 60:
            raise BrokenExerciseError(f'{key} must be like "a-name-2" (a-z, 0-9, -), not "{name}"')
    if entry.minutes is not None and not 1 <= entry.minutes <= 600:
        raise BrokenExerciseError("minutes must be a whole number from 1 to 600")
    if entry.depth not in DEPTHS:
        raise BrokenExerciseError("depth must be D1, D2 or D3")
    wrong = wrong_topic(entry.topic) if entry.topic is not None else None
    if wrong is not None:
        raise BrokenExerciseError(f"its [topic] {wrong}")


def _check_units(entry: Entry) -> None:
    if not entry.units:
        raise BrokenExerciseError("it needs at least one [[units]]")
    for number, unit in enumerate(entry.units, start=1):
        if unit.id != f"ex-{number}":
            raise BrokenExerciseError(f'unit {number} must have the id "ex-{number}"')
        if not unit.tests:
            raise BrokenExerciseError(f"unit {number} must name its tests")
        if unit.kind not in [kind.value for kind in UnitKind]:
            known = ", ".join(f'"{kind}"' for kind in UnitKind)
            raise BrokenExerciseError(f'the kind of {unit.id} is one of {known}, not "{unit.kind}"')
    for where, part in (("exercise.toml", entry), *((unit.id, unit) for unit in entry.units)):
        for field in fields(part):
            if not str(getattr(part, field.name)).strip():
                raise BrokenExerciseError(f'{where} needs a text for "{field.name}"')
    for what, values in (
        ("stub", [unit.stub for unit in entry.units]),
        ("test", [test for unit in entry.units for test in unit.tests]),
    ):
        twice = next((value for value in values if values.count(value) > 1), None)
        if twice:
            raise BrokenExerciseError(f"two places in exercise.toml name the {what} {twice}")
