"""The Codex CLI as a backend: one `codex exec` per stage, prompt on stdin, events on stdout.

Codex checks neither schema nor answer and may hang for ever, so the limit, the kill and all
checking are ours.
"""

import asyncio
import contextlib
import os
import re
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.contracts.locate import schema_path
from tutor_lsp.contracts.validate import MAX_ANSWER_BYTES
from tutor_lsp.core.ports import BackendStatus, ToolStatus
from tutor_lsp.core.stage import BackendAnswer, BackendFailed, StageRequest
from tutor_lsp.process.run import Outcome, ProgramNotFound, Spec, TooMuchOutput, stream
from tutor_lsp.process.scratch import scratch_folder
from tutor_lsp.stages.backends.cli import (
    ENVELOPE_BYTES,
    GRACE_S,
    INSTRUCTIONS,
    PROBE_KEPT_S,
    LoginMemory,
    command_parts,
)
from tutor_lsp.stages.backends.codex_events import CodexEvents
from tutor_lsp.stages.backends.codex_probe import INSTALL, Installed, look
from tutor_lsp.stages.backends.login import codex_login
from tutor_lsp.stages.backends.registry import BackendContext

STREAM_BYTES = 16 * ENVELOPE_BYTES
"""Most events of one call, in bytes; a line over `ENVELOPE_BYTES` is not read, and a longer answer
is taken from the answer file."""

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
"""What a stage does not need; keys that a version does not know are ignored by it."""
AGENTS_SINCE = (0, 145)
"""First version that knows `agents.enabled`; older ones refuse it."""

_LOGGED_OUT = re.compile(r"\b401\b|unauthorized|not logged in|codex login", re.IGNORECASE)
_NO_ROOM = re.compile(r"\b429\b|quota exceeded|rate limit", re.IGNORECASE)
_LOGIN = "run `codex login` in a terminal, then try again"


@dataclass(frozen=True, slots=True)
class CodexSettings:
    """`command` is a program, or a command line with arguments. `config` are further `-c` pairs,
    value as TOML; they come last and win."""

    command: str = "codex"
    model: str | None = None
    config: tuple[tuple[str, str], ...] = ()

    def argv(self) -> tuple[str, ...]:
        """The command in parts; a path with spaces that exists is one part."""
        return command_parts(self.command, "codex")


class CodexBackend:
    """Implements `core.ports.Backend` with the Codex CLI.

    Codex keeps its own environment: it may need a proxy, a certificate or the key that the user's
    configuration names. It works in an empty temporary folder, read-only, without a shell tool
    and without the user's MCP servers.
    """

    name = "codex"
    needs_prompt = True

    def __init__(
        self,
        settings: CodexSettings | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings or CodexSettings()
        self._clock = clock
        self._installed: tuple[float, Installed] | None = None
        self._login = LoginMemory(clock)

    async def probe(self) -> BackendStatus:
        status = (await self._look()).status
        if status.available and self._login.logged_out:
            why = f"Codex is logged out (401): {_LOGIN}"
            return BackendStatus(self.name, available=False, why=why, version=status.version)
        return status

    async def login(self) -> ToolStatus | None:
        if not (await self._look()).status.available:
            return None
        return await codex_login(self._settings.argv(), self._login, _LOGIN)

    async def answer(self, request: StageRequest) -> BackendAnswer:
        if request.prompt is None:
            raise BackendFailed("Codex was asked without a prompt")
        installed = await self._look()
        async with scratch_folder("codex") as folder:
            argv = await asyncio.to_thread(self._prepare, folder, request, installed)
            spec = Spec(
                argv,
                folder / "work",
                os.environ,
                request.limit_s,
                output_bytes=64 * 1024,
                tail_bytes=16 * 1024,
                stdin=request.prompt.text.encode(),
                grace_s=GRACE_S,
            )
            return await self._run(spec, folder / "answer.json")

    async def _look(self) -> Installed:
        if self._installed is None or self._clock() - self._installed[0] > PROBE_KEPT_S:
            self._installed = (self._clock(), await look(self._settings.argv()))
        return self._installed[1]

    def _prepare(
        self, folder: Path, request: StageRequest, installed: Installed
    ) -> tuple[str, ...]:
        work, schema = folder / "work", folder / "schema.json"
        instructions = folder / "instructions.md"
        work.mkdir()
        shutil.copyfile(schema_path(request.contract), schema)
        instructions.write_text(INSTRUCTIONS, encoding="utf-8")
        config = [*OVERRIDES, ("model_instructions_file", f'"{instructions}"')]
        if installed.version >= AGENTS_SINCE:
            config.append(("agents.enabled", "false"))
        config += [(f"mcp_servers.{name}.enabled", "false") for name in installed.servers]
        argv = [*self._settings.argv(), "exec", "--json", "--skip-git-repo-check", "--ephemeral"]
        argv += ["-s", "read-only", "-C", str(work), "--output-schema", str(schema)]
        argv += ["-o", str(folder / "answer.json")]
        if self._settings.model:
            argv += ["-m", self._settings.model]
        for key, value in (*config, *self._settings.config):
            argv += ["-c", f"{key}={value}"]
        return (*argv, "-")

    async def _run(self, spec: Spec, answer_file: Path) -> BackendAnswer:
        events = CodexEvents()
        try:
            outcome = await stream(
                spec, events.line, line_bytes=ENVELOPE_BYTES, all_bytes=STREAM_BYTES
            )
        except TooMuchOutput as error:
            details = {"limitBytes": error.limit, **events.data()}
            raise BackendFailed(f"codex gave {error}", details) from error
        except ProgramNotFound as error:
            self._installed = None
            reason = f"{error.program} was not found"
            raise BackendFailed(reason, {"remedy": INSTALL}) from error
        if outcome.timed_out:
            raise BackendFailed(
                f"codex gave no answer within {spec.limit_s:g} s",
                {"timeout": True, "limitS": spec.limit_s, **events.data()},
            )
        if outcome.returncode != 0 or events.failure is not None or not events.completed:
            failed = _failed(events, outcome)
            if failed.details.get("status") == 401:
                self._login.refused()
            raise failed
        self._login.worked()
        text = events.answer
        if text is None:
            text = await asyncio.to_thread(_read_answer, answer_file)
        return BackendAnswer(text, events.usage)


def _failed(events: CodexEvents, outcome: Outcome) -> BackendFailed:
    code = outcome.returncode
    tail = outcome.stderr.decode("utf-8", "replace").strip()[-1000:]
    message = events.failure or events.last_error or (tail.splitlines() or [""])[-1]
    details = {"exitCode": code, "message": message, "stderr": tail, **events.data()}
    said = message or "without a word"
    if _LOGGED_OUT.search(f"{message} {tail}"):
        details |= {"status": 401, "remedy": _LOGIN}
        return BackendFailed(f"Codex is logged out: {_LOGIN}", details)
    if _NO_ROOM.search(message):
        details |= {"status": 429, "remedy": "wait until your plan allows more, or check it"}
        return BackendFailed(f"Codex has no more room for you: {said}", details)
    if code == 0 and events.failure is None:
        return BackendFailed("Codex ended before its answer was complete", details)
    return BackendFailed(f"Codex failed (exit code {code}): {said}", details)


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
