"""The journal record of one set-up, kept off the event loop."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from tutor_lsp.contracts.validate import ContractError, validate
from tutor_lsp.core.ports import Journal, JournalEntry, JournalKey
from tutor_lsp.core.stage import CONTRACTS, EXPAND_ROLES, SEVERAL, Role

_ORDER = (Role.SCAFFOLD, *EXPAND_ROLES)
_OUTSIDE = 100
"""A call outside the loops is journalled under a multiple of this, which no loop reaches, plus the
section or attempt it is about: of a repair the multiple counts, of all else it is made of what the
call was about."""
_DIGEST = 10
REPLANNED = 2
"""The number of a plan that was asked for because the one before does not hold."""


class Record:
    """The journal of one set-up. Without a journal it keeps answers for this set-up alone."""

    def __init__(self, journal: Journal | None, key: JournalKey) -> None:
        self._journal = journal
        self._key = key
        self._answers: dict[tuple[Role, int], JournalEntry] = {}
        self._repairs = 0

    @property
    def key(self) -> JournalKey | None:
        """The key of the record, None if nothing is journalled."""
        return None if self._journal is None else self._key

    async def open(self, *, fresh: bool) -> list[JournalEntry]:
        """The sections and their repairs (`repaired`), in the order in which they came; other
        answers are for `known`. With `fresh`, or if they do not belong together, the record is
        ended and the list is empty."""
        if self._journal is None:
            return []
        entries = await asyncio.to_thread(self._journal.load, self._key)
        if not entries:
            return []
        usable = not fresh and await asyncio.to_thread(in_order, entries)
        if not usable:
            await self.close("fresh" if fresh else "unusable")
            return []
        found = []
        for entry in entries:
            if repaired(entry) is not None:
                self._repairs = max(self._repairs, entry.iteration // _OUTSIDE)
            if entry.iteration < _OUTSIDE or entry.role in EXPAND_ROLES:
                found.append(entry)
            else:
                self._answers[entry.role, entry.iteration // _OUTSIDE] = entry
        return found

    @property
    def answers(self) -> int:
        """How many answers there are for `known`."""
        return len(self._answers)

    @property
    def replanned(self) -> int:
        """How many plans were asked for because of the one before."""
        numbers = [e.iteration for e in self._answers.values() if e.role is Role.SCAFFOLD]
        return sum(number % _OUTSIDE == REPLANNED for number in numbers)

    def asked(self, role: Role) -> int:
        """How many of them are of this role."""
        return sum(each is role for each, _ in self._answers)

    def known(self, role: Role, about: str) -> Mapping[str, Any] | None:
        """The answer to a call outside the loops that was `about` the same, if there was one."""
        entry = self._answers.get((role, _digest(about)))
        return None if entry is None else entry.payload

    async def keep(self, role: Role, about: str, number: int, payload: Mapping[str, Any]) -> None:
        """Add the answer to call `number` outside the loops, for `known`."""
        at = _digest(about)
        entry = JournalEntry(role, _OUTSIDE * at + number, payload)
        self._answers[role, at] = entry
        await self.append(role, entry.iteration, payload)

    async def repair(self, role: Role, number: int, payload: Mapping[str, Any]) -> None:
        """Add what section `number` of a loop is from now on."""
        self._repairs += 1
        await self.append(role, _OUTSIDE * self._repairs + number, payload)

    async def append(self, role: Role, iteration: int, payload: Mapping[str, Any]) -> None:
        """Add an accepted payload."""
        if self._journal is not None:
            entry = JournalEntry(role, iteration, payload)
            await asyncio.to_thread(self._journal.append, self._key, entry)

    async def close(self, outcome: str) -> None:
        """End the record: the next set-up with that key starts from the beginning."""
        if self._journal is not None:
            await asyncio.to_thread(self._journal.close, self._key, outcome)


def _digest(about: str) -> int:
    """A number from 1 that stands for a text."""
    return 1 + int(hashlib.sha256(about.encode("utf-8", "replace")).hexdigest()[:_DIGEST], 16)


def _contract(entry: JournalEntry) -> str:
    """The one that it was accepted by: a call of a loop may have been for one section."""
    version, several = entry.payload.get("schema_version"), SEVERAL.get(entry.role)
    return str(version) if version == several else CONTRACTS[entry.role]


def repaired(entry: JournalEntry) -> int | None:
    """The section of its loop that an entry repairs; None if it repairs none."""
    outside = entry.iteration >= _OUTSIDE and entry.role in EXPAND_ROLES
    return entry.iteration % _OUTSIDE if outside else None


def in_order(entries: Sequence[JournalEntry]) -> bool:
    """Whether entries are the beginning of one set-up, and still fulfil the contracts.

    Two set-ups of one key at the same time, or an older version, can leave something else.
    """
    counts = dict.fromkeys(_ORDER, 0)
    for entry in entries:
        if repaired(entry) is not None:
            if not counts[entry.role]:
                return False
        elif entry.iteration < _OUTSIDE:
            if not _follows(entry, counts):
                return False
            counts[entry.role] += 1
        try:
            validate(_contract(entry), entry.payload)
        except ContractError:
            return False
    return True


def _follows(entry: JournalEntry, counts: Mapping[Role, int]) -> bool:
    """Whether an entry is the next of its loop, and this loop the last that was begun or the next
    one; `counts` has how many entries of each there are."""
    if entry.role not in counts or entry.iteration != counts[entry.role] + 1:
        return False
    place = _ORDER.index(entry.role)
    once = entry.role not in EXPAND_ROLES and counts[entry.role] > 0
    later = any(counts[role] for role in _ORDER[place + 1 :])
    return not once and not later and all(counts[role] for role in _ORDER[:place])
