"""The learner's record itself: a loss is said until it is settled, and backups are brought back."""

import asyncio
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.loss import (
    BROUGHT_BACK,
    DISMISSED,
    EVENT,
    WITHOUT,
    Holdings,
    Loss,
    counted,
)
from tutor_lsp.core.ports import ToolStatus, Transaction
from tutor_lsp.core.session import Event, Session
from tutor_lsp.store import backups, files
from tutor_lsp.store.troubles import RESTORE
from tutor_lsp.tutor.record.record_merge import (
    bring_back,
    log_brought_back,
)
from tutor_lsp.tutor.record.recover import take_up_lost
from tutor_lsp.tutor.services.deferred_app import MARKER
from tutor_lsp.tutor.services.results import brought_back
from tutor_lsp.tutor.services.tasks import to_the_end

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

log = logging.getLogger("tutor_lsp")
RECORD = "tutor.db"
BRING_BACK, LATER, DO_WITHOUT = "Bring it back", "Not now", "Go on without it"
ASIDE = "before-restore"
"""In the name of the copy of the record as it was before a restore."""
HOW_WITHOUT = " To go on without it: `tutor-lsp restore --record --dismiss`."
_SETTLED_BY = (EVENT, BROUGHT_BACK, DISMISSED)
_NOTHING: Mapping[str, Any] = {"backup": None, "sessions": 0, "topics": 0, "events": 0}
_WHAT = {
    "missing": "is gone",
    "empty": "was emptied",
    "cleared": "has lost part of what it held",
    "damaged": "was damaged{kept}, and not all of it could be read",
}


async def tell_loss(app: "App", loss: Loss) -> None:
    """Say what is missing and how it comes back; ask where that can be answered.

    Where that cannot be done now the next command does it: this one has done what it was asked for.
    """
    try:
        said = await _note(app, loss)
    except BaseException as error:
        app.store.put_loss_back(loss)
        if not isinstance(error, TutorError | OSError):
            raise
        log.warning("what is missing from the record could not be told: %s", error)
        return
    if said is None:
        return
    abilities = app.frontend.abilities
    if said.endswith(HOW_WITHOUT) and abilities.chooses and not abilities.terminal:
        app.tasks.spawn(
            _offer(app, said.removesuffix(HOW_WITHOUT)), "offer to bring the record back"
        )
    else:
        app.say_once(said)


async def _note(app: "App", loss: Loss) -> str | None:
    """Log a loss unless it is; the sentence about it, None where there is nothing to say."""
    sessions = await app.db(lambda tx: tx.sessions())
    exercises = await asyncio.to_thread(_exercises_there, app.home, sessions)
    said = words(app.home / RECORD, loss, exercises)
    if said is not None and said.endswith(HOW_WITHOUT) and not loss.noted:
        with suppress(TutorError):  # where nothing can be written it is found again
            data = {"what": loss.what, "backup": loss.backup, "exercises": exercises}
            await app.record(EVENT, data)
    return said


async def _offer(app: "App", said: str) -> None:
    answer = await app.frontend.choose(said, [BRING_BACK, LATER, DO_WITHOUT])
    try:
        if answer == BRING_BACK:
            app.frontend.message(brought_back(await restore_record(app)))
        elif answer == DO_WITHOUT:
            app.frontend.message(brought_back(await dismiss(app)))
    except TutorError as error:
        app.frontend.message(error.message, warning=True)


def words(record: Path, loss: Loss, exercises: int) -> str | None:
    """The sentence about a loss; None where nothing shows that there was anything."""
    if (loss.what == "missing" or loss.noted) and loss.backup is None and not exercises:
        return None
    aside = files.last_set_aside(record) if loss.what == "damaged" else record
    kept = f" (it is kept as {aside.name})" if aside != record else ""
    head = f"Your record {record} {_WHAT[loss.what].format(kept=kept)}."
    folders = (
        "1 exercise is still in its folder"
        if exercises == 1
        else f"{exercises} exercises are still in their folders"
    )
    if loss.backup is not None:
        part = ("" if loss.whole else "missing here: ") + loss.lacking.words
        back = f" {RESTORE} brings back the backup of {loss.backup} ({part})."
        return head + back + (f" {folders}." if exercises else "") + HOW_WITHOUT
    if exercises:
        return (
            f"{head} There is no backup, but {folders}: {RESTORE} lists what is there again, with "
            f"your texts; attempts and hints begin anew.{HOW_WITHOUT}"
        )
    if loss.what == "damaged":
        return f"{head} No backup has more than what could."
    return f"{head} A new one was begun; there is no backup to bring back."


async def dismiss(app: "App") -> dict[str, Any]:
    """Go on without what was lost: just that is not said again, and can still be brought back while
    there is a backup of it.

    Raises TutorError `REFUSED` if nothing is missing, `STORE`.
    """
    path = app.home / RECORD
    found = await asyncio.to_thread(backups.found, path)
    with _settling(app) as loss:
        said = loss is not None and await _note(app, loss) is not None
        await app.db(lambda tx: _go_without(tx, found, said=said))
    return {**_NOTHING, "dismissed": True, "adopted": 0, "aside": None, "files": []}


async def restore_record(app: "App", day: str | None = None) -> dict[str, Any]:
    """Bring back what a backup has and the record lacks, and exercises that neither knows.

    Without a day it is the backup with the most that is missing. The record as it is is
    kept as `tutor.db.before-restore-<time>`. What was written since stays: where both know a
    session or topic they are merged, as by an import. All of it is one transaction, so other
    programs may go on; once begun it cannot be cancelled. Raises TutorError `REFUSED`, `STORE`;
    nothing has been changed then.
    """
    with _settling(app) as loss:
        if loss is not None:
            await _note(app, loss)
        return await _restore(app, day)


@contextmanager
def _settling(app: "App") -> Iterator[Loss | None]:
    """A loss is not told while it is brought back or dismissed; where that fails it is."""
    loss = app.store.take_loss()
    try:
        yield loss
    except BaseException:
        app.store.put_loss_back(loss)
        raise


def _go_without(tx: Transaction, found: Sequence[backups.Backup], *, said: bool) -> None:
    settled = tx.gone_without()
    held = reduce(Holdings.and_those_of, (backup.holds for backup in found), Holdings())
    lacking = held.without(tx.holdings())
    kinds = [event["kind"] for event in tx.events() if event["kind"] in _SETTLED_BY]
    if not said and kinds[-1:] != [EVENT] and not lacking.without(settled):
        raise TutorError(
            "REFUSED",
            "Nothing is missing from your record, so there is nothing to go on without.",
        )
    tx.log(Event(DISMISSED, {WITHOUT: settled.and_those_of(lacking).data}))


async def _restore(app: "App", day: str | None) -> dict[str, Any]:
    path = app.home / RECORD
    here, settled = await app.db(lambda tx: (tx.holdings(), tx.gone_without()))
    backup = await asyncio.to_thread(_chosen, path, here, settled, day)
    result = dict(_NOTHING)
    aside = None
    if backup is not None:
        aside = await asyncio.to_thread(app.store.keep_copy, ASIDE)
        result = await to_the_end(asyncio.to_thread(bring_back, app, path, backup))
    taken_up = [s for name in app.taught for s in await take_up_lost(app, name, settled=False)]
    if backup is None and not taken_up:
        raise TutorError(
            "REFUSED",
            "There is nothing to bring back: no backup has anything that your record lacks, "
            "and every exercise folder is listed.",
        )
    if backup is None:
        await app.db(lambda tx: _settle(tx, taken_up[0], result))
    for opened in app.open_exercises():
        await app.refresh(opened)
        app.frontend.exercise_changed(opened)
    # `files` is what `tutor.restore` of an exercise tells.
    return {**result, "adopted": len(taken_up), "aside": aside and str(aside), "files": []}


async def rows(app: "App") -> list[ToolStatus]:
    """The record and its backups, for `tutor.doctor`."""
    path = app.home / RECORD
    found = await asyncio.to_thread(backups.found, path)
    days = [backup.name for backup in found if not backup.name.startswith("before-")]
    sessions = await app.db(lambda tx: len(tx.sessions()))
    missing = await _unsettled(app)
    refusal, problem = app.store.refusal, app.store.backup_problem
    reads = (counted(sessions, "session") or "no sessions") + (
        ", read only" if refusal is not None else ""
    )
    last = f"{len(days)}, the last of {days[0]}" if days else None
    return [
        ToolStatus(
            "record",
            found=path.is_file(),
            works=refusal is None and missing is None,
            version=reads,
            remedy=f"It can be read but not written. {refusal.message}" if refusal else missing,
        ),
        ToolStatus(
            "backups",
            found=bool(days),
            works=problem is None,
            version=last or "none yet",
            remedy=problem and f"{problem} Free some space, or allow writing there.",
        ),
    ]


async def _unsettled(app: "App") -> str | None:
    """The sentence about what is missing from the record until that is settled, by whomever."""
    loss = app.store.loss
    if loss is None:
        return None

    def work(tx: Transaction) -> tuple[Sequence[Session], str | None]:
        kinds = [event["kind"] for event in tx.events() if event["kind"] in _SETTLED_BY]
        return tx.sessions(), next(reversed(kinds), None)

    sessions, last = await app.db(work)
    if last in (BROUGHT_BACK, DISMISSED):
        return None
    exercises = await asyncio.to_thread(_exercises_there, app.home, sessions)
    return words(app.home / RECORD, loss, exercises)


def _exercises_there(home: Path, sessions: Sequence[Session]) -> int:
    """How many exercise folders of the home no session knows."""
    known = {os.path.realpath(session.workspace) for session in sessions}
    folders = (marker.parent.parent for marker in home.glob(f"[!.]*/*/{MARKER}"))
    return sum(os.path.realpath(folder) not in known for folder in folders)


def _chosen(
    path: Path, here: Holdings, settled: Holdings, day: str | None
) -> backups.Backup | None:
    if day is None:  # what was said to be missing comes before what was dismissed
        return backups.fullest(path, here.and_those_of(settled)) or backups.fullest(path, here)
    found = backups.found(path)
    for backup in found:
        if backup.name == day:
            return backup
    names = ", ".join(backup.name for backup in found) or "none"
    raise TutorError(
        "REFUSED",
        f"There is no backup of {day} that can be read. There are: {names}.",
        details={"backups": [backup.name for backup in found]},
    )


def _settle(tx: Transaction, last_used: Session, result: Mapping[str, Any]) -> None:
    """What no backup had was taken up from its folders: go on with what was used last."""
    if tx.active() is None:
        tx.set_active(last_used.id)
    log_brought_back(tx, result, tx.gone_without())
