"""Claude Code as a backend: one `claude -p` per stage, prompt on stdin, one JSON object back.

An exit code of 0 says little: refused logins and used-up plans come with it too. The limit and
the kill are ours.
"""

import asyncio
import json
import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.core.ports import BackendStatus, ToolStatus
from tutor_lsp.core.stage import BackendAnswer, BackendFailed, StageRequest
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import Outcome, ProgramNotFound, Spec, run
from tutor_lsp.process.scratch import scratch_folder
from tutor_lsp.stages.backends.claude_answer import Envelope, read_envelope
from tutor_lsp.stages.backends.cli import (
    ENVELOPE_BYTES,
    GRACE_S,
    INSTRUCTIONS,
    PROBE_KEPT_S,
    PROBE_S,
    LoginMemory,
    command_parts,
)
from tutor_lsp.stages.backends.login import claude_login
from tutor_lsp.stages.backends.registry import BackendContext

INSTALL = "install Claude Code, or set claude.command to where it is"

ENVIRONMENT = (
    "ANTHROPIC_", "CLAUDE_", "AWS_", "AZURE_", "GOOGLE_", "CLOUD_ML_", "VERTEX_", "NODE_", "SSL_",
    "XDG_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "DBUS_SESSION_BUS_ADDRESS",
)  # fmt: skip
"""What Claude Code gets of our environment beside the usual: how names begin, in any case."""
NESTED = frozenset(
    {"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT",
     "CLAUDE_CODE_SESSION_ACCESS_TOKEN"}
)  # fmt: skip
"""Marks of a Claude Code that we run in; with them it would refuse to start."""
QUIET = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
NO_HOOKS = '{"disableAllHooks":true}'

_LOGGED_OUT = re.compile(
    r"\b401\b|invalid api key|invalid authentication|not logged in|run /login|/login\b"
    r"|oauth (token|session)[^.]* (expired|revoked)|authentication_error",
    re.IGNORECASE,
)
_NO_ROOM = re.compile(
    r"\b429\b|rate.?limit|(usage|session|weekly|hour) limit|credit balance", re.IGNORECASE
)
_TOLD_AS_ANSWER = re.compile(
    r"(API Error\b|Invalid API key|Not logged in|Please run /login|Credit balance"
    r"|Claude (AI |Code )?usage limit|You've (hit|reached) your)",
    re.IGNORECASE,
)
_LOGIN = "run `claude` in a terminal, log in with /login, then try again"


@dataclass(frozen=True, slots=True)
class ClaudeSettings:
    """`command` is a program, or a command line with arguments."""

    command: str = "claude"
    model: str | None = None

    def argv(self) -> tuple[str, ...]:
        """The command in parts; a path with spaces that exists is one part."""
        return command_parts(self.command, "claude")


class ClaudeBackend:
    """Implements `core.ports.Backend` with Claude Code.

    It works in an empty temporary folder, without tools, hooks and the user's MCP servers, and
    keeps no session. Its environment is an allow-list (`ENVIRONMENT`).
    """

    name = "claude"
    needs_prompt = True

    def __init__(
        self,
        settings: ClaudeSettings | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings or ClaudeSettings()
        self._clock = clock
        self._status: tuple[float, BackendStatus] | None = None
        self._login = LoginMemory(clock)

    async def probe(self) -> BackendStatus:
        if self._status is None or self._clock() - self._status[0] > PROBE_KEPT_S:
            self._status = (self._clock(), await _look(self._settings.argv()))
        status = self._status[1]
        if status.available and self._login.logged_out:
            why = f"Claude Code is logged out (401): {_LOGIN}"
            return BackendStatus(self.name, available=False, why=why, version=status.version)
        return status

    async def login(self) -> ToolStatus | None:
        await self.probe()
        status = self._status[1] if self._status is not None else None
        if status is None or not status.available:
            return None
        environment = claude_environment(os.environ)
        return await claude_login(
            self._settings.argv(), status.version, environment, self._login, _LOGIN
        )

    async def answer(self, request: StageRequest) -> BackendAnswer:
        if request.prompt is None:
            raise BackendFailed("Claude Code was asked without a prompt")
        async with scratch_folder("claude") as folder:
            argv = await asyncio.to_thread(self._argv, request.contract)
            spec = Spec(
                argv,
                folder,
                claude_environment(os.environ),
                request.limit_s,
                output_bytes=ENVELOPE_BYTES,
                stdin=request.prompt.text.encode(),
                grace_s=GRACE_S,
            )
            return await self._run(spec)

    def _argv(self, contract: str) -> tuple[str, ...]:
        schema = json.dumps(load_schema(contract), separators=(",", ":"))
        argv = [*self._settings.argv(), "-p", "--output-format", "json", "--json-schema", schema]
        argv += ["--tools", "", "--no-session-persistence", "--strict-mcp-config"]
        argv += ["--settings", NO_HOOKS, "--system-prompt", INSTRUCTIONS]
        if self._settings.model:
            argv += ["--model", self._settings.model]
        return tuple(argv)

    async def _run(self, spec: Spec) -> BackendAnswer:
        try:
            outcome = await run(spec)
        except ProgramNotFound as error:
            self._status = None
            reason = f"{error.program} was not found"
            raise BackendFailed(reason, {"remedy": INSTALL}) from error
        if outcome.timed_out:
            raise BackendFailed(
                f"Claude Code gave no answer within {spec.limit_s:g} s",
                {"timeout": True, "limitS": spec.limit_s},
            )
        if outcome.truncated:
            raise BackendFailed(
                f"Claude Code gave more than {ENVELOPE_BYTES} bytes", {"limitBytes": ENVELOPE_BYTES}
            )
        envelope = await asyncio.to_thread(read_envelope, outcome.stdout)
        if (failed := _failure(envelope, outcome)) is not None:
            if failed.details.get("status") == 401:
                self._login.refused()
            raise failed
        self._login.worked()
        return BackendAnswer(envelope.text, envelope.usage)


def claude_environment(source: Mapping[str, str]) -> dict[str, str]:
    """The environment of Claude Code: where it logs in, what it connects through, no more."""
    also = [name for name in source if name.upper().startswith(ENVIRONMENT) and name not in NESTED]
    return child_environment(QUIET, also=also, source=source)


async def _look(command: tuple[str, ...]) -> BackendStatus:
    """What is installed; answers within 2 s, never raises."""
    spec = Spec(
        (*command, "--version"), Path("/"), claude_environment(os.environ), PROBE_S, 64 * 1024
    )
    try:
        outcome = await run(spec)
    except ProgramNotFound as error:
        return _unusable(f"{error.program} was not found: {INSTALL}")
    except OSError as error:
        return _unusable(f"{command[0]} cannot be started ({error.strerror}): {INSTALL}")
    if outcome.timed_out:
        return _unusable("claude --version gave no answer within 2 s")
    number = re.search(r"\d+\.\d+\.\d+\S*", outcome.stdout.decode("utf-8", "replace"))
    if outcome.returncode != 0 or number is None:
        return _unusable(f"claude --version ended with exit code {outcome.returncode}: {INSTALL}")
    why = f"Claude Code {number[0]} is installed"
    return BackendStatus(name="claude", available=True, why=why, version=number[0])


def _unusable(why: str) -> BackendStatus:
    return BackendStatus(name="claude", available=False, why=why)


def _failure(envelope: Envelope, outcome: Outcome) -> BackendFailed | None:
    """Why there is no answer, or None."""
    told = not envelope.structured and _TOLD_AS_ANSWER.match(envelope.text.lstrip()) is not None
    if outcome.returncode == 0 and envelope.found and not envelope.is_error and not told:
        return None
    code = outcome.returncode
    tail = outcome.stderr.decode("utf-8", "replace").strip()[-1000:]
    message = envelope.text[:2000].strip() or envelope.subtype or (tail.splitlines() or [""])[-1]
    details = {"exitCode": code, "message": message, "stderr": tail, "subtype": envelope.subtype}
    if envelope.status == 401 or _LOGGED_OUT.search(f"{message} {tail}"):
        return BackendFailed(
            f"Claude Code is logged out: {_LOGIN}", details | {"status": 401, "remedy": _LOGIN}
        )
    if envelope.status == 429 or _NO_ROOM.search(message):
        details |= {"status": 429, "remedy": "wait until your plan allows more, or check it"}
        return BackendFailed(f"Claude Code has no more room for you: {message}", details)
    if envelope.status is not None:
        details |= {"status": envelope.status}
    if "unknown option" in tail:
        details |= {"remedy": "update Claude Code: run `claude update` in a terminal"}
    if code == 0 and not envelope.found:
        return BackendFailed("Claude Code ended without a whole answer", details)
    said = message or "without a word"
    return BackendFailed(f"Claude Code failed (exit code {code}): {said}", details)


def create(context: BackendContext) -> ClaudeBackend:
    """The backend of the settings `claude.command` and `model`."""
    settings = context.settings
    command = str(settings.get("claude.command") or "claude")
    return ClaudeBackend(ClaudeSettings(command, settings.get("model") or None))
