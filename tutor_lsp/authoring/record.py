"""The journal record of one set-up, kept off the event loop."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from tutor_lsp.contracts.validate import ContractError, validate
from tutor_lsp.core.ports import Journal, JournalEntry, JournalKey
from tutor_lsp.core.stage import CONTRACTS, EXPAND_ROLES, SEVERAL, Role

_ORDER = (Role.SCAFFOLD, *EXPAND_ROLES)
_LATER = 100
"""A call after the loops is journalled with this many times its position among them, plus the
section or attempt it is about: a number that no loop reaches and no two calls share."""


class Record:
    """The journal of one set-up. Without a journal it stores and returns nothing."""

    def __init__(self, journal: Journal | None, key: JournalKey) -> None:
        self._journal = journal
        self._key = key
        self._later: list[JournalEntry] = []
        self._calls = 0

    @property
    def key(self) -> JournalKey | None:
        """The key of the record, None if nothing is journalled."""
        return None if self._journal is None else self._key

    async def open(self, *, fresh: bool) -> list[JournalEntry]:
        """The loop entries from which to resume; those of later calls are for `later`. With
        `fresh`, or if they do not belong together, the record is ended and the list is empty."""
        if self._journal is None:
            return []
        entries = await asyncio.to_thread(self._journal.load, self._key)
        if not entries:
            return []
        usable = not fresh and await asyncio.to_thread(in_order, entries)
        if not usable:
            await self.close("fresh" if fresh else "unusable")
            return []
        self._later = _last_way(entries)
        return [entry for entry in entries if entry.iteration < _LATER]

    @property
    def later_calls(self) -> int:
        """How many journalled calls after the loops can be reused."""
        return len(self._later)

    def later(self, role: Role, number: int) -> Mapping[str, Any] | None:
        """The result of the next call after the loops in an interrupted set-up, if it was this
        one; if not, the proof now takes another course and the rest is dropped."""
        self._calls += 1
        if self._later and _is(self._later[0], role, self._calls, number):
            return self._later.pop(0).payload
        self._later.clear()
        return None

    async def append_later(self, role: Role, number: int, payload: Mapping[str, Any]) -> None:
        """Add the result of the call last looked up with `later`."""
        await self.append(role, _LATER * self._calls + number, payload)

    async def append(self, role: Role, iteration: int, payload: Mapping[str, Any]) -> None:
        """Add an accepted payload."""
        if self._journal is not None:
            entry = JournalEntry(role, iteration, payload)
            await asyncio.to_thread(self._journal.append, self._key, entry)

    async def close(self, outcome: str) -> None:
        """End the record: the next set-up with that key starts from the beginning."""
        if self._journal is not None:
            await asyncio.to_thread(self._journal.close, self._key, outcome)


def _contract(entry: JournalEntry) -> str:
    """The one that it was accepted by: a call of a loop may have been for one section."""
    version, several = entry.payload.get("schema_version"), SEVERAL.get(entry.role)
    return str(version) if version == several else CONTRACTS[entry.role]


def _is(entry: JournalEntry, role: Role, call: int, number: int) -> bool:
    return (entry.role, entry.iteration) == (role, _LATER * call + number)


def _last_way(entries: Sequence[JournalEntry]) -> list[JournalEntry]:
    """The calls after the loops; if a set-up took several courses, the last."""
    found: list[JournalEntry] = []
    for entry in entries:
        call = entry.iteration // _LATER
        if call:
            found[call - 1 :] = [entry]
    return found


def in_order(entries: Sequence[JournalEntry]) -> bool:
    """Whether entries are the beginning of one set-up, and still fulfil the contracts.

    Two set-ups of one key at the same time, or an older version, can leave something else.
    """
    stage, count, calls = -1, 0, 0
    for entry in entries:
        call = entry.iteration // _LATER
        if call:
            if stage != len(_ORDER) - 1 or call > calls + 1 or entry.role is Role.SCAFFOLD:
                return False
            calls = call
        else:
            place = _ORDER.index(entry.role) if entry.role in _ORDER else -1
            if place == stage and entry.role in EXPAND_ROLES:
                count += 1
            elif place == stage + 1:
                stage, count = place, 1
            else:
                return False
            if entry.iteration != count or calls:
                return False
        try:
            validate(_contract(entry), entry.payload)
        except ContractError:
            return False
    return True
