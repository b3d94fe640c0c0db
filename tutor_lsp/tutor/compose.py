"""The composition root: the one place where implementations are chosen."""

import asyncio
import contextlib
import os
import re
import tomllib
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.settings import Settings, resolve
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library, load_curriculum
from tutor_lsp.process.contain import Contain
from tutor_lsp.stages.backends.registry import Backends
from tutor_lsp.stages.economy import Allowance, Budget
from tutor_lsp.stages.runner import Runner
from tutor_lsp.store.database import Store, open_store, utc_now
from tutor_lsp.store.troubles import DAMAGED
from tutor_lsp.tutor.app import App
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.folder.marker import may_be_exercise
from tutor_lsp.tutor.record.spending import LastPrompt, spent
from tutor_lsp.tutor.services.backends import BackendService
from tutor_lsp.tutor.services.frontend import Frontend
from tutor_lsp.tutor.services.installed import installed
from tutor_lsp.tutor.services.replay import replay_lines
from tutor_lsp.tutor.services.services import Parts, Services
from tutor_lsp.tutor.services.tasks import load_beside
from tutor_lsp.tutor.services.tool_search import Tools
from tutor_lsp.tutor.starting.practise import Practice, Practices

CONFIG = "config.toml"
LIBRARIES = Path(".cache", "libraries")
"""Below the home: what was read of long libraries."""
SCRIPT = "TUTOR_LSP_SCRIPT"
"""A JSONL of stage payloads that the backend `scripted` plays."""
SETTINGS_S = 5.0
"""How long the first command waits for the client's settings, in seconds."""
CLIENT_ONLY = ("ui", "ask", "reports", "diagnosticsInHover", "commandForm")
"""Keys of initializationOptions that are no settings."""
DOCTOR = "tutor.doctor"


class Composition:
    """Puts one process's application together: at once (`compose`), or when it is first needed
    (`get`), from the settings of the client that are known then.

    Knowledge about tools is kept, also from before there is an application, until settings
    name other tools.
    """

    def __init__(self, frontend: Frontend, client: Mapping[str, Any] | None = None) -> None:
        self._frontend = frontend
        self._options: dict[str, Any] = dict(client or {})
        self._section: dict[str, Any] = {}
        self._app: App | None = None
        self._means: tuple[str, Mapping[str, Any]] | None = None
        self._tools: Tools | None = None
        self._ahead: Tools | None = None
        self._practices: Practices | None = None
        self._model_changes = 0
        self._lock = asyncio.Lock()
        self._coming: asyncio.Task[App] | None = None
        self._closed = False
        self._settled = asyncio.Event()
        self._settled.set()

    def compose(self, *, reachable: bool = True) -> App:
        """An application. Blocks; raises TutorError `STORE`; not for a record that cannot be
        reached, unless it has to be `reachable`."""
        return self._composed(self._client(), reachable=reachable)

    def _composed(self, client: Mapping[str, Any], *, reachable: bool = True) -> App:
        settings, problems = _read(client)
        store = _open_store(Path(settings.home) / "tutor.db", reachable=reachable)
        if store.refusal is not None:
            problems.append(t(f"{store.refusal.message} Until then it can only be read."))
        services = Services(
            settings=settings,
            parts=partial(self._parts, store),
            frontend=self._frontend,
            store=store,
            new_id=new_id,
            problems=problems,
        )
        return App.of(services, _read)

    def _parts(self, store: Store, settings: Settings) -> Parts:
        """What depends on settings; cheap, since languages and backends load when first used."""
        library = Library(
            [*(Path(path).expanduser() for path in settings.libraries), BUNDLED],
            settings.file_limits,
            kept_in=Path(settings.home) / LIBRARIES,
        )
        allowance = Allowance(settings.session_calls, settings.session_bytes)
        runner = Runner(
            lambda event: store.work(lambda tx: tx.log(event)),
            budget=Budget(allowance, partial(spent, store)),
            keep_prompt=LastPrompt(Path(settings.home), utc_now).keep,
        )
        backends = Backends(_backend_context(settings, library, self._frontend))
        return Parts(
            library=library,
            tools=self._tools_for(settings),
            backends=BackendService(backends, runner, settings.backend),
        )

    def _tools_for(self, settings: Settings) -> Tools:
        """The tools of these settings; the same object while they mean the same ones."""
        means = (settings.home, settings.more)
        if self._tools is None or self._means != means:
            self._means = means
            contain = Contain(home=Path(settings.home), private=True)
            found = toolchains(settings.more, contain=contain)
            self._tools = Tools(found, prepare=contain.get)
        return self._tools

    async def get(self) -> App:
        """The application, put together in a thread when it is first needed. Raises TutorError if
        its store cannot be used.

        Settings that the client was asked for are waited for: they say where the home is.
        """
        if self._app is not None:
            return self._app
        if self._coming is None:
            self._coming = asyncio.create_task(self._come())
            self._coming.add_done_callback(self._came)
        # Others wait for it too: whoever is cancelled does not end it.
        return await asyncio.shield(self._coming)

    @contextlib.asynccontextmanager
    async def for_command(self, name: str) -> AsyncIterator[App]:
        """The application for a command, as from `get`. The doctor is also there where the record
        cannot be reached: to say so, and what to do."""
        try:
            app = await self.get()
        except TutorError as error:
            if name != DOCTOR or error.kind != "STORE":
                raise
            app = await asyncio.to_thread(self.compose, reachable=False)
        try:
            yield app
        finally:
            if app is not self._app:
                await app.close()

    async def _come(self) -> App:
        async with self._lock:
            self._app = await self._put_together()
        return self._app

    def _came(self, coming: asyncio.Task[App]) -> None:
        """The next command tries again where it failed; nobody may be left to hear of that."""
        self._coming = None
        if not coming.cancelled():
            coming.exception()

    async def _put_together(self) -> App:
        await self._settings_there()
        used, changes = self._client(), self._model_changes
        app = await asyncio.to_thread(self._composed, used)
        if self._ahead is not None and self._ahead is not app.services.tools:
            self._ahead.stop()
        app.start()
        if self._client() != used:
            app.client_settings(self._client())
        if self._model_changes != changes:
            app.services.renew()
        return app

    async def _settings_there(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SETTINGS_S):
                await self._settled.wait()

    async def look_for_tools(self) -> None:
        """Find out what can run here before anybody asks for a list, but after a set-up that is
        going on; the learner's record is not opened for it.
        """
        await self._settings_there()
        await load_beside(load_curriculum)
        if self._app is not None:
            await self._app.services.jobs.ended()
        async with self._lock:
            if self._app is None:
                # As the application would have them, without opening the record.
                self._ahead = await asyncio.to_thread(
                    lambda: self._tools_for(_read(self._client())[0])
                )
            tools = self._app.services.tools if self._app is not None else self._ahead
        if tools is not None and not self._closed:
            tools.begin(tuple(tools.toolchains))

    def expect_settings(self) -> None:
        """Settings are being asked for; `client_settings` or `no_settings` ends the wait."""
        self._settled.clear()

    def no_settings(self) -> None:
        """The client did not answer."""
        self._settled.set()

    def options(self, given: Mapping[str, Any]) -> None:
        """Take note of initializationOptions; the client's settings win over them."""
        self._options = dict(given)

    def client_settings(self, given: Mapping[str, Any]) -> None:
        """Take over the client's settings, now or later; those it no longer names are gone."""
        self._section = dict(given)
        self._settled.set()
        if self._app is not None:
            self._app.client_settings(self._client())

    def model_changed(self) -> None:
        """The client now offers its model, or no longer does."""
        self._model_changes += 1
        if self._app is not None:
            self._app.services.renew()

    def _client(self) -> dict[str, Any]:
        return {**self._options, **self._section}

    def in_exercise(self, path: Path) -> bool:
        """Whether a path may lie in an exercise folder: one that lost its mark has its lesson."""
        return may_be_exercise(path) is not None

    def opened_above(self, real: Path) -> OpenExercise | None:
        """The open exercise that a path without links lies in, without opening one."""
        return self._app.exercises.opened_above(real) if self._app is not None else None

    def worked_on(self, opened: OpenExercise) -> None:
        """Somebody edits an open exercise. Takes microseconds."""
        if self._app is not None:
            self._app.runs.ready.touch(opened)

    def left(self, opened: OpenExercise) -> None:
        """No file of an exercise is open any more."""
        if self._app is not None:
            self._app.runs.ready.let_go(opened.root)

    def shows_build_errors(self) -> bool:
        """Whether build errors are published here or left to another server."""
        return self._app is None or self._app.services.settings.build_errors != "never"

    async def practice(self, codes: Sequence[str], path: Path) -> Practice | None:
        """A bundled exercise on the first of these error codes that has one, without opening the
        learner's record.
        """
        if self._app is not None:
            services = self._app.services
            self._practices = Practices(services.curriculum, services.library)
        elif self._practices is None:
            self._practices = await asyncio.to_thread(Practices)
        return await asyncio.to_thread(self._practices.find, codes, path)

    def cancel(self, job_id: str) -> bool:
        """Cancel a job or command by its id."""
        return self._app is not None and bool(job_id) and self._app.cancel(job_id)

    async def close(self) -> None:
        """End all work and close the store."""
        self._closed = True
        if self._coming is not None:
            self._settled.set()
            await asyncio.wait([self._coming])
        if self._ahead is not None:
            await self._ahead.drain()
        if self._app is not None:
            await self._app.close()


def _read(client: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    return read_settings(dict(os.environ), client)


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
            "scripted.lines": replay_lines,
            "editor.ask": frontend.model(),
        },
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
    known = installed()
    settings, _ = resolve(Settings(), {}, environment, given, known)
    config: object = {}
    problems: list[str] = []
    path = Path(settings.home) / CONFIG
    try:
        config = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        pass
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        problems.append(t(f"{path} {_why_unread(error)}: correct it; its settings are ignored."))
    settings, more = resolve(Settings(), config, environment, given, known)
    return settings, problems + more


def _why_unread(error: Exception) -> str:
    """Why a file of settings is left out, as the middle of a sentence."""
    if isinstance(error, OSError):
        return t(f"cannot be read ({error.strerror})")
    if isinstance(error, UnicodeDecodeError):
        return t("is not saved as UTF-8")
    place = re.search(r"line \d+, column \d+", str(error))
    return t(f"is not valid TOML ({place[0]})") if place else t("is not valid TOML")
