"""Whether the record of an exercise from elsewhere can be used as it is."""

import re
from collections.abc import Sequence
from dataclasses import replace
from unicodedata import category

from tutor_lsp.core.exercise.exercise import LESSON, Exercise
from tutor_lsp.core.exercise.files import FileLimits, clashes, left_out, wrong_path

MOST_UNITS = 200
LONGEST_NAME = 2000
"""Most characters of a title, an id or another name shown in messages and lists."""
LONGEST_TEXT = 64 * 1024
"""Most characters of a description."""
MOST_TESTS = 500
_OBEYED = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
UNIT = re.compile(r"[A-Za-z0-9_-]{1,40}")
"""Unit ids are also used as file names."""


def one_line(text: str) -> str:
    """A name without control and direction characters, which a terminal or list would act on."""
    return "".join("\ufffd" if category(c) in _OBEYED or c in _TURNS else c for c in text)


def plain(exercise: Exercise) -> Exercise:
    """The exercise with all names and sentences reduced to such lines."""
    units = (replace(u, first_principle=one_line(u.first_principle)) for u in exercise.units)
    return replace(exercise, title=one_line(exercise.title), units=tuple(units))


def why_invalid(exercise: Exercise, limits: FileLimits) -> str | None:
    """The first thing in a record that no tutor would have written, as a clause, or None.

    Checks that every path stays inside and is writable, and that every unit has its stub file.
    """
    named = sorted({*exercise.files, *exercise.starter})
    return (
        _invalid_files(named, limits)
        or _invalid_units(exercise)
        or _invalid_texts(exercise, limits)
    )


def _invalid_files(named: Sequence[str], limits: FileLimits) -> str | None:
    if len(named) > limits.files:
        return f"it names more than {limits.files} files"
    for path in named:
        wrong = wrong_path(path)
        if wrong is not None:
            return f"{path!r} {wrong}"
    for one, other in clashes(named):
        return f"{one!r} and {other!r} cannot exist side by side"
    return None


def _invalid_units(exercise: Exercise) -> str | None:
    if not 0 < len(exercise.units) <= MOST_UNITS:
        return f"it has {len(exercise.units)} units"
    for unit in exercise.units:
        if not UNIT.fullmatch(unit.id):
            return f"a unit is called {unit.id[:60]!r}"
        if unit.file not in exercise.starter or left_out(unit.file) or unit.file == LESSON:
            return f"unit {unit.id} has no stub file {unit.file[:200]!r}"
    if len({unit.id for unit in exercise.units}) < len(exercise.units):
        return "two units have the same id"
    tests = sum(len(unit.tests) for unit in exercise.units)
    return f"it has {tests} tests" if tests > MOST_TESTS else None


def _invalid_texts(exercise: Exercise, limits: FileLimits) -> str | None:
    names = [exercise.id, exercise.node, exercise.title]
    for unit in exercise.units:
        names += [unit.stub, unit.first_principle, unit.lesson_heading, unit.test_file, *unit.tests]
    if max(map(len, names)) > LONGEST_NAME or len(exercise.description) > LONGEST_TEXT:
        return "its texts are too long"
    starter = exercise.starter.values()
    if any(len(text.encode(errors="replace")) > limits.file_bytes for text in starter):
        return "its starter is too large"
    return None
