"""What is looked up for a client without its asking, and without opening the learner's record."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from tutor_lsp.library.loader import load_curriculum
from tutor_lsp.tutor.application.deferred_app import DeferredApp
from tutor_lsp.tutor.services.tasks import load_beside
from tutor_lsp.tutor.starting.practise import Practice, Practices


async def look_for_tools(app: DeferredApp) -> None:
    """Find out what can run here before anybody asks for a list, but after a set-up that is going
    on."""
    await app.settings.settled()
    await load_beside(load_curriculum)
    if app.current is not None:
        await app.current.services.jobs.ended()
    tools = await app.tools()
    if not app.closed:
        tools.begin(tuple(tools.toolchains))


class PracticeSearch:
    """Finds bundled exercises on what other tools report."""

    def __init__(self, app: DeferredApp) -> None:
        self._app = app
        self._practices: Practices | None = None

    async def find(self, codes: Sequence[str], path: Path) -> Practice | None:
        """A bundled exercise on the first of these error codes that has one."""
        if self._app.current is not None:
            services = self._app.current.services
            self._practices = Practices(services.curriculum, services.library)
        elif self._practices is None:
            self._practices = await asyncio.to_thread(Practices)
        return await asyncio.to_thread(self._practices.find, codes, path)
