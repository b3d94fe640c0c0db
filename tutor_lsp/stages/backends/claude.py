"""Claude Code as a backend: one `claude -p` per stage, prompt on stdin, one JSON object back.

An exit code of 0 says little: refused logins and used-up plans come with it too. The limit and
the kill are ours.
"""

import asyncio
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.stage import BackendAnswer, BackendFailed, StageRequest
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import Outcome, TooMuchOutput, run, stream
from tutor_lsp.process.spec import Spec
from tutor_lsp.stages.backends import answers
from tutor_lsp.stages.backends.cli import (
    ENVELOPE_BYTES,
    GRACE_S,
    INSTRUCTIONS,
    STREAM_BYTES,
    CommandBackend,
    CommandSettings,
    no_answer,
)

ENVIRONMENT = (
    "ANTHROPIC_", "CLAUDE_", "AWS_", "AZURE_", "GOOGLE_", "CLOUD_ML_", "VERTEX_", "NODE_", "SSL_",
    "XDG_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "DBUS_SESSION_BUS_ADDRESS",
)  # fmt: skip
"""Prefixes of further environment variables passed to Claude Code, in any case."""
NESTED = frozenset(
    {"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT",
     "CLAUDE_CODE_SESSION_ACCESS_TOKEN"}
)  # fmt: skip
"""Variables set by a Claude Code that we run inside; with them it would refuse to start."""
QUIET = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
IN_PIECES = ("stream-json", "--verbose", "--include-partial-messages")
"""Form of an answer that is heard while it comes; every version that knows schemas knows it."""
NO_HOOKS = '{"disableAllHooks":true}'

_TOLD_AS_ANSWER = re.compile(
    r"(API Error\b|Invalid API key|Not logged in|Please run /login|Credit balance"
    r"|Claude (AI |Code )?usage limit|You've (hit|reached) your)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ClaudeSettings(CommandSettings):
    """How to call Claude Code."""

    command: str = "claude"


class ClaudeBackend(CommandBackend):
    """Answers with Claude Code: without tools, hooks and the user's MCP servers; it keeps no
    session. Its environment is an allow-list (`ENVIRONMENT`)."""

    name = "claude"
    title = "Claude Code"
    install = "install Claude Code, or set claude.command to where it is"
    login_line = "claude"
    log_in = "run `claude` in a terminal, log in with /login, then try again"
    logged_out = re.compile(
        r"\b401\b|invalid api key|invalid authentication|not logged in|run /login|/login\b"
        r"|oauth (token|session)[^.]* (expired|revoked)|authentication_error",
        re.IGNORECASE,
    )
    no_room = re.compile(
        r"\b429\b|rate.?limit|(usage|session|weekly|hour) limit|credit balance", re.IGNORECASE
    )
    login_words = ("auth", "status")
    login_since = (2, 1, 41)

    async def _answer(self, request: StageRequest, prompt: bytes, folder: Path) -> BackendAnswer:
        in_pieces = request.heard is not None
        spec = Spec(
            await asyncio.to_thread(self._argv, request.contract, in_pieces=in_pieces),
            folder,
            self._environment(),
            request.limit_s,
            output_bytes=ENVELOPE_BYTES,
            stdin=prompt,
            grace_s=GRACE_S,
        )
        if request.heard is None:
            outcome = await run(spec)
        else:
            outcome = await _listened(spec, request.heard)
        if outcome.timed_out:
            raise no_answer(self.title, spec.limit_s)
        if outcome.truncated:
            raise BackendFailed(
                f"Claude Code sent more than {ENVELOPE_BYTES} bytes", {"limitBytes": ENVELOPE_BYTES}
            )
        envelope = await asyncio.to_thread(answers.read_envelope, outcome.stdout)
        told = not envelope.structured and _TOLD_AS_ANSWER.match(envelope.text.lstrip()) is not None
        if outcome.returncode == 0 and envelope.found and not envelope.is_error and not told:
            return BackendAnswer(envelope.text, envelope.usage)
        more: dict[str, object] = {"subtype": envelope.subtype}
        if envelope.status is not None:
            more["status"] = envelope.status
        if b"unknown option" in outcome.stderr:
            more["remedy"] = "update Claude Code: run `claude update` in a terminal"
        message = envelope.text[:2000].strip() or envelope.subtype
        raise self._failure(outcome, message, more, whole=envelope.found)

    def _argv(self, contract: str, *, in_pieces: bool = False) -> tuple[str, ...]:
        schema = json.dumps(load_schema(contract), separators=(",", ":"))
        form = IN_PIECES if in_pieces else ("json",)
        argv = [*self._settings.argv(), "-p", "--output-format", *form, "--json-schema", schema]
        argv += ["--tools", "", "--no-session-persistence", "--strict-mcp-config"]
        argv += ["--settings", NO_HOOKS, "--system-prompt", INSTRUCTIONS]
        if self._settings.model:
            argv += ["--model", self._settings.model]
        return tuple(argv)

    def _is_logged_in(self, outcome: Outcome) -> bool | None:
        try:
            found = json.loads(outcome.stdout)
        except ValueError:
            return None
        told = found.get("loggedIn") if isinstance(found, dict) else None
        return told if isinstance(told, bool) else None

    def _environment(self) -> Mapping[str, str]:
        return claude_environment(os.environ)


async def _listened(spec: Spec, heard: Callable[[str], None]) -> Outcome:
    """How it ended, with the result's line as its output."""
    events = answers.ClaudeEvents(heard)
    try:
        outcome = await stream(spec, events.line, line_bytes=ENVELOPE_BYTES, all_bytes=STREAM_BYTES)
    except TooMuchOutput as error:
        raise BackendFailed(f"Claude Code gave {error}", {"limitBytes": error.limit}) from error
    return replace(outcome, stdout=events.result)


def claude_environment(source: Mapping[str, str]) -> dict[str, str]:
    """Claude Code's environment: variables for login and connection only."""
    also = [name for name in source if name.upper().startswith(ENVIRONMENT) and name not in NESTED]
    return child_environment(QUIET, also=also, source=source)


def create(context: BackendContext) -> ClaudeBackend:
    """The backend of the settings `claude.command` and `model`."""
    settings = context.settings
    command = str(settings.get("claude.command") or "claude")
    return ClaudeBackend(ClaudeSettings(command, settings.get("model") or None))
