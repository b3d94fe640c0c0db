"""What the use cases build on: settings, front end, record, library, tools, backends."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.curriculum import Curriculum
from tutor_lsp.core.learner.loss import Loss
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.session import Event
from tutor_lsp.core.settings import Settings
from tutor_lsp.library.loader import Library, load_curriculum
from tutor_lsp.stages.backends.select import names_model
from tutor_lsp.store.database import Store
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.services.backends import BackendService
from tutor_lsp.tutor.services.frontend import Frontend
from tutor_lsp.tutor.services.jobs import Jobs
from tutor_lsp.tutor.services.tasks import Tasks
from tutor_lsp.tutor.services.tool_search import Tools

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Parts:
    """What is rebuilt when settings change."""

    library: Library
    tools: Tools
    backends: BackendService


class Services:
    """Shared by all use cases of one process. Use from the loop's thread only.

    `tools_found` is called with a language when more is known of its tools, `tell_loss` when the
    record was found to lack something.
    """

    def __init__(
        self,
        *,
        settings: Settings,
        parts: Callable[[Settings], Parts],
        frontend: Frontend,
        store: Store,
        new_id: Callable[[], str],
        problems: list[str],
    ) -> None:
        self.settings = settings
        self.frontend = frontend
        self.store = store
        self.new_id = new_id
        self.problems = problems
        self.jobs = Jobs()
        self.tasks = Tasks(new_id)
        self.tools_found: Callable[[str], None] = lambda _: None
        self.tell_loss: Callable[[Loss], Awaitable[None]] | None = None
        self._parts = parts
        self._said: set[Hashable] = set()
        self.renew()

    def renew(self) -> None:
        """Rebuild what depends on settings and client; running work keeps what it has."""
        parts = self._parts(self.settings)
        self.library = parts.library
        self.tools = parts.tools
        self.tools.changed = lambda language: self.tools_found(language)
        self.backends = parts.backends

    def use(self, settings: Settings) -> bool:
        """Apply settings; the home stays until restart. True if the tools changed."""
        settings = replace(settings, home=self.settings.home)
        if settings == self.settings:
            return False
        self.settings, tools = settings, self.tools
        self.renew()
        if self.tools is tools:
            return False
        tools.stop()
        self.tools.begin(self.taught)
        return True

    def warn(self, problems: list[str]) -> None:
        """Report each problem with the settings once."""
        for problem in problems:
            if problem not in self.problems:
                self.problems.append(problem)
                self.frontend.message(problem, warning=True)

    @property
    def toolchains(self) -> Mapping[str, Toolchain]:
        """Toolchains by language, in the order in which they are offered."""
        return self.tools.toolchains

    @property
    def curriculum(self) -> Curriculum:
        """The topics of all languages, those of the learner's own libraries included. Raises
        TutorError `BROKEN_CURRICULUM`."""
        return self.library.curriculum

    @property
    def home(self) -> Path:
        """The tutor home."""
        return Path(self.settings.home).expanduser()

    def now(self) -> str:
        """The time as ISO 8601 in UTC, to the millisecond."""
        return datetime.now(UTC).isoformat(timespec="milliseconds")

    async def db(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in one transaction, off the loop; again if another program wrote meanwhile.

        Raises TutorError `STORE`.
        """
        result = await asyncio.to_thread(self.store.work, work)
        if self.tell_loss is not None and (loss := self.store.take_loss()) is not None:
            await self.tell_loss(loss)
        return result

    async def record(self, kind: str, data: Mapping[str, Any], session: str | None = None) -> None:
        """Append to the event log."""
        await self.db(lambda tx: tx.log(Event(kind, data, session)))

    @property
    def taught(self) -> list[str]:
        """Languages that there are topics for, in the order in which they are offered."""
        return [
            language
            for language in self.toolchains
            # Read only for a language that comes without topics: they are asked for early.
            if load_curriculum().of(language) or self.library.nodes(language)
        ]

    def toolchain(self, language: str) -> Toolchain:
        """The toolchain of a language. Raises TutorError `NO_LANGUAGE`."""
        found = self.toolchains.get(language)
        if found is None:
            raise TutorError(
                "NO_LANGUAGE",
                f"There are no exercises in {language}. Languages: {', '.join(self.toolchains)}.",
            )
        return found

    async def servable(self, language: str) -> frozenset[str] | None:
        """Nodes that can open now without asking; None for all (a model is named)."""
        if names_model(self.settings.backend):
            return None
        return self.library.nodes(language)

    def say_once(self, text: str, about: Hashable = None) -> None:
        """Show a message once; another message on the same subject `about` is not shown again."""
        known = about or text
        if known not in self._said:
            self._said.add(known)
            self.frontend.message(text, warning=True)
