"""Backends as the use cases need them: who serves, and the runner of stages."""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Backend, BackendStatus, HasLogin, StageRunner, ToolStatus

if TYPE_CHECKING:
    from tutor_lsp.stages.backends.registry import Backends
    from tutor_lsp.stages.backends.select import Choice, Need


class BackendService:
    """The backends of one process. `setting` is the configured name, `auto` by default."""

    def __init__(self, backends: "Backends", runner: StageRunner, setting: str) -> None:
        self.runner = runner
        self.setting = setting
        self._backends = backends

    @property
    def library(self) -> Backend:
        """The bundled library."""
        return self._backends.get("library")

    def get(self, name: str) -> Backend | None:
        """A backend by name, None if there is none of that name or it cannot be built."""
        try:
            return self._backends.get(name)
        except TutorError:
            return None

    def require(self, name: str) -> Backend:
        """A backend by name. Raises TutorError `UNKNOWN_BACKEND`."""
        return self._backends.get(name)

    async def choose(self, need: "Need") -> "Choice":
        """Who makes the exercise, asking only those whose state matters.

        Raises TutorError `UNKNOWN_BACKEND` for a name that there is not.
        """
        from tutor_lsp.stages.backends.select import AUTO, candidates, choose

        if need.named not in (None, AUTO):
            self._backends.get(str(need.named))
        asked = [name for name in candidates(need) if name in self._backends.names]
        return choose(need, await self._backends.statuses(asked))

    async def statuses(self) -> list[BackendStatus]:
        """The state of every backend."""
        names = [name for name in self._backends.names if name != "scripted"]
        return list((await self._backends.statuses(names)).values())

    async def logins(self) -> list[ToolStatus]:
        """How the logins of those stand that one logs in to and that are there."""
        found: list[object] = [self.get(name) for name in self._backends.names]
        asked = [item.login() for item in found if isinstance(item, HasLogin)]
        return [status for status in await asyncio.gather(*asked) if status is not None]

    async def states(self, names: Iterable[str]) -> dict[str, BackendStatus]:
        """The state of these backends; unknown ones are left out."""
        return await self._backends.statuses([n for n in names if n in self._backends.names])

    async def model_available(self) -> bool:
        """Whether a model could serve what the library lacks."""
        return await self._model() is not None

    async def serving(self) -> tuple[str, str]:
        """Name and reason of who serves, for `tutor.status`."""
        if self.setting != "auto":
            status = (await self.states([self.setting])).get(self.setting)
            why = status.why if status is not None else "it is not known here"
            return self.setting, f"set in the settings; {why}"
        model = await self._model()
        if model is None:
            return "library", "bundled exercises; no model was found for anything else"
        return "library", f"bundled exercises first; {model.name} for what it lacks: {model.why}"

    async def _model(self) -> BackendStatus | None:
        from tutor_lsp.stages.backends.select import LIBRARY, MODELS

        names = self._backends.names
        if self.setting == LIBRARY:
            return None
        wanted = MODELS if self.setting == "auto" else (self.setting,)
        states = await self._backends.statuses([name for name in wanted if name in names])
        return next((status for status in states.values() if status.available), None)
