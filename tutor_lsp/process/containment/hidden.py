"""What no run may read: the user's secrets and the tutor's own record."""

import os
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from tutor_lsp.process.libraries import bytecode

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
"""Folders of `~/.config` that decide which compiler version starts."""
_OF_THE_SYSTEM = ("/run", "/etc/shadow", "/etc/gshadow", "/etc/ssh")
_PACKAGE = Path(__file__).parents[3]


def hidden(environment: Mapping[str, str], home: Path | None) -> tuple[str, ...]:
    """Places that runs must not read, links resolved, parents first; not all of them exist.

    `environment` is this process's, `home` the tutor's folder. A folder that contains the user's
    whole home is never among them.
    """
    own = os.path.realpath(environment.get("HOME") or Path.home())
    places = {os.path.realpath(place) for place in _places(environment, own, home) if place}
    return tuple(sorted(place for place in places if not is_below(own, place)))


def _places(environment: Mapping[str, str], own: str, home: Path | None) -> Iterator[str]:
    yield from _OF_THE_SYSTEM
    yield from (f"{own}/{name}" for name in _IN_HOME)
    yield from (environment.get(name, "") for name in _NAMED)
    if home is not None:
        yield str(home)
        # only the record, if the tutor's folder is too much to hide
        yield from (f"{home}/tutor.db{end}" for end in ("", "-wal", "-shm"))


def is_below(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies in it."""
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def shown(program: str, environment: Mapping[str, str], covered: tuple[str, ...]) -> list[str]:
    """What a program needs from below the `covered` folders: its own location, whatever
    its PATH and its variables named `…_HOME` name, this package with its bytecode, its Python."""
    config = f"{environment.get('HOME', '')}/.config"
    own = (str(_PACKAGE), bytecode() or "", sys.prefix, sys.base_prefix)
    homes = [name for name in environment if name.endswith("_HOME") and name not in _NAMED]
    places = {
        *_below(os.pathsep.join(f"{config}/{name}" for name in _OF_TOOLS), covered),
        *_below(environment.get("PATH", ""), covered),
        *(place for home in homes for place in _below(environment[home], covered)),
        *_below(os.pathsep.join(own), covered),
    }
    for path in (program, os.path.realpath(program)):
        prefix = os.path.dirname(os.path.dirname(path))  # noqa: PTH120
        holds_all = any(is_below(each, prefix) for each in covered)
        places.update(_below(path if holds_all else prefix, covered))
    return sorted(places)


@lru_cache(maxsize=64)
def _below(paths: str, covered: tuple[str, ...]) -> frozenset[str]:
    """The paths that exist below the covered folders, links resolved."""
    places = {os.path.realpath(path) for path in paths.split(os.pathsep) if path[:1] == "/"}
    return frozenset(
        place
        for place in places
        if any(is_below(place, each) for each in covered)
        and place not in covered
        and Path(place).exists()
    )
