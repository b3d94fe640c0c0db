"""What decides, beside the texts of an exercise, what cargo makes of it."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tutor_lsp.languages.rust.environment import rust_environment
from tutor_lsp.languages.rust.refresh import LOCK, tree

_SETTINGS = (".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain")


def setup(workspace: Path, flags: Sequence[str]) -> str:
    """Our own flags, the settings in this folder, in those above and for the user, and the tools;
    equal in folders with equal settings. Blocks. Raises OSError."""
    return json.dumps([*flags, *_settings(workspace), *_tools()])


def plan_key(workspace: Path, setup: str, environment: Mapping[str, str]) -> str | None:
    """What the calls of rustc for this very folder depend on: all but the texts of its sources.

    Its end is that of Cargo.lock, empty where there is none: the first build may make it. None
    where it cannot be told, since there are links, or settings that take in others. Blocks. Raises
    OSError.
    """
    names = tree(workspace)
    if names is None or "include" in setup:
        return None
    own = {name: value for name, value in environment.items() if name != "TMPDIR"}
    said = json.dumps([str(workspace), setup, names, sorted(own.items())]).encode()
    return f"{_hash(said + (_bytes(workspace / 'Cargo.toml') or b''))}:{_lock(workspace)}"


def _lock(workspace: Path) -> str:
    data = _bytes(workspace / LOCK)
    return "" if data is None else _hash(data)


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _settings(workspace: Path) -> Iterator[str]:
    home = os.environ.get("CARGO_HOME") or str(Path.home() / ".cargo")
    folders = [folder / name for folder in (workspace, *workspace.parents) for name in _SETTINGS]
    for path in [*folders, *(Path(home, name) for name in ("config.toml", "config"))]:
        if path.is_file():
            yield path.read_text(encoding="utf-8", errors="replace")


def _tools() -> Iterator[str]:
    """What changes when another compiler takes the place of this one."""
    search = rust_environment()["PATH"]
    paths = [shutil.which(name, path=search) for name in ("cargo", "rustc")]
    home = os.environ.get("RUSTUP_HOME") or str(Path.home() / ".rustup")
    updates = Path(home, "update-hashes")
    paths += [f"{home}/settings.toml", *map(str, sorted(updates.glob("*")))]
    for path in filter(None, paths):
        if Path(path).exists():
            status = Path(path).stat()
            yield f"{path} {status.st_size} {status.st_mtime_ns}"
