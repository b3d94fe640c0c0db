"""The composition root: the one place where implementations are chosen."""

import os
import tomllib
import uuid
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Store
from tutor_lsp.core.session import Event
from tutor_lsp.core.settings import Settings, resolve
from tutor_lsp.languages.registry import languages
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library, load_curriculum
from tutor_lsp.process.contain import Contain
from tutor_lsp.stages.backends.registry import BackendContext, Backends
from tutor_lsp.stages.economy import Allowance, Budget
from tutor_lsp.stages.runner import Runner
from tutor_lsp.store.database import SqliteStore, open_store, utc_now
from tutor_lsp.store.troubles import DAMAGED
from tutor_lsp.tutor.app import App, Parts
from tutor_lsp.tutor.services.backends import BackendService
from tutor_lsp.tutor.services.cost import LastPrompt, spent
from tutor_lsp.tutor.services.frontend import Frontend
from tutor_lsp.tutor.services.replay import replay_lines
from tutor_lsp.tutor.services.tools import Tools

CONFIG = "config.toml"
SCRIPT = "TUTOR_LSP_SCRIPT"
"""A JSONL of stage payloads that the backend `scripted` plays."""
CLIENT_ONLY = ("ui", "ask", "reports")
"""Keys of initializationOptions that are no settings."""


class Composer:
    """Composes for one process: what was found out about tools is kept, also from before there is
    an application, until settings name other tools.
    """

    def __init__(self) -> None:
        self._means: tuple[str, str | None] | None = None
        self._tools: Tools | None = None

    def tools(self, settings: Settings) -> Tools:
        """The tools of these settings; the same object while they mean the same ones."""
        means = (settings.home, settings.python_interpreter)
        if self._tools is None or self._means != means:
            self._means = means
            contain = Contain(home=Path(settings.home), private=True)
            found = toolchains(python_interpreter=means[1], contain=contain)
            self._tools = Tools(found, prepare=contain.get)
        return self._tools

    def tools_of(self, client: Mapping[str, Any]) -> Tools:
        """The tools of a client's settings, without opening a store. Blocks."""
        return self.tools(read_settings(dict(os.environ), client)[0])

    def app(self, frontend: Frontend, client: Mapping[str, Any]) -> App:
        """See `compose`."""
        return compose(frontend, client, self)


def compose(frontend: Frontend, client: Mapping[str, Any], composer: Composer | None = None) -> App:
    """The application for a front end and its settings. Blocks; raises TutorError `STORE`."""
    read = partial(read_settings, dict(os.environ))
    settings, problems = read(client)
    composer = composer or Composer()
    home = Path(settings.home)
    store = _open_store(home / "tutor.db")
    if store.refusal is not None:
        problems.append(f"{store.refusal.message} Until then it can only be read.")

    def log(event: Event) -> None:
        store.work(lambda tx: tx.log(event))

    return App(
        settings=settings,
        resolve=read,
        parts=partial(make_parts, frontend=frontend, log=log, store=store, tools=composer.tools),
        frontend=frontend,
        store=store,
        curriculum=load_curriculum(),
        new_id=new_id,
        problems=problems,
    )


def _open_store(path: Path) -> SqliteStore:
    """The record; where it was damaged, a new one with all that can be read of it."""
    try:
        return open_store(path)
    except TutorError as error:
        if error.reason != DAMAGED:
            raise
        return open_store(path)


def make_parts(
    settings: Settings,
    *,
    log: Callable[[Event], None],
    store: Store,
    frontend: Frontend,
    tools: Callable[[Settings], Tools],
) -> Parts:
    """What depends on settings; cheap, since languages and backends load when first used."""
    library = Library(
        [*(Path(path).expanduser() for path in settings.libraries), BUNDLED], settings.file_limits
    )
    context = BackendContext(
        settings={
            "codex.command": settings.codex_command,
            "model": settings.model,
            "claude.command": settings.claude_command,
            "openai.baseUrl": settings.openai_base_url,
            "openai.keyVariable": settings.openai_key_variable,
            "scripted.file": os.environ.get(SCRIPT),
        },
        services={
            "library": library,
            "scripted.lines": replay_lines,
            "editor.ask": frontend.model(),
        },
    )
    allowance = Allowance(settings.session_calls, settings.session_bytes)
    runner = Runner(
        log,
        budget=Budget(allowance, partial(spent, store)),
        keep_prompt=LastPrompt(Path(settings.home), utc_now).keep,
    )
    return Parts(
        library=library,
        tools=tools(settings),
        backends=BackendService(Backends(context), runner, settings.backend),
    )


def new_id() -> str:
    """A new id that sorts by time within a process's life and is unique everywhere."""
    return uuid.uuid4().hex


def read_settings(
    environment: Mapping[str, str], client: Mapping[str, Any]
) -> tuple[Settings, list[str]]:
    """The settings in force, and what was wrong with those that were given."""
    given = {key: value for key, value in client.items() if key not in CLIENT_ONLY}
    if isinstance(given.get("model"), bool):
        # initializationOptions.model says that the client offers its own model.
        del given["model"]
    known = tuple(languages())
    settings, _ = resolve(Settings(), {}, environment, given, known)
    config: object = {}
    problems: list[str] = []
    path = Path(settings.home) / CONFIG
    try:
        config = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        pass
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        problems.append(f"{path} cannot be read ({error}); its settings are left out.")
    settings, more = resolve(Settings(), config, environment, given, known)
    return settings, problems + more
