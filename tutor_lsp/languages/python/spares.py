"""The spare interpreters of the exercises that are open, at most one for each."""

from pathlib import Path

from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.python.spare import Spare
from tutor_lsp.process.contain import Contain, Containment
from tutor_lsp.process.spec import ProgramNotFound


class Spares:
    """Use from the loop's thread only."""

    def __init__(self) -> None:
        self._waiting: dict[Path, Spare] = {}
        self._starting: dict[Path, object] = {}

    async def keep(
        self, root: Path, program: tuple[str, ...], limits: RunLimits, contain: Contain
    ) -> None:
        """Have one wait for the next run of a workspace, if that is possible here and nobody lets
        go of it meanwhile."""
        if root in self._starting:
            return
        mine = self._starting[root] = object()
        try:
            containment = await contain.get()
            known = self._waiting.get(root)
            fits = known is not None and known.alive and known.serves(program, limits, containment)
            if fits or not Spare.possible(containment):
                return
            await self._end(root)
            spare = Spare(program, limits, containment)
            try:
                await spare.start(root)
            except (OSError, ProgramNotFound):
                return  # runs start their own, and say what is wrong
            if self._starting.get(root) is mine:
                self._waiting[root] = spare
            else:
                await spare.aclose()
        finally:
            if self._starting.get(root) is mine:
                del self._starting[root]

    def take(
        self, root: Path, program: tuple[str, ...], limits: RunLimits, containment: Containment
    ) -> Spare | None:
        """The one that waits for a run like this; from now on it is the caller's."""
        known = self._waiting.get(root)
        if known is None or not known.alive or not known.serves(program, limits, containment):
            return None
        return self._waiting.pop(root)

    async def let_go(self, root: Path | None = None) -> None:
        """End the one of a workspace, or all."""
        for each in [*self._starting, *self._waiting] if root is None else [root]:
            self._starting.pop(each, None)
            await self._end(each)

    async def _end(self, root: Path) -> None:
        spare = self._waiting.pop(root, None)
        if spare is not None:
            await spare.aclose()
