"""The composition root: the one place where implementations are chosen."""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import StageRunner
from tutor_lsp.core.session import Event
from tutor_lsp.core.settings import Settings
from tutor_lsp.core.text.translation import t
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.stages.backends.registry import Backends
from tutor_lsp.stages.economy import Allowance, Budget
from tutor_lsp.store.database import Store, open_store, utc_now
from tutor_lsp.store.troubles import DAMAGED
from tutor_lsp.tutor.application import calling
from tutor_lsp.tutor.application.app import App
from tutor_lsp.tutor.application.known_tools import KnownTools
from tutor_lsp.tutor.application.read_settings import read_settings
from tutor_lsp.tutor.learner.record.spending import LastPrompt, spent
from tutor_lsp.tutor.services.backends import BackendService
from tutor_lsp.tutor.services.frontend import Frontend
from tutor_lsp.tutor.services.services import Parts, Services

LIBRARIES = Path(".cache", "libraries")
"""Below the home: what was read of long libraries."""
SCRIPT = "TUTOR_LSP_SCRIPT"
"""A JSONL of stage payloads that the backend `scripted` plays."""


def compose(
    frontend: Frontend,
    client: Mapping[str, Any] | None = None,
    tools: KnownTools | None = None,
    *,
    reachable: bool = True,
) -> App:
    """The application for a front end and the settings of its client. Blocks.

    Raises TutorError `STORE`; not for a record that cannot be reached, unless it has to be
    `reachable`.
    """
    settings, problems = read_settings(client or {})
    store = _open_store(Path(settings.home) / "tutor.db", reachable=reachable)
    if store.refusal is not None:
        problems.append(t(f"{store.refusal.message} Until then it can only be read."))
    services = Services(
        settings=settings,
        parts=partial(_parts, frontend, store, tools or KnownTools()),
        frontend=frontend,
        store=store,
        new_id=new_id,
        problems=problems,
    )
    return App.of(services, read_settings)


def _parts(frontend: Frontend, store: Store, tools: KnownTools, settings: Settings) -> Parts:
    """What depends on settings; cheap, since languages and backends load when first used."""
    library = Library(
        [*(Path(path).expanduser() for path in settings.libraries), BUNDLED],
        settings.file_limits,
        kept_in=Path(settings.home) / LIBRARIES,
    )
    allowance = Allowance(settings.session_calls, settings.session_bytes)

    def log(event: Event) -> None:
        store.work(lambda tx: tx.log(event))

    def runner() -> StageRunner:
        return calling.Runner(
            log,
            sent=log,
            budget=Budget(allowance, partial(spent, store)),
            keep_prompt=LastPrompt(Path(settings.home), utc_now).keep,
        )

    backends = Backends(_backend_context(settings, library, frontend))
    return Parts(
        library=library,
        tools=tools.of(settings),
        backends=BackendService(backends, runner, settings.backend),
    )


def _open_store(path: Path, *, reachable: bool) -> Store:
    """The record; where it was damaged, a new one with all that can be read of it."""
    try:
        return open_store(path, reachable=reachable)
    except TutorError as error:
        if error.reason != DAMAGED:
            raise
        return open_store(path, reachable=reachable)


def _backend_context(settings: Settings, library: Library, frontend: Frontend) -> BackendContext:
    return BackendContext(
        settings={
            **settings.more,
            "model": settings.model,
            "scripted.file": os.environ.get(SCRIPT),
        },
        services={
            "library": library,
            "scripted.lines": lambda path: calling.replay_lines(path),
            "editor.ask": frontend.model(),
        },
    )


def new_id() -> str:
    """A new id that sorts by time within a process's life and is unique everywhere."""
    return os.urandom(16).hex()
