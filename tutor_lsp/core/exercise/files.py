"""Which files belong to an exercise, their allowed names, and limits on their number and size."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from tutor_lsp.core.exercise.exercise import LESSON

DEEPEST = 12
"""How many folders deep an exercise's files may be nested."""
LONGEST_PATH, LONGEST_NAME = 1000, 200
"""In bytes of UTF-8."""
NOTES = (".tutor/exercise.json", ".tutor/coach.md")
"""The files of the tutor's own folder that belong to a learner's exercise."""
ENVIRONMENT = "pyvenv.cfg"
"""The file that marks a folder as a Python environment."""

_PARTS = frozenset({"src", "tests"})
_AUTHORED = frozenset({"accepts", "hints", "mistakes", "solution", "variants"})
_MADE = frozenset({"__pycache__", "node_modules", "site-packages"})
_COMPILED = frozenset({".pyc", ".pyo", ".so", ".pyd", ".dylib", ".dll", ".o", ".a", ".rlib"})
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))}
)


@dataclass(frozen=True, slots=True)
class FileLimits:
    """Limits of an exercise: bytes per file, bytes in total, and number of files."""

    file_bytes: int = 256 * 1024
    total_bytes: int = 16 * 1024 * 1024
    files: int = 500


def left_out(path: str, is_folder: bool = False, *, authored: bool = False) -> str | None:
    """The name under which a path is left out of an exercise, None if it belongs to it.

    An exercise is its lesson, `src/` and `tests/`; with `authored` also authors' files. Left
    out are hidden folders and files, environments, caches, compiled code and everything else
    besides: hooks, build scripts, tool settings. `path` is relative, with `/`.
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
    """The folders among those of `paths` that are Python environments, each ending in `/`."""
    return tuple(
        path.removesuffix(ENVIRONMENT) for path in paths if path.endswith(f"/{ENVIRONMENT}")
    )


def wrong_path(path: str) -> str | None:
    """What is wrong with a file's relative path, as a clause, or None."""
    parts = path.split("/")
    if not path or path.startswith("/") or {"", ".", ".."} & set(parts) or "\\" in path:
        return "leads out of the exercise"
    if any(unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for c in path):
        return "has a name with characters that cannot be shown"
    if len(path.encode()) > LONGEST_PATH or any(len(p.encode()) > LONGEST_NAME for p in parts):
        return "has a name that is too long"
    if len(parts) > DEEPEST + 1:
        return "is nested too deep"
    if any(part.split(".")[0].lower() in _RESERVED for part in parts):
        return "has a name that some systems reserve for a device"
    return None


def below(files: Mapping[str, str], *folders: str) -> dict[str, str]:
    """The texts in these folders, by path."""
    begin = tuple(f"{folder}/" for folder in folders)
    return {path: text for path, text in files.items() if path.startswith(begin)}


def clashes(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of paths that cannot exist side by side on every disk: names that differ only in case
    or Unicode form, and a file that is another file's folder."""
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
