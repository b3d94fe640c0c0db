"""Shows an answer while a model still writes it: each sentence once it has been checked together
with all before it, as the whole answer will be."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType, TracebackType
from typing import Any, Self

from tutor_lsp.stages.growing import Growing
from tutor_lsp.tutor.hinting.coach.checks import HintFault
from tutor_lsp.tutor.hinting.coach.sentences import begun, says_something, sentences
from tutor_lsp.tutor.hinting.coach.showing import Coached

Check = Callable[[Mapping[str, Any]], Awaitable[Coached | HintFault]]
FIRST = ("fix", "claims")
"""What a text is checked by. Where it does not come before the text, nothing is shown early."""


class Listening:
    """Hears the pieces of one answer. `told` is what is shown of it by now, which only grows.

    `wanted` are members that must be as given, `check` decides what may be shown of a payload, and
    `grew` is told what there is to show. Leaving the context ends it.
    """

    def __init__(
        self,
        check: Check,
        grew: Callable[[Coached], Awaitable[None]],
        wanted: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.told: Coached | None = None
        self._check = check
        self._grew = grew
        self._wanted = wanted
        self._growing = Growing()
        self._more = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._telling: asyncio.Future[None] | None = None

    def hear(self, piece: str) -> None:
        """Take the next piece; the first begins the work."""
        self._growing.feed(piece)
        self._more.set()
        if self._task is None:
            self._task = asyncio.create_task(self._listen())

    @property
    def known(self) -> Mapping[str, Any]:
        """The members of the answer that are whole."""
        return self._growing.known

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            # What is told is told whole: the rest of the answer takes its place.
            if self._telling is not None:
                await asyncio.wait([self._telling])
            for each in filter(None, (self._task, self._telling)):
                if error is None and not each.cancelled():
                    each.result()

    async def _listen(self) -> None:
        known = self._growing.known
        seen = ""
        while True:
            await self._more.wait()
            self._more.clear()
            text = begun(self._growing.text("text"))
            if text == seen or not says_something(text):
                continue
            seen = text
            if any(name not in known for name in FIRST) or any(
                known.get(name) != value for name, value in self._wanted.items()
            ):
                return
            made = await self._check({**known, "text": text, "code": None, "tags": []})
            if isinstance(made, HintFault) or made.left_out or not goes_on(self.told, made):
                return  # the whole answer decides what of the rest is shown
            self.told = made
            self._telling = asyncio.ensure_future(self._grew(made))
            await asyncio.shield(self._telling)


def goes_on(told: Coached | None, more: Coached) -> bool:
    """Whether all that was told stands at the beginning of a text, whatever is emphasized."""
    if told is None:
        return True
    before = list(map(_bare, sentences(told.text)))
    return list(map(_bare, sentences(more.text)))[: len(before)] == before


def _bare(said: str) -> str:
    """A sentence without emphasis, which may only come with what follows it."""
    return "".join(
        re.sub(r"[*_]", "", part) if at % 2 == 0 else part
        for at, part in enumerate(said.split("`"))
    )
