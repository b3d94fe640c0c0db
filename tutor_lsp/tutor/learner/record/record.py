"""The learner's record itself: a loss is reported until it is settled, and backups are restored."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

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
from tutor_lsp.core.mend import Mend
from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.core.session import Event, Session
from tutor_lsp.core.text.translation import marked, n, t
from tutor_lsp.files.uris import identity
from tutor_lsp.store import backups, files
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.store.troubles import RESTORE
from tutor_lsp.tutor.exercise.folder.marker import MARKER
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.interface.results import RecordRestored
from tutor_lsp.tutor.learner.record.record_merge import bring_back, log_brought_back
from tutor_lsp.tutor.learner.record.recover import take_up_lost
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.services.tasks import to_the_end
from tutor_lsp.tutor.voice.record import put_back

log = logging.getLogger("tutor_lsp")
RECORD = "tutor.db"
BRING_BACK, LATER, DO_WITHOUT = (
    marked("Bring it back"),
    marked("Not now"),
    marked("Go on without it"),
)
ASIDE = "before-restore"
"""Part of the name of the copy of the record that a restore keeps."""
HOW_WITHOUT = "To go on without it: `tutor-lsp restore --record --dismiss`."
_HOME = Mend("setting", setting="home")
_RESTORE = Mend("command", command="tutor.restore", argument={"record": True})
_SETTLED_BY = (EVENT, BROUGHT_BACK, DISMISSED)
_WHAT = {
    "missing": marked("is gone"),
    "empty": marked("was emptied"),
    "cleared": marked("has lost part of its contents"),
    "damaged": marked("was damaged, and not all of it could be read"),
}


async def tell_loss(exercises: OpenExercises, loss: Loss) -> None:
    """Report what is missing and how to restore it; ask if that can be answered.

    If that fails now, the next command does it: this one has done its work.
    """
    services = exercises.services
    try:
        told = await _note(services, loss)
    except BaseException as error:
        services.store.put_loss_back(loss)
        if not isinstance(error, TutorError | OSError):
            raise
        log.warning("what is missing from the record could not be told: %s", error)
        return
    if told is None:
        return
    abilities = services.frontend.abilities
    if told.comes_back and abilities.chooses and not abilities.terminal:
        services.tasks.spawn(_offer(exercises, told.text), "offer to bring the record back")
    else:
        services.say_once(told.whole)


@dataclass(frozen=True, slots=True)
class LossTold:
    """The message about a loss; whether there is anything that `comes_back`."""

    text: str
    comes_back: bool = True

    @property
    def whole(self) -> str:
        """With how to go on without it."""
        return f"{self.text} {HOW_WITHOUT}" if self.comes_back else self.text


async def _note(services: Services, loss: Loss) -> LossTold | None:
    """Log a loss unless it is logged; returns the message about it, None if there is none."""
    exercises = await _exercises_there(services)
    told = words(services.home / RECORD, loss, exercises)
    if told is not None and told.comes_back and not loss.noted:
        with suppress(TutorError):  # if nothing can be written, it is found again
            data = {"what": loss.what, "backup": loss.backup, "exercises": exercises}
            await services.record(EVENT, data)
    return told


async def _offer(exercises: OpenExercises, said: str) -> None:
    services = exercises.services
    answer = await services.frontend.choose(said, [BRING_BACK, LATER, DO_WITHOUT])
    try:
        if answer == BRING_BACK:
            result = await restore_record(exercises)
        elif answer == DO_WITHOUT:
            result = await dismiss(services)
        else:
            return
        services.frontend.message(put_back(services.frontend.abilities.voice, result).message)
    except TutorError as error:
        services.frontend.message(error.message, warning=True)


def words(record: Path, loss: Loss, exercises: int) -> LossTold | None:
    """The message about a loss; None if nothing shows that there was anything."""
    if (loss.what == "missing" or loss.noted) and loss.backup is None and not exercises:
        return None
    aside = files.last_set_aside(record) if loss.what == "damaged" else record
    kept = t(f" (it is kept as {aside.name})") if aside != record else ""
    head = t(f"Your record {record} {t(_WHAT[loss.what])}{kept}.")
    folders = n(
        "{count} exercise is still in its folder",
        "{count} exercises are still in their folders",
        exercises,
    )
    if loss.backup is not None:
        part = ("" if loss.whole else "missing here: ") + loss.lacking.words
        back = t(f" {RESTORE} brings back the backup of {loss.backup} ({part}).")
        return LossTold(head + back + (f" {folders}." if exercises else ""))
    if exercises:
        return LossTold(
            t(
                f"{head} There is no backup, but {folders}: {RESTORE} lists what is there again, "
                "with your texts; attempts and hints start over."
            )
        )
    if loss.what == "damaged":
        return LossTold(t(f"{head} No backup has more than what could be read."), comes_back=False)
    none = t(f"{head} A new one was started; there is no backup to bring back.")
    return LossTold(none, comes_back=False)


async def dismiss(services: Services) -> RecordRestored:
    """Go on without what was lost: only that is not reported again, and it can still be restored
    while there is a backup of it.

    Raises TutorError `REFUSED` if nothing is missing, `STORE`.
    """
    path = services.home / RECORD
    found = await asyncio.to_thread(backups.found, path)
    with _settling(services) as loss:
        said = loss is not None and await _note(services, loss) is not None
        await services.db(lambda tx: _go_without(tx, found, said=said))
    return RecordRestored(None, 0, 0, 0, dismissed=True)


async def restore_record(exercises: OpenExercises, day: str | None = None) -> RecordRestored:
    """Bring back what a backup has and the record lacks, and exercises that neither knows.

    Without a day, it is the backup with the most of what is missing. The record as it is is
    kept as `tutor.db.before-restore-<time>`. What was written since stays: where both know a
    session or topic they are merged, as by an import. All of it is one transaction, so other
    programs may go on; once begun it cannot be cancelled. Raises TutorError `REFUSED`, `STORE`;
    nothing has been changed then.
    """
    services = exercises.services
    with _settling(services) as loss:
        if loss is not None:
            await _note(services, loss)
        return await _restore(exercises, day)


@contextmanager
def _settling(services: Services) -> Iterator[Loss | None]:
    """A loss is not reported while it is restored or dismissed; if that fails, it is."""
    loss = services.store.take_loss()
    try:
        yield loss
    except BaseException:
        services.store.put_loss_back(loss)
        raise


def _go_without(tx: Transaction, found: Sequence[backups.Backup], *, said: bool) -> None:
    settled = tx.gone_without()
    held = reduce(Holdings.and_those_of, (backup.holds for backup in found), Holdings())
    lacking = held.without(tx.holdings())
    if not said and _last_step(tx) != EVENT and not lacking.without(settled):
        raise TutorError(
            "REFUSED",
            "Nothing is missing from your record, so there is nothing to go on without.",
        )
    tx.log(Event(DISMISSED, {WITHOUT: settled.and_those_of(lacking).data}))


async def _restore(exercises: OpenExercises, day: str | None) -> RecordRestored:
    services = exercises.services
    path = services.home / RECORD
    here, settled = await services.db(lambda tx: (tx.holdings(), tx.gone_without()))
    backup = await asyncio.to_thread(_chosen, path, here, settled, day)
    result = RecordRestored(None, 0, 0, 0)
    aside = None
    if backup is not None:
        aside = await asyncio.to_thread(services.store.keep_copy, ASIDE)
        result = await to_the_end(asyncio.to_thread(bring_back, services, path, backup))
    taken_up = [
        s for name in services.taught for s in await take_up_lost(exercises, name, settled=False)
    ]
    if backup is None and not taken_up:
        raise TutorError(
            "REFUSED",
            "There is nothing to bring back: no backup has anything that your record lacks, "
            "and every exercise folder is listed.",
        )
    if backup is None:
        await services.db(lambda tx: _settle(tx, taken_up[0], result))
    for opened in exercises.all():
        await exercises.refresh(opened)
        services.frontend.exercise_changed(opened)
    return replace(result, adopted=len(taken_up), aside=None if aside is None else str(aside))


async def rows(services: Services) -> list[ToolStatus]:
    """The record and its backups, for `tutor.doctor`."""
    path = services.home / RECORD
    found = await asyncio.to_thread(_backups_of, path)
    days = [backup.name for backup in found if not backup.name.startswith("before-")]
    sessions = await services.db(lambda tx: tx.count_sessions())
    missing = await _unsettled(services)
    refusal = services.store.refusal
    problem = services.store.backup_problem or await asyncio.to_thread(backups.hindrance, path)
    reads = (counted(sessions, "session") or t("no sessions")) + (
        t(", read only") if refusal is not None else ""
    )
    last = f"{len(days)}, the last of {days[0]}" if days else None
    return [
        ToolStatus(
            "record",
            found=await asyncio.to_thread(_is_there, path),
            works=refusal is None and missing is None,
            version=reads,
            remedy=refusal.message if refusal is not None else missing,
            mends=(_HOME,) if refusal is not None else (_RESTORE,) if missing else (),
        ),
        ToolStatus(
            "backups",
            found=bool(days),
            works=problem is None,
            version=last or t("none yet"),
            remedy=problem and t(f"{problem} Free some space, or allow writing there."),
        ),
    ]


def _backups_of(path: Path) -> list[backups.Backup]:
    try:
        return backups.found(path)
    except OSError:
        return []


def _is_there(path: Path) -> bool:
    """Whether there is such a file, as far as one may look. Blocks."""
    try:
        return path.is_file()
    except OSError:
        return False


async def _unsettled(services: Services) -> str | None:
    """The sentence about what is missing from the record, until that is settled by any program."""
    loss = services.store.loss
    if loss is None or await services.db(_last_step) in (BROUGHT_BACK, DISMISSED):
        return None
    told = words(services.home / RECORD, loss, await _exercises_there(services))
    return None if told is None else told.whole


def _last_step(tx: Transaction) -> str | None:
    """The kind of the last event that reported or settled a loss."""
    return tx.last_event(*_SETTLED_BY)


async def _exercises_there(services: Services) -> int:
    """Number of exercise folders in the home that no session knows."""
    sessions = await services.db(lambda tx: tx.folders())

    def count() -> int:
        known = {identity(folder) for _, folder in sessions}
        folders = (marker.parent.parent for marker in services.home.glob(f"[!.]*/*/{MARKER}"))
        return sum(identity(folder) not in known for folder in folders)

    return await asyncio.to_thread(count)


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


def _settle(tx: Transaction, last_used: Session, result: RecordRestored) -> None:
    """What no backup had was recovered from its folders: resume what was used last."""
    if tx.active() is None:
        tx.set_active(last_used.id)
    log_brought_back(tx, result, tx.gone_without())
