"""Whether a model's command line is logged in, asked of itself: for `tutor.doctor` only.

A login says little about whether calls work: a command line may be set up with another provider
and a key of its own. So it never decides whether a backend serves.
"""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.process.run import Outcome, ProgramNotFound, Spec, run
from tutor_lsp.stages.backends.cli import PROBE_S, LoginMemory

CLAUDE_SINCE = (2, 1, 41)
"""First Claude Code that has `auth status`; an older one takes the words for a question."""
OTHER_PROVIDER = "; not needed where its configuration names a provider with a key of its own"


async def codex_login(command: tuple[str, ...], memory: LoginMemory, remedy: str) -> ToolStatus:
    """Codex's own word on its login, and what calls have shown since the server started."""
    outcome = await _ask((*command, "login", "status"), os.environ)
    logged_in: bool | None = None
    if outcome is not None:
        said = (outcome.stdout + outcome.stderr).decode("utf-8", "replace")
        if outcome.returncode == 0:
            logged_in = True
        elif re.search(r"not logged in", said, re.IGNORECASE):
            logged_in = False
    return _status("codex", "codex login status", outcome, logged_in, memory, remedy)


async def claude_login(
    command: tuple[str, ...],
    version: str | None,
    environment: Mapping[str, str],
    memory: LoginMemory,
    remedy: str,
) -> ToolStatus | None:
    """The same of Claude Code; None where it is too old to be asked."""
    numbers = tuple(int(part) for part in re.findall(r"\d+", version or "")[:3])
    if numbers < CLAUDE_SINCE:
        return _remembered("claude", memory, remedy)
    outcome = await _ask((*command, "auth", "status"), environment)
    logged_in: bool | None = None
    if outcome is not None:
        try:
            found = json.loads(outcome.stdout)
        except ValueError:
            found = None
        told = found.get("loggedIn") if isinstance(found, dict) else None
        logged_in = told if isinstance(told, bool) else None
    return _status("claude", "claude auth status", outcome, logged_in, memory, remedy)


def _status(
    name: str,
    asked: str,
    outcome: Outcome | None,
    logged_in: bool | None,
    memory: LoginMemory,
    remedy: str,
) -> ToolStatus:
    """What calls have shown wins over what the command line says of itself."""
    known = _remembered(name, memory, remedy)
    if known is not None:
        return known
    title = f"{name} login"
    if logged_in:
        return ToolStatus(title, found=True, works=True)
    if logged_in is False:
        why = f"not logged in: {remedy}{OTHER_PROVIDER}"
        return ToolStatus(title, found=True, works=False, remedy=why)
    why = "could not be started" if outcome is None else "did not say whether it is logged in"
    if outcome is not None and outcome.timed_out:
        why = "gave no answer within 2 s"
    why = f"{asked} {why}; if in doubt, {remedy}"
    return ToolStatus(title, found=False, works=False, remedy=why)


def _remembered(name: str, memory: LoginMemory, remedy: str) -> ToolStatus | None:
    title = f"{name} login"
    if memory.logged_out:
        why = f"the last call was refused (401, logged out): {remedy}"
        return ToolStatus(title, found=True, works=False, remedy=why)
    return ToolStatus(title, found=True, works=True) if memory.proven else None


async def _ask(argv: tuple[str, ...], environment: Mapping[str, str]) -> Outcome | None:
    """The answer, in a process group of its own and within 2 s; None if it does not start."""
    try:
        return await run(Spec(argv, Path("/"), environment, PROBE_S, 64 * 1024))
    except (ProgramNotFound, OSError):
        return None
