"""The application before it is put together: a server starts without loading any of it."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.tutor.frontend import Frontend

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.opened import OpenExercise

MARKER = Path(".tutor", "exercise.json")

Compose = Callable[[Frontend, Mapping[str, Any]], "App"]


def exercise_root(path: Path) -> Path | None:
    """The exercise folder that a path lies in, or None."""
    for folder in (path, *path.parents):
        if (folder / ".tutor").is_dir() and (folder / MARKER).exists():
            return folder
    return None


class LazyApp:
    """Puts the application together once, in a thread, when it is first needed."""

    def __init__(self, compose: Compose, frontend: Frontend) -> None:
        self._compose = compose
        self._frontend = frontend
        self._settings: dict[str, Any] = {}
        self._app: App | None = None
        self._lock = asyncio.Lock()

    async def get(self) -> "App":
        """The application. Raises TutorError if its store cannot be used."""
        if self._app is None:
            async with self._lock:
                if self._app is None:
                    app = await asyncio.to_thread(self._compose, self._frontend, self._settings)
                    app.start()
                    self._app = app
        return self._app

    def client_settings(self, given: Mapping[str, Any]) -> None:
        """Take over settings from the client, now or later."""
        self._settings.update(given)
        if self._app is not None:
            self._app.client_settings(self._settings)

    def in_exercise(self, path: Path) -> bool:
        """Whether a path lies in an exercise folder."""
        return exercise_root(path) is not None

    def opened_of(self, path: Path) -> "OpenExercise | None":
        """The open exercise that a path lies in, without opening one."""
        return self._app.opened_of(path) if self._app is not None else None

    def shows_build_errors(self) -> bool:
        """Whether build errors are published here or left to another server."""
        return self._app is None or self._app.settings.build_errors != "never"

    def cancel(self, job_id: str) -> bool:
        """Cancel a job."""
        return self._app is not None and self._app.jobs.cancel(job_id)

    async def close(self) -> None:
        """End all work and close the store."""
        if self._app is not None:
            await self._app.close()
