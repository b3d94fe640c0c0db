"""The bundled backends. The code of each is imported when it is first used."""

import importlib
from dataclasses import dataclass

from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.ports import Backend
from tutor_lsp.core.setting_values import SettingInfo, setting


@dataclass(frozen=True, slots=True)
class Ours:
    """Implements `core.backend.BackendKind` by the `create` of the module of this package that has
    its name."""

    name: str
    meaning: str
    place: int
    is_model: bool = True
    asks_first: bool = True
    settings: tuple[SettingInfo, ...] = ()

    def create(self, context: BackendContext) -> Backend:
        backend: Backend = importlib.import_module(f"{__package__}.{self.name}").create(context)
        return backend


def _program(name: str, what: str) -> SettingInfo:
    return setting("program", f"{name}.command", f"Program name or path of {what}.", default=name)


LIBRARY = Ours(
    "library",
    "The bundled exercises and hints. Nothing leaves this machine.",
    place=0,
    is_model=False,
    asks_first=False,
)
CODEX = Ours("codex", "The Codex CLI.", 1, settings=(_program("codex", "the Codex CLI"),))
CLAUDE = Ours("claude", "Claude Code.", 2, settings=(_program("claude", "Claude Code"),))
_ADDRESS = "Address of an OpenAI-compatible service, for the backend `openai`."
_KEY = (
    "Environment variable with the key for the backend `openai`; a service on this machine needs "
    "none."
)
OPENAI = Ours(
    "openai",
    "An OpenAI-compatible service at `openai.baseUrl`.",
    place=3,
    settings=(
        setting("text", "openai.baseUrl", _ADDRESS),
        setting("text", "openai.keyVariable", _KEY, default="OPENAI_API_KEY"),
    ),
)
EDITOR = Ours("editor", "Your editor's own language model.", place=4)
SCRIPTED = Ours("scripted", "", place=5, asks_first=False)
