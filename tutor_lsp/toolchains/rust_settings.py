"""What a learner has set for all of cargo's builds, where our own flags would take its place."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_NAMES = ("config", "config.toml")
"""The first that is there counts, as for cargo."""


def own_flags(workspace: Path, environment: Mapping[str, str]) -> list[str]:
    """`build.rustflags` of the configuration that cargo reads in a folder, joined as cargo does.

    Cargo takes flags from `target.*.rustflags` and, only where there are none, from these; so there
    are none here either if anything sets the former. What cannot be read counts as empty: cargo
    says why. Takes some hundred microseconds. Blocks.
    """
    flags: list[str] = []
    for settings in map(_read, _files(workspace, environment)):
        targets = settings.get("target")
        tables = targets.values() if isinstance(targets, dict) else ()
        if any(isinstance(table, dict) and "rustflags" in table for table in tables):
            return []
        build = settings.get("build")
        said = build.get("rustflags", []) if isinstance(build, dict) else []
        words = said.split() if isinstance(said, str) else said
        if isinstance(words, list):
            flags += [word for word in words if isinstance(word, str)]
    return flags


def _files(workspace: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """Those that are there, what counts most last."""
    said = environment.get("CARGO_HOME")
    home = Path(said) if said else Path(environment.get("HOME", "/")) / ".cargo"
    folders = [folder / ".cargo" for folder in (workspace, *workspace.parents)]
    if home not in folders:
        folders.append(home)
    for folder in reversed(folders):
        yield from [path for name in _NAMES if (path := folder / name).is_file()][:1]


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
