"""The Codex CLI as a backend: one `codex exec` per stage, prompt on stdin, events on stdout.

Codex checks neither schema nor answer and may hang for ever, so the limit, the kill and all
checking are ours.
"""

import asyncio
import contextlib
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tutor_lsp.contracts.locate import schema_path
from tutor_lsp.contracts.validate import MAX_ANSWER_BYTES
from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.ports import BackendStatus
from tutor_lsp.core.stage import BackendAnswer, BackendFailed, StageRequest
from tutor_lsp.process.run import Outcome, TooMuchOutput, stream
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
    numbers,
)

OVERRIDES = (
    ("features.apps", "false"),
    ("features.goals", "false"),
    ("features.hooks", "false"),
    ("features.multi_agent", "false"),
    ("features.plugins", "false"),
    ("features.shell_snapshot", "false"),
    ("features.shell_tool", "false"),
    ("features.unbounded_connection_retries", "false"),
    ("analytics.enabled", "false"),
    ("check_for_update_on_startup", "false"),
    ("web_search", '"disabled"'),
    ("project_doc_max_bytes", "0"),
    ("include_environment_context", "false"),
    ("include_permissions_instructions", "false"),
    ("skills.include_instructions", "false"),
)
"""Features that a stage does not need; a version ignores keys that it does not know."""
AGENTS_SINCE = (0, 145)
"""First version that knows `agents.enabled`; older ones refuse it."""

_SERVER = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class CodexSettings(CommandSettings):
    """How to call Codex. `config` are further `-c` pairs, value as TOML; they come last and win."""

    command: str = "codex"
    config: tuple[tuple[str, str], ...] = ()


class CodexBackend(CommandBackend):
    """Answers with the Codex CLI.

    Codex keeps its own environment: it may need a proxy, a certificate or the key that the user's
    configuration names. It works read-only, without a shell tool and without the user's MCP
    servers.
    """

    name = "codex"
    title = "Codex"
    install = "install the Codex CLI, or set codex.command to where it is"
    login_line = "codex login"
    log_in = "run `codex login` in a terminal, then try again"
    logged_out = re.compile(r"\b401\b|unauthorized|not logged in|codex login", re.IGNORECASE)
    no_room = re.compile(r"\b429\b|quota exceeded|rate limit", re.IGNORECASE)
    login_words = ("login", "status")

    _settings: CodexSettings
    _servers: tuple[str, ...] = ()

    async def _look(self) -> BackendStatus:
        status, listed = await asyncio.gather(super()._look(), self._tried("mcp", "list", "--json"))
        self._servers = () if listed is None else _enabled(listed)
        return status

    def _is_logged_in(self, outcome: Outcome) -> bool | None:
        if outcome.returncode == 0:
            return True
        said = (outcome.stdout + outcome.stderr).lower()
        return False if b"not logged in" in said else None

    async def _answer(self, request: StageRequest, prompt: bytes, folder: Path) -> BackendAnswer:
        version = numbers((await self._status()).version)[:2]
        spec = Spec(
            await asyncio.to_thread(self._prepare, folder, request.contract, version),
            folder / "work",
            self._environment(),
            request.limit_s,
            output_bytes=64 * 1024,
            tail_bytes=16 * 1024,
            stdin=prompt,
            grace_s=GRACE_S,
        )
        events = answers.CodexEvents()
        try:
            outcome = await stream(
                spec, events.line, line_bytes=ENVELOPE_BYTES, all_bytes=STREAM_BYTES
            )
        except TooMuchOutput as error:
            details = {"limitBytes": error.limit, **events.data()}
            raise BackendFailed(f"codex gave {error}", details) from error
        if outcome.timed_out:
            raise no_answer(self.title, spec.limit_s, events.data())
        if outcome.returncode != 0 or events.failure is not None or not events.completed:
            message = events.failure or events.last_error or ""
            whole = events.failure is not None
            raise self._failure(outcome, message, events.data(), whole=whole)
        text = events.answer
        if text is None:
            text = await asyncio.to_thread(_read_answer, folder / "answer.json")
        return BackendAnswer(text, events.usage)

    def _prepare(self, folder: Path, contract: str, version: tuple[int, ...]) -> tuple[str, ...]:
        work, schema = folder / "work", folder / "schema.json"
        instructions = folder / "instructions.md"
        work.mkdir()
        shutil.copyfile(schema_path(contract), schema)
        instructions.write_text(INSTRUCTIONS, encoding="utf-8")
        config = [*OVERRIDES, ("model_instructions_file", f'"{instructions}"')]
        if version >= AGENTS_SINCE:
            config.append(("agents.enabled", "false"))
        config += [(f"mcp_servers.{name}.enabled", "false") for name in self._servers]
        argv = [*self._settings.argv(), "exec", "--json", "--skip-git-repo-check", "--ephemeral"]
        argv += ["-s", "read-only", "-C", str(work), "--output-schema", str(schema)]
        argv += ["-o", str(folder / "answer.json")]
        if self._settings.model:
            argv += ["-m", self._settings.model]
        for key, value in (*config, *self._settings.config):
            argv += ["-c", f"{key}={value}"]
        return (*argv, "-")


def _enabled(outcome: Outcome) -> tuple[str, ...]:
    """Names of the enabled MCP servers of the user's configuration; empty if the list cannot be
    read."""
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


def _read_answer(path: Path) -> str:
    """The answer file, at most a little more than an answer may have; empty if there is none."""
    with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
        return file.read(MAX_ANSWER_BYTES + 1).decode("utf-8", "replace")
    return ""


def create(context: BackendContext) -> CodexBackend:
    """The backend of the settings `codex.command`, `codex.config` and `model`."""
    settings = context.settings
    return CodexBackend(
        CodexSettings(
            command=str(settings.get("codex.command") or "codex"),
            model=settings.get("model") or None,
            config=tuple(dict(settings.get("codex.config") or {}).items()),
        )
    )
