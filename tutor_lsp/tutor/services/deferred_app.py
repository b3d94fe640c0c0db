"""The application before it is put together: a server starts without loading any of it."""

import asyncio
import contextlib
import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.tutor.services.frontend import Frontend

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
    from tutor_lsp.tutor.services.tools import Tools
    from tutor_lsp.tutor.starting.practise import Practice

SETTINGS_S = 5.0
"""How long the first command waits for the client's settings, in seconds."""
MARKER = Path(".tutor", "exercise.json")


class Composer(Protocol):
    """The composition root (`compose.Composer`). Both block."""

    def app(self, frontend: Frontend, client: Mapping[str, Any]) -> "App":
        """The application. Raises TutorError `STORE`."""

    def tools_of(self, client: Mapping[str, Any]) -> "Tools":
        """The tools that the application has or would have, without opening the record."""


def exercise_root(path: Path) -> Path | None:
    """The exercise folder that a path lies in, or None."""
    return next((folder for folder in (path, *path.parents) if is_exercise(folder)), None)


def may_be_exercise(path: Path) -> Path | None:
    """The exercise folder that a path lies in, else the nearest one with a lesson, or None."""
    return exercise_root(path) or next(
        (folder for folder in (path, *path.parents) if _has_lesson(folder)), None
    )


def _has_lesson(folder: Path) -> bool:
    try:
        return (folder / LESSON).is_file()
    except OSError:
        return False


def is_exercise(folder: Path) -> bool:
    """Whether a folder is marked as an exercise."""
    try:
        return (folder / MARKER).is_file()
    except OSError:
        return False


class LazyApp:
    """Puts the application together once, in a thread, when it is first needed."""

    def __init__(self, composer: Composer, frontend: Frontend) -> None:
        self._composer = composer
        self._frontend = frontend
        self._options: dict[str, Any] = {}
        self._section: dict[str, Any] = {}
        self._app: App | None = None
        self._ahead: Tools | None = None
        self._model_changes = 0
        self._lock = asyncio.Lock()
        self._closed = False
        self._settled = asyncio.Event()
        self._settled.set()
        self._practices: Any = None  # practise.Practices, loaded when first asked

    async def get(self) -> "App":
        """The application. Raises TutorError if its store cannot be used.

        Settings that the client was asked for are waited for: they say where the home is.
        """
        if self._app is None:
            async with self._lock:
                if self._app is None:
                    self._app = await self._put_together()
        return self._app

    async def _put_together(self) -> "App":
        await self._settings_there()
        used, changes = self._client(), self._model_changes
        app = await asyncio.to_thread(self._composer.app, self._frontend, used)
        if self._ahead is not None and self._ahead is not app.tools:
            self._ahead.stop()
        app.start()
        if self._client() != used:
            app.client_settings(self._client())
        if self._model_changes != changes:
            app.renew()
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
        if self._app is not None:
            await self._app.jobs.ended()
        async with self._lock:
            if self._app is None:
                self._ahead = await asyncio.to_thread(self._composer.tools_of, self._client())
            tools = self._app.tools if self._app is not None else self._ahead
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
        """The client offers its model now, or no longer."""
        self._model_changes += 1
        if self._app is not None:
            self._app.renew()

    def _client(self) -> dict[str, Any]:
        return {**self._options, **self._section}

    def in_exercise(self, path: Path) -> bool:
        """Whether a path may lie in an exercise folder: one that lost its mark has its lesson."""
        return may_be_exercise(path) is not None

    def opened_of(self, path: Path) -> "OpenExercise | None":
        """The open exercise that a path lies in, without opening one."""
        return self._app.opened_of(path) if self._app is not None else None

    def shows_build_errors(self) -> bool:
        """Whether build errors are published here or left to another server."""
        return self._app is None or self._app.settings.build_errors != "never"

    async def practice(self, codes: Sequence[str], path: Path) -> "Practice | None":
        """A bundled exercise on the first of these error codes that has one, without opening the
        learner's record.
        """
        name = "tutor_lsp.tutor.starting.practise"
        module = await asyncio.to_thread(importlib.import_module, name)
        if self._app is not None:
            self._practices = module.Practices(self._app.curriculum, self._app.library)
        if self._practices is None:
            self._practices = await asyncio.to_thread(module.Practices)
        found: Practice | None = await asyncio.to_thread(self._practices.find, codes, path)
        return found

    def cancel(self, job_id: str) -> bool:
        """Cancel a job or command by its id."""
        return self._app is not None and bool(job_id) and self._app.cancel(job_id)

    async def close(self) -> None:
        """End all work and close the store."""
        self._closed = True
        if self._ahead is not None:
            await self._ahead.drain()
        if self._app is not None:
            await self._app.close()
