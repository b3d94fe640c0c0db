"""Keeping cargo from testing an old build: it trusts times, we compare texts."""

import contextlib
import hashlib
import json
import os
from pathlib import Path

from tutor_lsp.languages.common.build_cache import put_file, sign

RECORD = "tutor-sources.json"
LOCK = "Cargo.lock"
ENVIRONMENT = "# env-dep:"
"""Begins the lines of a `dep_info` that name variables of the environment."""


def refresh(workspace: Path, target: Path) -> None:
    """Touch every source whose text is not that of the last build though its time does not say so.

    A restored or checked out file may be older than the build that it must replace; cargo would
    keep that build. Call before each build; blocks on files for a millisecond or so.
    """
    record_file = target / RECORD
    known = _load(record_file)
    built_ns = record_file.stat().st_mtime_ns if known else 0
    now: dict[str, str] = {}
    for path in _sources(workspace):
        name = str(path.relative_to(workspace))
        with contextlib.suppress(OSError):  # what cannot be read or touched, cargo will tell
            now[name] = hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
            if known and now[name] != known.get(name) and path.stat().st_mtime_ns <= built_ns:
                os.utime(path)
    if now == known:
        return
    with contextlib.suppress(OSError):
        put_file(workspace, record_file, json.dumps(now).encode())


def texts(workspace: Path) -> tuple[dict[str, bytes], dict[str, tuple[int, ...]]]:
    """The bytes of the manifest and of what lies below src/ and tests/, by relative path, and signs
    of the files from before they were read. Blocks. Raises OSError.
    """
    files = {path.relative_to(workspace).as_posix(): path for path in _sources(workspace)}
    signs = {name: sign(path) for name, path in files.items()}
    return {name: path.read_bytes() for name, path in files.items()}, signs


def tree(workspace: Path) -> tuple[str, ...] | None:
    """The names that say which targets there are: what lies in the folder beside Cargo.lock, and
    all below src/ and tests/; None where links may lead to more. Blocks. Raises OSError."""
    below = [path for name in ("src", "tests") for path in sorted((workspace / name).rglob("*"))]
    if any(_leads_on(path) for path in (workspace / "src", workspace / "tests", *below)):
        return None
    names = [path.relative_to(workspace).as_posix() for path in below]
    here = sorted(path.name for path in workspace.iterdir() if path.name != LOCK)
    return (*here, *names)


def _leads_on(path: Path) -> bool:
    return path.is_symlink() and path.exists()  # locks of Emacs lead nowhere


def dep_info(made: Path) -> Path:
    """Where the compiler told what it read for a file that it made."""
    return made.with_name(f"{made.stem.removeprefix('lib') if made.suffix else made.name}.d")


def _load(file: Path) -> dict[str, str]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _sources(workspace: Path) -> list[Path]:
    found = [workspace / "Cargo.toml"]
    for folder in ("src", "tests"):
        found += sorted((workspace / folder).rglob("*"))
    return [path for path in found if path.is_file()]
