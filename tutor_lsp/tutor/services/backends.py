"""Backends as the use cases need them: which one serves, and the runner of stages."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Backend, BackendStatus, StageRunner, ToolStatus
from tutor_lsp.core.text.translation import t
from tutor_lsp.stages.backends.registry import Backends, models, offered, used_freely
from tutor_lsp.stages.backends.select import AUTO, LIBRARY, BackendChoice, Need, candidates, choose


class BackendService:
    """The backends of one process. `setting` is the configured name, `auto` by default; what runs
    stages is made with the first of them."""

    def __init__(
        self, backends: Backends, make_runner: Callable[[], StageRunner], setting: str
    ) -> None:
        self.setting = setting
        self._backends = backends
        self._make_runner = make_runner

    @cached_property
    def runner(self) -> StageRunner:
        """Runs the stages that a backend answers."""
        return self._make_runner()

    @property
    def library(self) -> Backend:
        """The bundled library."""
        return self._backends.get(LIBRARY)

    def get(self, name: str) -> Backend | None:
        """A backend by name, None if there is none of that name or it cannot be built."""
        try:
            return self._backends.get(name)
        except TutorError:
            return None

    def require(self, name: str) -> Backend:
        """A backend by name. Raises TutorError `UNKNOWN_BACKEND`."""
        return self._backends.get(name)

    async def choose(self, need: Need) -> BackendChoice:
        """The backend that makes the exercise; only backends whose state matters are queried.

        Raises TutorError `UNKNOWN_BACKEND` for an unknown name.
        """
        if need.named not in (None, AUTO):
            self._backends.get(str(need.named))
        known = replace(need, consented={*need.consented, *used_freely()})
        return choose(known, await self.states(candidates(need, models())))

    async def statuses(self) -> list[BackendStatus]:
        """The state of every backend."""
        return list((await self.states(offered())).values())

    async def logins(self) -> list[ToolStatus]:
        """The login state of the installed backends that need a login."""
        return await self._backends.logins()

    async def states(self, names: Iterable[str]) -> dict[str, BackendStatus]:
        """The state of these backends; unknown ones are left out."""
        return await self._backends.statuses(names)

    async def model_available(self) -> bool:
        """Whether a model could serve what the library lacks."""
        return await self._model() is not None

    async def serving(self) -> tuple[str, str]:
        """Name of the serving backend and why it serves, for `tutor.status`."""
        if self.setting != AUTO:
            status = (await self.states([self.setting])).get(self.setting)
            why = status.why if status is not None else t("it is not known here")
            return self.setting, t(f"set in the settings; {why}")
        model = await self._model()
        if model is None:
            return LIBRARY, t("bundled exercises; no model was found for anything else")
        return LIBRARY, t(f"bundled exercises first; {model.name} for what it lacks: {model.why}")

    async def _model(self) -> BackendStatus | None:
        if self.setting == LIBRARY:
            return None
        states = await self.states(models() if self.setting == AUTO else [self.setting])
        return next((status for status in states.values() if status.available), None)
