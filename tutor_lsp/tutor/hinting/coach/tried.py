"""Runs what a text says that calls give, on the learner's code and on the reference."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from tutor_lsp.core.text.plain_text import code_span
from tutor_lsp.core.text.translation import t
from tutor_lsp.tutor.hinting.coach.claims import ERROR, Told, Whose

MOST = 8
"""Most claims of one text that are run; of others nothing is known."""
LIMIT_S = 12.0
"""Longest time for all of them, in seconds."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What running claims has shown: sentences that are `true`, those that are `false`, calls of
    which something else is said than is so, with `wrong` the values said of them, and what the
    learner's code gave as it was told. A sentence with a claim that was not run is neither true nor
    false."""

    true: frozenset[str] = frozenset()
    false: frozenset[str] = frozenset()
    wrong_calls: frozenset[str] = frozenset()
    wrong: frozenset[str] = frozenset()
    ran: tuple[tuple[str, str], ...] = ()

    @property
    def told(self) -> str:
        """What was tried out, for a learner; "" for nothing."""
        if not self.ran:
            return ""
        given = ", ".join(
            t(f"{code_span(call)} raises {code_span(gives)}")
            if ERROR.fullmatch(gives)
            else t(f"{code_span(call)} gives {code_span(gives)}")
            for call, gives in self.ran
        )
        return t(f"Tried out: {given}.")


Gave = dict[tuple[str, str, bool], bool]
"""Whether calls gave values, on the reference or not."""


class Gives(Protocol):
    """What runs claims: see `Prober.give`."""

    async def give(
        self, told: Sequence[tuple[str, str]], *, reference: bool
    ) -> Sequence[bool | None]:
        """Whether each call gives its value; None where that cannot be tried."""


@dataclass(frozen=True, slots=True)
class Once:
    """Runs no claim whose result is in `gave`, and keeps those that it runs there."""

    prober: Gives
    gave: Gave

    async def give(
        self, told: Sequence[tuple[str, str]], *, reference: bool
    ) -> Sequence[bool | None]:
        """See `Gives`."""
        new = [each for each in told if (*each, reference) not in self.gave]
        found = await self.prober.give(new, reference=reference) if new else ()
        known = {each: gives for each, gives in zip(new, found, strict=True) if gives is not None}
        self.gave.update({(*each, reference): gives for each, gives in known.items()})
        return [self.gave.get((*each, reference)) for each in told]


async def tried(prober: Gives, claims: Iterable[Told]) -> Tried:
    """What comes of running claims. Of one that is not run nothing is known."""
    asked = list(dict.fromkeys(claims))
    right: dict[Told, bool | None] = {}
    ran: list[tuple[str, str]] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(LIMIT_S):
            await _run(prober, asked[:MOST], right, ran)
    said = {each.said for each in asked}
    false = {each.said for each, holds in right.items() if holds is False}
    unknown = {each.said for each in asked if each.more or right.get(each) is None}
    wrong = {each.call for each, holds in right.items() if holds is False}
    true = frozenset(said - false - unknown - {""})
    beside = {each.gives for each, holds in right.items() if holds is False and not each.said}
    return Tried(
        true,
        frozenset(false - {""}),
        frozenset(wrong),
        frozenset(beside),
        tuple(dict.fromkeys(ran)),
    )


async def _run(
    prober: Gives,
    asked: Sequence[Told],
    right: dict[Told, bool | None],
    ran: list[tuple[str, str]],
) -> None:
    about_mine = [each for each in asked if each.whose is not Whose.WANTED]
    mine = await prober.give([(each.call, each.gives) for each in about_mine], reference=False)
    for each, gives in zip(about_mine, mine, strict=True):
        if gives:
            ran.append((each.call, each.gives))
        if gives or each.whose is Whose.MINE:
            right[each] = gives
    left = [each for each in asked if each not in right]
    wanted = await prober.give([(each.call, each.gives) for each in left], reference=True)
    right |= dict(zip(left, wanted, strict=True))
