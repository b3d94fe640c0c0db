"""What `exercise.toml` says about a bundled exercise, read and checked without its texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutor_lsp.core.learner.curriculum import DEPTHS, NAME
from tutor_lsp.files.parsing import parse_toml
from tutor_lsp.files.reading import Unreadable, read_below

FORMAT = "exercise_v1"
MOST_BYTES = 128 * 1024
"""Of exercise.toml."""

_FIELDS = frozenset(
    {"format", "id", "node", "slug", "language", "title", "depth", "minutes", "description"}
    | {"units"}
)
_UNIT_FIELDS = frozenset({"id", "stub", "file", "first_principle", "lesson_heading", "tests"})


class BrokenExerciseError(Exception):
    """An exercise folder that cannot be used; the text is one sentence that says what to mend."""


@dataclass(frozen=True, slots=True)
class EntryUnit:
    """A unit as `exercise.toml` names it; `file` is relative to the exercise."""

    id: str
    stub: str
    file: str
    first_principle: str
    lesson_heading: str
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One exercise of a library. `minutes` is the author's estimate, if any."""

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

    @property
    def folder(self) -> str:
        """Name of its folder, the same in the library and in the tutor home."""
        return f"{self.node}-{self.slug}"


def read_entry(path: Path, language: str | None = None) -> Entry:
    """The entry of an exercise folder; with `language`, it must be of that language.

    Raises BrokenExerciseError.
    """
    try:
        data = parse_toml(read_below(path, "exercise.toml", MOST_BYTES))
    except Unreadable as error:
        if error.why == "is not there":
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
    unknown = sorted(data.keys() - _FIELDS)
    if unknown:
        raise BrokenExerciseError(f'exercise.toml has the unknown key "{unknown[0]}"')
    if data.get("format") != FORMAT:
        raise BrokenExerciseError(f'its format must be "{FORMAT}", not {data.get("format")!r}')
    minutes = data.get("minutes")
    if minutes is not None and (type(minutes) is not int or not 1 <= minutes <= 600):
        raise BrokenExerciseError("minutes must be a whole number from 1 to 600")
    if data.get("depth") not in tuple(DEPTHS):
        raise BrokenExerciseError("depth must be D1, D2 or D3")
    units = data.get("units")
    if not isinstance(units, list) or not units:
        raise BrokenExerciseError("it needs at least one [[units]]")
    found = tuple(_unit(unit, number) for number, unit in enumerate(units, start=1))
    for what, values in (
        ("stub", [unit.stub for unit in found]),
        ("test", [test for unit in found for test in unit.tests]),
    ):
        twice = next((value for value in values if values.count(value) > 1), None)
        if twice:
            raise BrokenExerciseError(f"two places in exercise.toml name the {what} {twice}")
    return Entry(
        id=_name(data, "id"),
        node=_name(data, "node"),
        slug=_name(data, "slug"),
        language=_name(data, "language"),
        title=_text(data, "title"),
        depth=str(data["depth"]),
        minutes=minutes,
        description=_text(data, "description"),
        units=found,
        path=path,
    )


def _unit(data: object, number: int) -> EntryUnit:
    where = f"unit {number}"
    if not isinstance(data, Mapping):
        raise BrokenExerciseError(f"{where} is not a table")
    unknown = sorted(data.keys() - _UNIT_FIELDS)
    if unknown:
        raise BrokenExerciseError(f'{where} has the unknown key "{unknown[0]}"')
    unit_id = _text(data, "id", where)
    if unit_id != f"ex-{number}":
        raise BrokenExerciseError(f'{where} must have the id "ex-{number}", not "{unit_id}"')
    tests = data.get("tests")
    if not isinstance(tests, list) or not tests or not all(isinstance(t, str) for t in tests):
        raise BrokenExerciseError(f"{where} must name its tests")
    return EntryUnit(
        id=unit_id,
        stub=_text(data, "stub", where),
        file=_text(data, "file", where),
        first_principle=_text(data, "first_principle", where),
        lesson_heading=_text(data, "lesson_heading", where),
        tests=tuple(tests),
    )


def _text(data: Mapping[str, Any], key: str, where: str = "exercise.toml") -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value.strip():
        raise BrokenExerciseError(f'{where} needs a text for "{key}"')
    return value


def _name(data: Mapping[str, Any], key: str) -> str:
    value = _text(data, key)
    if not NAME.fullmatch(value) or len(value) > 60:
        raise BrokenExerciseError(f'{key} must be like "a-name-2" (a-z, 0-9, -), not "{value}"')
    return value
