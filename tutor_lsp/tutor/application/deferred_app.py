"""The application of a server: composed with the first command, from the settings known then."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.application.app import App
from tutor_lsp.tutor.application.client_settings import ClientSettings
from tutor_lsp.tutor.application.compose import compose
from tutor_lsp.tutor.application.known_tools import KnownTools
from tutor_lsp.tutor.application.read_settings import read_settings
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.services.frontend import Frontend
from tutor_lsp.tutor.services.tool_search import Tools

DOCTOR = "tutor.doctor"


class DeferredApp:
    """Composes the application when it is first needed; `current` is None until then, and questions
    about open exercises are answered as without any. Use from the loop's thread only.
    """

    def __init__(self, frontend: Frontend) -> None:
        self.settings = ClientSettings(self._settings_changed)
        self.current: App | None = None
        self.closed = False
        self._frontend = frontend
        self._known_tools = KnownTools()
        self._early_tools: Tools | None = None
        self._model_changes = 0
        self._lock = asyncio.Lock()
        self._coming: asyncio.Task[App] | None = None

    async def get(self) -> App:
        """The application, composed in a thread when it is first needed. Raises TutorError if its
        store cannot be used.

        Settings that the client was asked for are waited for: they say where the home is.
        """
        if self.current is not None:
            return self.current
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
            app = await self._composed(self.settings.given, reachable=False)
        try:
            yield app
        finally:
            if app is not self.current:
                await app.close()

    async def tools(self) -> Tools:
        """The tools that the application has, or would have: the record is not opened for them."""
        async with self._lock:
            if self.current is not None:
                return self.current.services.tools
            given = self.settings.given
            self._early_tools = await asyncio.to_thread(
                lambda: self._known_tools.of(read_settings(given)[0])
            )
            return self._early_tools

    async def _come(self) -> App:
        async with self._lock:
            await self.settings.settled()
            used, changes = self.settings.given, self._model_changes
            app = await self._composed(used)
            if self._early_tools is not None and self._early_tools is not app.services.tools:
                self._early_tools.stop()
            app.start()
            if self.settings.given != used:
                app.client_settings(self.settings.given)
            if self._model_changes != changes:
                app.services.renew()
            self.current = app
        return app

    def _came(self, coming: asyncio.Task[App]) -> None:
        """The next command tries again where it failed; nobody may be left to hear of that."""
        self._coming = None
        if not coming.cancelled():
            coming.exception()

    async def _composed(self, given: Mapping[str, Any], *, reachable: bool = True) -> App:
        return await asyncio.to_thread(
            compose, self._frontend, given, self._known_tools, reachable=reachable
        )

    def _settings_changed(self) -> None:
        if self.current is not None:
            self.current.client_settings(self.settings.given)

    def model_changed(self) -> None:
        """The client now offers its model, or no longer does."""
        self._model_changes += 1
        if self.current is not None:
            self.current.services.renew()

    def opened_above(self, real: Path) -> OpenExercise | None:
        """The open exercise that a path without links lies in, without opening one."""
        return self.current.exercises.opened_above(real) if self.current is not None else None

    def worked_on(self, opened: OpenExercise) -> None:
        """Somebody edits an open exercise. Takes microseconds."""
        if self.current is not None:
            self.current.runs.ready.touch(opened)

    def left(self, opened: OpenExercise) -> None:
        """No file of an exercise is open any more."""
        if self.current is not None:
            self.current.runs.ready.let_go(opened.root)

    def shows_build_errors(self) -> bool:
        """Whether build errors are published here or left to another server."""
        return self.current is None or self.current.services.settings.build_errors != "never"

    def cancel(self, job_id: str) -> bool:
        """Cancel a job or command by its id."""
        return self.current is not None and bool(job_id) and self.current.cancel(job_id)

    async def close(self) -> None:
        """End all work and close the store."""
        self.closed = True
        if self._coming is not None:
            self.settings.no_answer()
            await asyncio.wait([self._coming])
        if self._early_tools is not None:
            await self._early_tools.drain()
        if self.current is not None:
            await self.current.close()
