"""`tutor-lsp tidy`: the event log without what nothing reads any more."""

import asyncio
from pathlib import Path
from typing import Any

from tutor_lsp.tutor.learner.record.record import RECORD
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.services.tasks import to_the_end

BEFORE = "before-tidy"
"""Part of the name of the copy of the record that is kept."""

SIZES = ("bytesBefore", "bytesAfter", "freed")


async def tidy(services: Services) -> dict[str, Any]:
    """Trim the event log: `{removed, shortened, bytesBefore, bytesAfter, freed, backup}`; `backup`
    is the path of the record as it was, null where there was nothing to trim.

    Mastery, counts, reviews and reports stay as they are. Raises TutorError `STORE`.
    """
    return await to_the_end(asyncio.to_thread(_tidied, services))


def _tidied(services: Services) -> dict[str, Any]:
    store, path = services.store, services.home / RECORD
    store.work(lambda tx: tx.count_sessions())  # whatever is wrong with the record is told first
    if not path.exists():  # before the first exercise
        return {**dict.fromkeys(("removed", "shortened", *SIZES), 0), "backup": None}
    before = path.stat().st_size
    copy: Path | None = store.keep_copy(BEFORE)
    with store.transaction() as tx:
        done = tx.trim()
    if done.removed or done.shortened:
        store.shrink()
    elif copy is not None:
        copy.unlink(missing_ok=True)
        copy = None
    after = path.stat().st_size
    return {
        "removed": done.removed,
        "shortened": done.shortened,
        "bytesBefore": before,
        "bytesAfter": after,
        "freed": max(before - after, 0),
        "backup": str(copy) if copy is not None else None,
    }
