"""Which languages can run here: the one place that looks for their tools and caches the answer."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

from tutor_lsp.core.ports import Toolchain, ToolStatus
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.others import contained_call
from tutor_lsp.languages.registry import GROUP, is_ours, languages

log = logging.getLogger("tutor_lsp")
LOOK_S = 30.0
"""How long the tools of one language may take to answer, in seconds; ours take at most 10 each."""
ANSWER_S = 2.0
"""How long the choice of a language waits for its tools, in seconds."""


class Tools:
    """The toolchains and what is known of their tools. Use from the loop's thread only.

    Looking starts processes, so whoever asks while that goes on joins it; what was found is there
    at once afterwards. `changed` is called with a language when more is known of it. `prepare` is
    what the first run would wait for.
    """

    def __init__(
        self,
        toolchains: Mapping[str, Toolchain],
        prepare: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        self.toolchains = toolchains
        self._prepare = prepare
        self.changed: Callable[[str], None] = lambda _: None
        self._known: dict[str, Sequence[ToolStatus]] = {}
        self._ran: set[str] = set()
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._begun: asyncio.Task[None] | None = None

    def begin(self, languages: Collection[str]) -> None:
        """Look for what is not known yet beside everything else, one language after another."""
        if self._begun is None or self._begun.done():
            self._begun = asyncio.create_task(self._one_by_one(tuple(languages)))

    async def working(self, languages: Sequence[str]) -> list[str]:
        """Those of `languages` whose tools all work, in their order; a tool that does not answer
        within `ANSWER_S` may do so yet.
        """
        await self._asked(languages, ANSWER_S)
        return [language for language in languages if self.missing(language) is None]

    async def broken(self, languages: Sequence[str], wait_s: float) -> frozenset[str]:
        """Those of `languages` that are known not to work after at most `wait_s`."""
        await self._asked(languages, wait_s)
        return frozenset(language for language in languages if self.missing(language) is not None)

    async def look_for_missing(self, language: str, wait_s: float | None = None) -> str | None:
        """See `missing`, after looking for at most `wait_s`."""
        await self._asked((language,), wait_s)
        return self.missing(language)

    def missing(self, language: str) -> str | None:
        """Why tests of a language cannot run here and what to do, None if nothing is known."""
        bad = [tool for tool in self._known.get(language, ()) if not tool.works]
        if not bad or language in self._ran:
            return None
        names = ", ".join(tool.name for tool in bad)
        remedies = dict.fromkeys(tool.remedy for tool in bad if tool.remedy)
        remedy = " ".join(remedies) or t("tutor.doctor tells you more.")
        return t(f"The tests of this exercise cannot run yet: {names}. {remedy}")

    def ran(self, language: str) -> None:
        """Tests of a language ran here, which counts more than what was found before."""
        self._ran.add(language)

    def stop(self) -> None:
        """Stop looking."""
        for task in self._all():
            task.cancel()

    async def drain(self) -> None:
        """Stop looking, and wait until none of its processes is left."""
        self.stop()
        if tasks := self._all():
            await asyncio.wait(tasks)

    def _all(self) -> list[asyncio.Task[None]]:
        return [*([self._begun] if self._begun is not None else []), *self._looking.values()]

    async def _one_by_one(self, languages: Sequence[str]) -> None:
        if self._prepare is not None:
            await self._prepare()
        for language in languages:
            if language not in self._known:
                await asyncio.wait([self._look(language)])

    async def _asked(self, languages: Sequence[str], wait_s: float | None) -> None:
        if languages:
            # Not cancelled with whoever waits: others may wait as well.
            await asyncio.wait([self._look(each) for each in languages], timeout=wait_s)

    def _look(self, language: str) -> asyncio.Task[None]:
        """Ask the toolchain, which remembers; one task at a time for each language."""
        task = self._looking.get(language)
        if task is None or task.done():
            task = asyncio.create_task(self._probe(language), name=f"looking for {language}")
            self._looking[language] = task
        return task

    async def _probe(self, language: str) -> None:
        before = self._known.get(language)
        try:
            found = await self._asked_contained(language)
        except Exception:  # a language that cannot be asked must not end the look at the others
            log.exception("looking for the tools of %s failed", language)
            return
        self._known[language] = found
        if found != before:
            self.changed(language)

    async def _asked_contained(self, language: str) -> Sequence[ToolStatus]:
        async def asked() -> Sequence[ToolStatus]:
            # A language loads with its first use, which would hold the loop.
            toolchain = await asyncio.to_thread(self.toolchains.__getitem__, language)
            return tuple(await toolchain.probe())

        # Ours end when they are cancelled, which is waited for, with all their processes.
        if language not in languages() or is_ours(language):
            return await asked()
        return await contained_call(GROUP, languages()[language], LOOK_S, asked)
