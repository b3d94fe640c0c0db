"""The marker of an exercise folder."""

from pathlib import Path

from tutor_lsp.core.exercise.exercise import LESSON

MARKER = Path(".tutor", "exercise.json")
"""The exercise's record, below its folder."""


def exercise_root(path: Path) -> Path | None:
    """The exercise folder that a path lies in, or None."""
    return next((folder for folder in (path, *path.parents) if is_exercise(folder)), None)


def may_be_exercise(path: Path) -> Path | None:
    """The exercise folder that a path lies in, else the nearest one with a lesson, or None."""
    return exercise_root(path) or next(
        (folder for folder in (path, *path.parents) if _has(folder, LESSON)), None
    )


def is_exercise(folder: Path) -> bool:
    """Whether a folder is marked as an exercise."""
    return _has(folder, MARKER)


def _has(folder: Path, name: str | Path) -> bool:
    try:
        return (folder / name).is_file()
    except OSError:
        return False
