"""What waits for a learner who has nothing open: an exercise to continue, topics to review."""

import os

from tutor_lsp.core.learner.spacing import is_due
from tutor_lsp.core.session import Session
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.interface.choices import Choice
from tutor_lsp.tutor.learner.standings import standings
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.voice import choices as rows


async def to_continue(services: Services) -> Choice | None:
    """The exercise in use, if it is begun and not finished, else the newest such one, as a row."""

    def first(tx: Transaction) -> Session | None:
        active = tx.active()
        rows = sorted(tx.rows(going_on=True), key=lambda row: row.id != active)
        there = next((row.id for row in rows if os.path.isdir(row.workspace)), None)  # noqa: PTH112
        return tx.session(there) if there is not None else None

    session = await services.db(first)
    if session is None:
        return None
    _, stands = (await standings(services, [session])).get(session.id, (None, None))
    words = stands.units_words if stands is not None else ""
    return rows.onward(services.frontend.abilities.voice, session.id, session.title, words)


async def reviews_due(services: Services) -> tuple[int, str]:
    """How many topics are due for review, and that in words: empty for none."""
    now = services.now()

    def count(tx: Transaction) -> int:
        return sum(is_due(record.card, now) for record in tx.all_nodes())

    due = await services.db(count)
    return due, rows.due(services.frontend.abilities.voice, due)
