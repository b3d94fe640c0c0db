"""How far exercises are that need not be open, by their record and the texts in their folders."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.exercise.standing import Saved, Standing, standing
from tutor_lsp.core.exercise.units import Stubs
from tutor_lsp.core.ports import Toolchain, Transaction
from tutor_lsp.core.session import Session, Vault
from tutor_lsp.tutor.exercise.cases import with_cases
from tutor_lsp.tutor.exercise.saved_texts import read_saved

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

Kept = tuple[Exercise, Vault]


async def standings(
    app: "App", sessions: Sequence[Session]
) -> dict[str, tuple[Exercise, Standing]]:
    """Exercises of sessions and how they stand, by id; those without a record of their exercise
    that can be read are left out: that is told where the session is opened."""
    kept = await kept_of(app, sessions)
    known = [session for session in sessions if session.id in kept]
    return await asyncio.to_thread(
        lambda: {
            each.id: (kept[each.id][0], _standing(each, kept[each.id], app.toolchains))
            for each in known
        }
    )


async def kept_of(app: "App", sessions: Sequence[Session]) -> dict[str, Kept]:
    """Exercises of sessions as they were given, by the session's id; without those that the record
    cannot tell."""

    def read(tx: Transaction) -> dict[str, Kept]:
        found = ((session.id, _kept(tx, session.id)) for session in sessions)
        return {name: kept for name, kept in found if kept is not None}

    return await app.db(read)


def standing_wire(stands: Standing) -> dict[str, Any]:
    """What lists and status bars show. `unitsPassing` and `testsPassing` are of now: 0 where the
    results are `old`; `words` say how many passed then, such as `3 of 4 before this edit`, or `not
    run yet` where none are on record of what was begun, which counts as old too.
    `withHelp`: the last hint or the solution was taken for it."""
    return {
        "progress": stands.progress.value,
        "withHelp": stands.help > 0,
        "units": len(stands.units),
        "unitsPassing": stands.units_passing,
        "tests": stands.tests,
        "testsPassing": stands.tests_passing,
        "old": stands.old or stands.unrun,
        "words": stands.units_words,
        "testsWords": stands.tests_words,
    }


def _standing(session: Session, kept: Kept, toolchains: Mapping[str, Toolchain]) -> Standing:
    exercise, vault = kept
    root, toolchain = Path(session.workspace), toolchains.get(session.language)
    if toolchain is None or not root.is_dir():
        # Nothing can have changed there, and nothing can be told of it.
        then = Saved(Stubs(exercise, exercise.starter, lambda _: ()), frozenset())
        return standing(exercise, session, then, pending=True)
    exercise, vault = with_cases(exercise, vault, session.cases, toolchain)
    saved = read_saved(root, exercise, vault.originals, toolchain)
    stubs = Stubs(exercise, saved.texts, toolchain.functions)
    return standing(exercise, session, Saved(stubs, saved.hashes))


def _kept(tx: Transaction, session: str) -> Kept | None:
    try:
        return tx.exercise(session)
    except TutorError:
        return None
