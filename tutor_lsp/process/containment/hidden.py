"""What no run may read: secrets of the user, and the tutor's own record."""

import os
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

_IN_HOME = (
    ".ssh", ".gnupg", ".pki", ".password-store", ".aws", ".azure", ".kube", ".docker", ".config",
    ".codex", ".claude", ".claude.json", ".gemini", ".netrc", ".git-credentials", ".npmrc",
    ".pypirc", ".pgpass", ".my.cnf", ".cargo/credentials", ".cargo/credentials.toml",
    ".local/share/keyrings", ".mozilla", ".thunderbird", ".bash_history", ".zsh_history",
    ".python_history", ".psql_history", "Library/Keychains",
)  # fmt: skip
_NAMED = (
    "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "GNUPGHOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR",
    "DOCKER_CONFIG", "KUBECONFIG", "NETRC", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE",
    "GOOGLE_APPLICATION_CREDENTIALS", "SSH_AUTH_SOCK",
)  # fmt: skip
_OF_TOOLS = ("mise", "asdf", "nix")
"""Folders of `~/.config` that say which version of a compiler to start."""
_OF_THE_SYSTEM = ("/run", "/etc/shadow", "/etc/gshadow", "/etc/ssh")
_PACKAGE = Path(__file__).parents[3]


def hidden(environment: Mapping[str, str], home: Path | None) -> tuple[str, ...]:
    """Places that runs must not read, links followed, parents first; not all of them exist.

    `environment` is this process's, `home` the tutor's folder. A folder that holds the user's whole
    home is none of them.
    """
    own = os.path.realpath(environment.get("HOME") or Path.home())
    found = {os.path.realpath(place) for place in _places(environment, own, home) if place}
    return tuple(sorted(place for place in found if not is_below(own, place)))


def _places(environment: Mapping[str, str], own: str, home: Path | None) -> Iterator[str]:
    yield from _OF_THE_SYSTEM
    yield from (f"{own}/{name}" for name in _IN_HOME)
    yield from (environment.get(name, "") for name in _NAMED)
    if home is not None:
        yield str(home)
        # the record alone, where the tutor's folder is too much to hide
        yield from (f"{home}/tutor.db{end}" for end in ("", "-wal", "-shm"))


def is_below(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies in it."""
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def shown(program: str, environment: Mapping[str, str], covered: tuple[str, ...]) -> list[str]:
    """What a program needs of what lies below the `covered` folders: where it lies itself, what
    its PATH names, the toolchains, this package and its Python."""
    own = f"{environment.get('HOME', '')}/.config"
    found = {
        *_below(os.pathsep.join(f"{own}/{name}" for name in _OF_TOOLS), covered),
        *_below(environment.get("PATH", ""), covered),
        *_below(environment.get("CARGO_HOME", ""), covered),
        *_below(environment.get("RUSTUP_HOME", ""), covered),
        *_below(os.pathsep.join((str(_PACKAGE), sys.prefix, sys.base_prefix)), covered),
    }
    for path in (program, os.path.realpath(program)):
        prefix = os.path.dirname(os.path.dirname(path))  # noqa: PTH120
        holds_all = any(is_below(each, prefix) for each in covered)
        found.update(_below(path if holds_all else prefix, covered))
    return sorted(found)


@lru_cache(maxsize=64)
def _below(paths: str, covered: tuple[str, ...]) -> frozenset[str]:
    """Those of some paths that are there and lie below the folders, links followed."""
    places = {os.path.realpath(path) for path in paths.split(os.pathsep) if path[:1] == "/"}
    return frozenset(
        place
        for place in places
        if any(is_below(place, each) for each in covered)
        and place not in covered
        and Path(place).exists()
    )
