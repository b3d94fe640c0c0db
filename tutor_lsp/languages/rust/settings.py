"""What a learner has set for all of cargo's builds, where our own flags would take its place."""

import asyncio
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tutor_lsp.languages.rust.environment import cargo_environment
from tutor_lsp.process.run import run
from tutor_lsp.process.spec import ProgramNotFound, Spec

ASK_S = 10.0

_NAMES = ("config", "config.toml")
"""The first that is there counts, as for cargo."""


class Host:
    """What this machine's rustc builds for where nobody says otherwise. Asked once."""

    def __init__(self) -> None:
        self._triple: str | None = None

    async def triple(self) -> str:
        """Like `x86_64-unknown-linux-gnu`; "" where rustc does not say."""
        if self._triple is None:
            # at the root: what lies in an exercise chooses no other compiler
            spec = Spec(("rustc", "-vV"), Path(os.sep), cargo_environment(), ASK_S)
            try:
                said = (await run(spec)).stdout.decode(errors="replace")
            except ProgramNotFound:
                said = ""
            found = re.search(r"^host: (\S+)$", said, re.MULTILINE)
            self._triple = found[1] if found else ""
        return self._triple


async def own_flags(workspace: Path, environment: Mapping[str, str], host: Host) -> list[str]:
    """`build.rustflags` of the configuration that cargo reads in a folder, joined as cargo does.

    Cargo takes flags from `target.*.rustflags` of what it builds for and, only where there are
    none, from these; so there are none here either if anything sets the former. Every `cfg(…)` is
    taken to hold. What cannot be read counts as empty: cargo says why. Takes some hundred
    microseconds, and 20 ms once where flags are set for single targets.
    """
    read = await asyncio.to_thread(lambda: [*map(_read, _files(workspace, environment))])
    flagged = {name for settings in read for name in _flagged(settings)}
    if any(name.startswith("cfg(") for name in flagged):
        return []
    if flagged and flagged.intersection(_wanted(read) or [await host.triple()]):
        return []
    return [flag for settings in read for flag in _words(_table(settings, "build"))]


def _flagged(settings: Mapping[str, Any]) -> list[str]:
    """The targets that flags are set for."""
    targets = _table(settings, "target")
    return [name for name in targets if _words(_table(targets, name))]


def _wanted(read: Sequence[Mapping[str, Any]]) -> list[str]:
    """The targets that are built for, if anything says so; what counts most is last."""
    said = [_table(settings, "build").get("target") for settings in read]
    last: Any = next((each for each in reversed(said) if each), [])
    targets = last if isinstance(last, list) else [last]
    return [each for each in targets if isinstance(each, str)]


def _table(settings: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = settings.get(name)
    return found if isinstance(found, dict) else {}


def _words(table: Mapping[str, Any]) -> list[str]:
    said = table.get("rustflags")
    words = said.split() if isinstance(said, str) else said
    return [each for each in words if isinstance(each, str)] if isinstance(words, list) else []


def _files(workspace: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """Those that exist, in ascending order of precedence."""
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
