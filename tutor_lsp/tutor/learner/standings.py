"""`tutor.sessions`, and the progress of exercises that need not be open: by their record and the
texts in their folders."""

import asyncio
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.exercise.standing import Saved, Standing, finished, standing
from tutor_lsp.core.exercise.units import Stubs
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.session import Session, Vault
from tutor_lsp.languages.registry import languages
from tutor_lsp.store.transaction import SessionRow, Transaction
from tutor_lsp.tutor.exercise.cases import with_cases
from tutor_lsp.tutor.exercise.folder.saved_texts import read_saved
from tutor_lsp.tutor.interface.arguments import NoArguments
from tutor_lsp.tutor.interface.learner import GoingOn, ListedSession
from tutor_lsp.tutor.interface.units import StandingInfo
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.wire import filled_from

Kept = tuple[Exercise, Vault]
CONTINUED = 10
"""How many begun exercises are offered with what else can be done."""


async def standings(
    services: Services, sessions: Sequence[Session]
) -> dict[str, tuple[Exercise, Standing]]:
    """Exercises of sessions and how they stand, by id; those without a readable record of their
    exercise are left out: that is reported when the session is opened."""
    kept = await kept_of(services, sessions)
    known = [session for session in sessions if session.id in kept]
    return await asyncio.to_thread(
        lambda: {
            each.id: (kept[each.id][0], _standing(each, kept[each.id], services.toolchains))
            for each in known
        }
    )


async def kept_of(services: Services, sessions: Sequence[Session]) -> dict[str, Kept]:
    """Exercises of sessions as they were given, by the session's id; without those that the record
    does not have."""

    def read(tx: Transaction) -> dict[str, Kept]:
        found = {}
        for session in sessions:
            with suppress(TutorError):
                if (kept := tx.exercise(session.id)) is not None:
                    found[session.id] = kept
        return found

    return await services.db(read)


def standing_info(stands: Standing) -> StandingInfo:
    """The standing that lists and status bars show."""
    return filled_from(
        StandingInfo,
        stands,
        progress=stands.progress.value,
        with_help=stands.help > 0,
        units=len(stands.units),
        old=stands.old or stands.unrun,
        words=stands.units_words,
    )


def _standing(session: Session, kept: Kept, toolchains: Mapping[str, Toolchain]) -> Standing:
    exercise, vault = kept
    root, toolchain = Path(session.workspace), toolchains.get(session.language)
    if toolchain is None or not root.is_dir():
        # Nothing can have changed there, and nothing can be reported about it.
        then = Saved(Stubs(exercise, exercise.starter, lambda _: ()), frozenset())
        return standing(exercise, session, then, pending=True)
    exercise, vault = with_cases(exercise, vault, session.cases, toolchain)
    saved = read_saved(root, exercise, vault.originals, toolchain)
    lines = languages()[session.language].lines
    stubs = Stubs(exercise, saved.texts, toolchain.functions, lines)
    return standing(exercise, session, Saved(stubs, saved.hashes))


async def sessions(services: Services, arguments: NoArguments) -> tuple[ListedSession, ...]:
    """All sessions, newest first."""
    return await listed(services, lambda tx: tx.sessions())


async def listed(
    services: Services, read: Callable[[Transaction], Sequence[Session]]
) -> tuple[ListedSession, ...]:
    """The sessions that `read` gives, in its order."""
    found, active = await services.db(lambda tx: (read(tx), tx.active()))
    known = await standings(services, found)
    missing = await asyncio.to_thread(
        lambda: {session.id for session in found if not Path(session.workspace).is_dir()}
    )
    return tuple(_row(session, known.get(session.id), active, missing) for session in found)


def _row(
    session: Session,
    known: tuple[Exercise, Standing] | None,
    active: str | None,
    missing: Collection[str],
) -> ListedSession:
    exercise, stands = known or (None, None)
    return filled_from(
        ListedSession,
        session,
        **session_fields(session, stands),
        active=session.id == active,
        missing=session.id in missing,
        continues=not finished(session) and session.id not in missing,
        folder=Path(session.workspace).name,
        proven=exercise.proof.line if exercise is not None else "",
        units=len(stands.units) if stands is not None else 0,
        units_passing=stands.units_passing if stands is not None else 0,
    )


async def going_on(services: Services, language: str) -> GoingOn:
    """What can be continued, the one in use first, then the newest, at most `CONTINUED`; one in
    this language is among them where there is any.
    """

    def read(tx: Transaction) -> tuple[list[SessionRow], int]:
        active = tx.active()
        rows = sorted(tx.rows(going_on=True), key=lambda row: row.id != active)
        there = [row for row in rows if os.path.isdir(row.workspace)]  # noqa: PTH112
        return there, tx.count_sessions()

    rows, count = await services.db(read)
    first = next((row for row in rows if row.language == language), None)
    wanted = [row.id for row in rows if row is first or row in rows[:CONTINUED]]
    shown = await listed(services, lambda tx: [s for name in wanted if (s := tx.session(name))])
    return GoingOn(shown, frozenset((row.language, row.node) for row in rows), count)


def session_fields(session: Session, stands: Standing | None) -> dict[str, Any]:
    """The fields of a `SessionInfo` that a session does not have; how it `stands` is None where
    there is no record of its exercise."""
    last = session.attempts[-1] if session.attempts else None
    return {
        "attempts": session.attempt_count,
        "tests": stands.tests if stands is not None else 0,
        "tests_passing": stands.tests_passing if stands is not None else 0,
        "standing": standing_info(stands) if stands is not None else None,
        "verdict": last.review.verdict if last is not None and last.review is not None else None,
    }
