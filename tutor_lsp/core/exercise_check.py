"""Whether the record of an exercise that somebody else wrote can be used as it is."""

import re

from tutor_lsp.core.exercise import LESSON, Exercise
from tutor_lsp.core.exercise_files import FileLimits, clashes, left_out, wrong_path

MOST_UNITS = 200
MOST_TEXT = 64 * 1024
"""Characters of the title and other words of a record that stand in messages and lists."""
UNIT = re.compile(r"[A-Za-z0-9_-]{1,40}")
"""Ids of units are names of files, too."""


def odd(exercise: Exercise, limits: FileLimits) -> str | None:
    """The first thing in a record that no tutor would have written, as a clause; else None.

    Every path that it names stays inside and can be written; every unit has its stub file.
    """
    named = {*exercise.files, *exercise.starter}
    if not 0 < len(exercise.units) <= MOST_UNITS:
        return f"it has {len(exercise.units)} units"
    if len(named) > limits.files:
        return f"it names more than {limits.files} files"
    for path in sorted(named):
        wrong = wrong_path(path)
        if wrong is not None:
            return f"{path!r} {wrong}"
    for one, other in clashes(named):
        return f"{one!r} and {other!r} cannot stand beside each other"
    for unit in exercise.units:
        if not UNIT.fullmatch(unit.id):
            return f"a unit is called {unit.id[:60]!r}"
        if unit.file not in exercise.starter or left_out(unit.file) or unit.file == LESSON:
            return f"unit {unit.id} has no stub file {unit.file[:200]!r}"
    if len({unit.id for unit in exercise.units}) < len(exercise.units):
        return "two units have the same id"
    words = (exercise.id, exercise.node, exercise.title, exercise.description)
    if max(len(word) for word in words) > MOST_TEXT:
        return "its words are too long"
    if sum(len(text.encode(errors="replace")) for text in exercise.starter.values()) > (
        limits.total_bytes
    ):
        return "its starter is too large"
    return None
