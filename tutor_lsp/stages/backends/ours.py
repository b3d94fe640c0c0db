"""The bundled backends. The code of each is imported when it is first used."""

from collections.abc import Callable
from dataclasses import dataclass

from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.ports import Backend
from tutor_lsp.core.setting_values import SettingInfo, setting
from tutor_lsp.stages.backends import implementations


@dataclass(frozen=True, slots=True)
class Ours:
    """Implements `core.backend.BackendKind`."""

    name: str
    meaning: str
    place: int
    create: Callable[[BackendContext], Backend]
    is_model: bool = True
    asks_first: bool = True
    settings: tuple[SettingInfo, ...] = ()


def _program(name: str, what: str) -> SettingInfo:
    return setting("program", f"{name}.command", f"Program name or path of {what}.", default=name)


LIBRARY = Ours(
    "library",
    "The bundled exercises and hints. Nothing leaves this machine.",
    place=0,
    create=lambda context: implementations.library.create(context),
    is_model=False,
    asks_first=False,
)
CODEX = Ours(
    "codex",
    "The Codex CLI.",
    1,
    lambda context: implementations.codex.create(context),
    settings=(_program("codex", "the Codex CLI"),),
)
CLAUDE = Ours(
    "claude",
    "Claude Code.",
    2,
    lambda context: implementations.claude.create(context),
    settings=(_program("claude", "Claude Code"),),
)
_ADDRESS = "Address of an OpenAI-compatible service, for the backend `openai`."
_KEY = (
    "Environment variable with the key for the backend `openai`; a service on this machine needs "
    "none."
)
OPENAI = Ours(
    "openai",
    "An OpenAI-compatible service at `openai.baseUrl`.",
    place=3,
    create=lambda context: implementations.openai.create(context),
    settings=(
        setting("text", "openai.baseUrl", _ADDRESS),
        setting("text", "openai.keyVariable", _KEY, default="OPENAI_API_KEY"),
    ),
)
EDITOR = Ours(
    "editor",
    "Your editor's own language model.",
    4,
    lambda context: implementations.editor.create(context),
)
SCRIPTED = Ours(
    "scripted", "", 5, lambda context: implementations.scripted.create(context), asks_first=False
)
