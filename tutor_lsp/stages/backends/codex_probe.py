"""What is installed as `codex`: version, and MCP servers that a stage must not start."""

import asyncio
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutor_lsp.core.ports import BackendStatus
from tutor_lsp.process.run import Outcome, ProgramNotFound, Spec, run
from tutor_lsp.stages.backends.cli import PROBE_S

INSTALL = "install the Codex CLI, or set codex.command to where it is"

_SERVER = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Installed:
    """A probe's answer. `servers` are the MCP servers of the user's configuration, by name."""

    status: BackendStatus
    servers: tuple[str, ...] = ()

    @property
    def version(self) -> tuple[int, int]:
        """Major and minor number; (0, 0) where it is not known."""
        numbers = re.match(r"(\d+)\.(\d+)", self.status.version or "")
        return (0, 0) if numbers is None else (int(numbers[1]), int(numbers[2]))


async def look(command: tuple[str, ...]) -> Installed:
    """Ask the command for both at the same time; answers within 2 s, never raises."""
    try:
        version, servers = await asyncio.gather(
            _ask((*command, "--version")), _ask((*command, "mcp", "list", "--json"))
        )
    except ProgramNotFound as error:
        return _unusable(f"{error.program} was not found: {INSTALL}")
    except OSError as error:
        return _unusable(f"{command[0]} cannot be started ({error.strerror}): {INSTALL}")
    if version.timed_out:
        return _unusable("codex --version gave no answer within 2 s")
    number = re.search(r"\d+\.\d+\.\d+\S*", version.stdout.decode("utf-8", "replace"))
    if version.returncode != 0 or number is None:
        return _unusable(f"codex --version ended with exit code {version.returncode}: {INSTALL}")
    status = BackendStatus(
        name="codex", available=True, why=f"Codex {number[0]} is installed", version=number[0]
    )
    return Installed(status, _enabled(servers))


async def _ask(argv: tuple[str, ...]) -> Outcome:
    return await run(Spec(argv, Path("/"), os.environ, PROBE_S, 256 * 1024))


def _unusable(why: str) -> Installed:
    return Installed(BackendStatus(name="codex", available=False, why=why))


def _enabled(outcome: Outcome) -> tuple[str, ...]:
    """Names of enabled servers; none where the list cannot be read."""
    try:
        listed: Any = json.loads(outcome.stdout)
    except ValueError:
        return ()
    names = [
        entry.get("name")
        for entry in (listed if isinstance(listed, list) else [])
        if isinstance(entry, dict) and entry.get("enabled") is not False
    ]
    return tuple(name for name in names if isinstance(name, str) and _SERVER.fullmatch(name))
