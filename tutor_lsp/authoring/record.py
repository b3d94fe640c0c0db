"""The journal record of one set-up, kept off the event loop."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from tutor_lsp.core.ports import Journal, JournalEntry, JournalKey
from tutor_lsp.core.stage import CONTRACTS, EXPAND_ROLES, Role

_ORDER = (Role.SCAFFOLD, *EXPAND_ROLES, Role.SOLUTION)


class Record:
    """What is journalled of one set-up. Without a journal nothing is, and nothing is found."""

    def __init__(self, journal: Journal | None, key: JournalKey) -> None:
        self._journal = journal
        self._key = key

    @property
    def key(self) -> JournalKey | None:
        """The key of the record, None where nothing is journalled."""
        return None if self._journal is None else self._key

    async def open(self, *, fresh: bool) -> list[JournalEntry]:
        """The entries to go on from. With `fresh`, or where they do not belong together, the
        record is ended and the list is empty."""
        if self._journal is None:
            return []
        entries = await asyncio.to_thread(self._journal.load, self._key)
        if not entries:
            return []
        usable = not fresh and await asyncio.to_thread(in_order, entries)
        if not usable:
            await self.close("fresh" if fresh else "unusable")
            return []
        return entries

    async def append(self, role: Role, iteration: int, payload: Mapping[str, Any]) -> None:
        """Add an accepted payload."""
        if self._journal is not None:
            entry = JournalEntry(role, iteration, payload)
            await asyncio.to_thread(self._journal.append, self._key, entry)

    async def close(self, outcome: str) -> None:
        """End the record: the next set-up of that key begins anew."""
        if self._journal is not None:
            await asyncio.to_thread(self._journal.close, self._key, outcome)


def in_order(entries: Sequence[JournalEntry]) -> bool:
    """Whether entries are the beginning of one set-up, and still what the contracts ask for.

    Two set-ups of one key at the same time, or an older version, can leave something else.
    """
    from tutor_lsp.contracts.validate import ContractError, validate

    stage, count = -1, 0
    for entry in entries:
        place = _ORDER.index(entry.role) if entry.role in _ORDER else -1
        if place == stage and (entry.role in EXPAND_ROLES or entry.role is Role.SOLUTION):
            count += 1
        elif place == stage + 1:
            stage, count = place, 1
        else:
            return False
        if entry.iteration != count:
            return False
        try:
            validate(CONTRACTS[entry.role], entry.payload)
        except ContractError:
            return False
    return True
