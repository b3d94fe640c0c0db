"""Which files belong to an exercise, what they may be called, and how much of them there may be."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from tutor_lsp.core.exercise.exercise import LESSON

DEEPEST = 12
"""Folders in which a file of an exercise may lie, one in the other."""
LONGEST_PATH, LONGEST_NAME = 1000, 200
"""In bytes of UTF-8."""
NOTES = (".tutor/exercise.json", ".tutor/coach.md")
"""What of the tutor's own folder belongs to a learner's exercise."""
ENVIRONMENT = "pyvenv.cfg"
"""The file that marks a folder as a Python environment."""

_PARTS = frozenset({"src", "tests"})
_AUTHORED = frozenset({"accepts", "hints", "mistakes", "solution"})
_MADE = frozenset({"__pycache__", "node_modules", "site-packages"})
_COMPILED = frozenset({".pyc", ".pyo", ".so", ".pyd", ".dylib", ".dll", ".o", ".a", ".rlib"})
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))}
)


@dataclass(frozen=True, slots=True)
class FileLimits:
    """Most bytes of one file of an exercise and of all together, and how many files there are."""

    file_bytes: int = 256 * 1024
    total_bytes: int = 16 * 1024 * 1024
    files: int = 500


def left_out(path: str, is_folder: bool = False, *, authored: bool = False) -> str | None:
    """The name under which a path is left out of an exercise, None if it is part of one.

    An exercise is its lesson, `src/` and `tests/`; with `authored` also what only authors have.
    Left out are hidden folders and files, environments, caches, compiled code and everything else
    beside those: hooks, build scripts, settings of tools. `path` is relative, with `/`.
    """
    parts = path.split("/")
    tops = _PARTS | _AUTHORED if authored else _PARTS
    files = {LESSON, "exercise.toml"} if authored else {LESSON}
    if not authored and (path in NOTES or (is_folder and path == ".tutor")):
        return None
    if parts[0] not in tops:
        whole = len(parts) == 1 and not is_folder
        return None if whole and path in files else parts[0] + ("" if whole else "/")
    for at, name in enumerate(parts):
        last = at == len(parts) - 1
        if name.startswith(".") or name in _MADE or name.endswith(".egg-info"):
            return "/".join(parts[: at + 1]) + ("" if last and not is_folder else "/")
        if last and not is_folder and PurePosixPath(name).suffix.lower() in _COMPILED:
            return path
    return None


def environments(paths: Iterable[str]) -> tuple[str, ...]:
    """The folders among those of `paths` that are Python environments, each with a `/`."""
    return tuple(
        path.removesuffix(ENVIRONMENT) for path in paths if path.endswith(f"/{ENVIRONMENT}")
    )


def wrong_path(path: str) -> str | None:
    """What is wrong with the relative path of a file, as a clause; None where nothing is."""
    parts = path.split("/")
    if not path or path.startswith("/") or {"", ".", ".."} & set(parts) or "\\" in path:
        return "leads out of the exercise"
    if any(unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for c in path):
        return "has a name with characters that cannot be shown"
    if len(path.encode()) > LONGEST_PATH or any(len(p.encode()) > LONGEST_NAME for p in parts):
        return "has a name that is too long"
    if len(parts) > DEEPEST + 1:
        return "lies too deep"
    if any(part.split(".")[0].lower() in _RESERVED for part in parts):
        return "has a name that some systems reserve for a device"
    return None


def clashes(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of paths that cannot stand beside each other on every disk: names that differ in case
    or form alone, and a file that another one takes for its folder."""
    known: dict[str, str] = {}
    ordered = sorted(set(paths))
    for path in ordered:
        folded = unicodedata.normalize("NFC", path).casefold()
        if folded in known:
            yield known[folded], path
        known[folded] = path
    for path in ordered:
        for parent in PurePosixPath(path).parents:
            file = known.get(unicodedata.normalize("NFC", parent.as_posix()).casefold())
            if file is not None:
                yield file, path
