"""What a run of somebody else's exercise would execute, in words that a learner can judge."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.files.reading import shown_name
from tutor_lsp.languages.registry import languages

if TYPE_CHECKING:
    from tutor_lsp.library.loader import BundledExercise
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise

MOST_NAMES = 3
MOST_ENTRIES = 5000
"""Entries of a folder that are looked at."""
LOADED = frozenset(
    {"conftest.py", "build.rs", "pytest.ini", "tox.ini", "setup.cfg", "sitecustomize.py",
     "usercustomize.py", "rust-toolchain", "rust-toolchain.toml", ".pytest.ini",
     "pytest.toml", ".pytest.toml", ".cargo", ".venv"}
)  # fmt: skip
"""Names that tools read or run by themselves; beside the exercise's own code."""
_SKIPPED = frozenset({".git", "target", "build", "__pycache__", "node_modules", ".venv"})


@dataclass(frozen=True, slots=True)
class Runs:
    """`said` is one or two sentences on what would run, `where` the folder as it is shown, `data`
    the same for programs: `workspace`, and `runs`, paths relative to it.
    """

    said: str
    where: str
    data: Mapping[str, Any]


def runs_of_folder(opened: "OpenExercise") -> Runs:
    """What a check or an attempt on a folder would run. Blocks; the folder is looked at, no file
    is read."""
    root, exercise = opened.root, opened.exercise
    found = list(_files(root))
    sources = [name for name in found if name.startswith("src/")]
    tests = [name for name in found if name.startswith("tests/")]
    loaded = [name for name in found if name.rpartition("/")[2] in LOADED]
    loaded += [str(path) for path in languages()[exercise.language].loaded_from_above(root)]
    count = sum(len(unit.tests) for unit in exercise.units)
    said = (
        f"“{shown_name(exercise.title)}” came from elsewhere ({shown_name(str(root))}). Running it "
        f"executes its tests ({count} in {_listed(tests)}) and the code in src/ "
        f"({_listed(sources)}) on this machine"
    )
    if opened.vault.solution:
        said += ", and for hints and reviews the solution that came with it"
    said += f"; tools also load {_listed(loaded)}." if loaded else "."
    runs = [*tests, *sources, *loaded]
    return Runs(said, shown_name(str(root)), {"workspace": str(root), "runs": runs[:200]})


def runs_of_library(exercise: "BundledExercise") -> Runs:
    """What opening the exercise of a library would run."""
    entry = exercise.entry
    where = shown_name(str(entry.path))
    count = sum(len(unit.tests) for unit in entry.units)
    tests = sorted(exercise.tests)
    said = (
        f"“{shown_name(entry.title)}” comes from a library of your own ({where}). Before it opens "
        f"it is proven, which runs its tests ({count} in {_listed(tests)}), its code in src/, its "
        "solution and the code in its lesson on this machine."
    )
    runs = [*tests, *sorted(exercise.src), *(f"solution/{name}" for name in exercise.solution)]
    return Runs(said, where, {"workspace": str(entry.path), "runs": [*runs, "LESSON.md"][:200]})


def runs_of_recording(path: Path) -> Runs:
    """What playing recorded answers of a model would run."""
    where = shown_name(str(path))
    said = (
        f"The exercise recorded in {where} is proven before it opens, which runs its tests, its "
        "code in src/, its solution and the code in its lesson on this machine."
    )
    return Runs(said, where, {"workspace": str(path), "runs": [str(path)]})


def _files(root: Path) -> Iterator[str]:
    """Relative paths of files, and of folders that tools look for, in order."""
    seen = 0
    for folder, folders, names in os.walk(root):
        base = os.path.relpath(folder, root)
        prefix = "" if base == "." else f"{base}/"
        yield from (f"{prefix}{name}" for name in sorted(folders) if name in LOADED)
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        for name in sorted(names):
            yield f"{prefix}{name}"
        seen += len(names) + len(folders)
        if seen > MOST_ENTRIES:
            return


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(shown_name(name) for name in names[:MOST_NAMES]) or "none"
    more = len(names) - MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown
