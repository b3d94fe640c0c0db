"""What a run of an exercise does: tests under the lock, results kept, the attempt reviewed."""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON, Exercise
from tutor_lsp.core.exercise.judge import judge, merge
from tutor_lsp.core.exercise.report import NO_TESTS, RawReport, RunOutcome
from tutor_lsp.core.exercise.snapshot import (
    NAMED,
    Found,
    LeftOut,
    Snapshot,
    left_out_line,
    readable,
    run_hash,
)
from tutor_lsp.core.exercise.units import Stubs, update_progress
from tutor_lsp.core.exercise.verdict import count_passed
from tutor_lsp.core.runs import Kind
from tutor_lsp.core.session import Attempt, Event, Session
from tutor_lsp.core.wire import to_wire
from tutor_lsp.stages.backends.select import LIBRARY
from tutor_lsp.tutor.exercise import snapshots
from tutor_lsp.tutor.exercise.disk import Disk, signs_of
from tutor_lsp.tutor.exercise.lock import exercise_lock
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.trust import require_trust
from tutor_lsp.tutor.hinting.context import tutor_name
from tutor_lsp.tutor.reviewing.review import review_attempt
from tutor_lsp.tutor.running.run_queue import COUNTED, Ran
from tutor_lsp.tutor.running.saving import check_soon

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

TRIES = 5
"""How often a check is run while the files that it runs on change."""


class Execution:
    """The steps of a run on one exercise folder, given to tutor.runs.ExerciseRuns."""

    def __init__(self, app: "App", root: Path) -> None:
        self._app = app
        self._root = root

    async def tests(self, shot: Snapshot | None) -> Ran:
        """Run and judge the tests of a snapshot, or of what is on the disk. Raises TutorError."""
        opened = self._app.open_at(self._root)
        return await (self._check(opened) if shot is None else self._attempt(opened, shot))

    async def _check(self, opened: OpenExercise) -> Ran:
        """Run what is on the disk, again as long as that changes meanwhile."""
        async with exercise_lock(self._root, self._waits):
            await self._app.refresh(opened)
            require_trust(opened.session)
            for left in range(TRIES - 1, -1, -1):
                at = self._app.now()
                disk = await asyncio.to_thread(snapshots.read, opened)
                raw = await self._run_saved(opened, disk.found)
                if not await self._changed(opened, disk, last=not left):
                    return self._judged(opened, raw, disk.found, at)
        raise TutorError(
            "CHANGING",
            f"Files in {self._root} change whenever the tests run, so no result can be kept. Stop "
            "what writes them (a program in the background, or the code itself), then check again.",
        )

    async def _run_saved(self, opened: OpenExercise, found: Found) -> RawReport:
        gone = [file for file in opened.stub_files() if file not in {*found.texts, *found.odd}]
        if gone:
            reason = _gone(gone, "so no tests were run", "tutor.reset")
            return RawReport(RunOutcome.NOT_RUN, reason=reason)
        raw = await self._run(opened, self._root)
        if raw.outcome not in (RunOutcome.NOT_RUN, RunOutcome.BUILD_ERROR):
            return raw
        given = [file for file in opened.vault.originals if file.startswith("tests/")]
        gone = [file for file in given if file not in {*found.texts, *found.odd}]
        if gone:
            reason = _gone(gone, "so no tests were run", "tutor.restore")
            return RawReport(RunOutcome.NOT_RUN, reason=reason)
        if raw.reason == NO_TESTS:
            return replace(raw, reason=f"{NO_TESTS} tutor.restore puts those that were given back.")
        return raw

    async def _changed(self, opened: OpenExercise, disk: Disk, *, last: bool) -> bool:
        """Whether the folder may not be what ran. In the end its texts decide, whatever else of
        the files changes all the time."""
        now = await asyncio.to_thread(snapshots.read, opened)
        # Of what changes within one tick of the clock the signs may be the same.
        return now.found != disk.found or (not last and now.signs != disk.signs)

    def _judged(self, opened: OpenExercise, raw: RawReport, found: Found, at: str) -> Ran:
        shot = snapshots.of_found(opened, found)
        texts = {file: readable(text) for file, text in found.texts.items()}
        note = left_out_line(shot.left_out)
        exercise = opened.as_checked(texts)
        return self._ran(opened, raw, texts, run_hash(shot, found), exercise, note=note, at=at)

    async def _attempt(self, opened: OpenExercise, shot: Snapshot) -> Ran:
        """Run a snapshot in the session's copy."""
        await self._app.refresh(opened)
        if shot.missing:
            so = "so this attempt was not counted"
            odd = next((item for item in shot.left_out if item.file in shot.missing), None)
            reason = _unread(odd, so) if odd else _gone(shot.missing, so, "tutor.reset")
            raw = RawReport(RunOutcome.NOT_RUN, reason=reason)
        else:
            raw = await self._in_copy(opened, shot)
        texts = {LESSON: opened.vault.originals.get(LESSON, ""), **shot.texts}
        note = left_out_line(shot.left_out)
        return self._ran(opened, raw, texts, shot.hash, opened.exercise, note=note, at=shot.at)

    async def _in_copy(self, opened: OpenExercise, shot: Snapshot) -> RawReport:
        copies, rules = self._app.attempts, opened.toolchain
        changed: list[str] = []
        async with copies.holding(opened, shot.files, self._waits) as folder:
            # A build may touch its sources, once.
            for _ in range(2):
                before = await asyncio.to_thread(signs_of, folder, shot.files, rules)
                raw = await self._run(opened, folder)
                after = await asyncio.to_thread(signs_of, folder, shot.files, rules)
                if raw.outcome is RunOutcome.NOT_RUN:
                    # A test may have changed what was built.
                    await copies.forget_build(opened)
                if after == before:
                    return raw
                changed = [f for f in sorted({*before, *after}) if before.get(f) != after.get(f)]
                await copies.put(opened, shot.files)
        return RawReport(RunOutcome.NOT_RUN, reason=_changed_itself(changed))

    async def _run(self, opened: OpenExercise, folder: Path) -> RawReport:
        limits = self._app.settings.run_limits
        return await opened.toolchain.run(folder, limits=limits, targets=opened.exercise.targets)

    def _ran(
        self,
        opened: OpenExercise,
        raw: RawReport,
        texts: Mapping[str, str],
        text_hash: str,
        exercise: Exercise,
        *,
        note: str,
        at: str,
    ) -> Ran:
        report = judge(
            raw,
            exercise,
            texts,
            Stubs(exercise, texts, opened.functions),
            explain=opened.toolchain.explain,
            run_id=self._app.new_id(),
        )
        report = replace(report, text_hash=text_hash, note=note)
        return Ran(report, texts, opened.text_hash(texts), at)

    def _waits(self) -> None:
        self._app.frontend.message(
            "Another editor or terminal is running the tests of this exercise; this run waits for "
            "it (tutor.cancel gives up)."
        )

    async def publish(self, kind: Kind, ran: Ran) -> int | None:
        """Keep and show a report; the attempt's number if it was counted. Where the disk is not
        what an attempt ran on any more, a check follows."""
        app = self._app
        opened = app.open_at(self._root)
        report, texts, text_hash = ran.report, ran.texts, ran.text_hash
        stubs = opened.stubs(texts)
        counted = kind is Kind.ATTEMPT and report.outcome in COUNTED
        number: int | None = None

        def change(session: Session) -> Session:
            nonlocal number
            changed = replace(
                session,
                last_report=report,
                last_results=merge(session.last_results, report),
                progress=update_progress(session.progress, report, opened.exercise, stubs),
            )
            if not counted:
                return changed
            last = session.attempts[-1] if session.attempts else None
            again = last is not None and last.review is None and _same_text(last, ran)
            number = session.attempt_count + (0 if again else 1)
            attempt = Attempt(number, ran.at, report, text_hash)
            if again:
                return replace(changed, attempts=(*session.attempts[:-1], attempt))
            return changed.with_attempt(attempt)

        passed, total = count_passed(report)
        data: dict[str, Any] = {
            "runId": report.run_id,
            "outcome": report.outcome.value,
            "passed": passed,
            "total": total,
            "textHash": text_hash,
            "ranOn": report.text_hash,
        }
        if counted:
            data["files"] = {file: texts.get(file, "") for file in opened.stub_files()}
            data["report"] = to_wire(report)
        what = kind if counted else Kind.CHECK
        stub_texts = {file: texts[file] for file in opened.stub_files() if file in texts}
        await app.change_session(
            opened, change, Event(what.value, data, opened.session.id), stub_texts=stub_texts
        )
        opened.has_run(texts)
        if report.outcome in COUNTED:
            app.tools.ran(opened.session.language)
        if kind is Kind.ATTEMPT and await snapshots.overtaken(opened, report.text_hash):
            check_soon(app, opened, 0)
        app.frontend.exercise_changed(opened)
        if tutor_name(app, opened.session) != LIBRARY:
            # What a model says is tried before it is shown: the copy for that is built by then.
            app.tasks.spawn(app.trials.warm(opened), "warming the copy for trials")
        return number

    def refused(self, error: TutorError) -> None:
        """Say on the stub why a run could not be made or kept; nothing is stored."""
        with contextlib.suppress(TutorError):
            opened = self._app.open_at(self._root)
            opened.refusal = error.message
            self._app.frontend.exercise_changed(opened)

    def given_up(self) -> None:
        """Show that no results of what was saved last are on their way any more."""
        with contextlib.suppress(TutorError):
            opened = self._app.open_at(self._root)
            opened.expect_none()
            self._app.frontend.exercise_changed(opened)

    async def review(self, number: int, texts: Mapping[str, str]) -> None:
        """Review the attempt of that number on the texts it ran on; keeps it in any case."""
        await review_attempt(self._app, self._app.open_at(self._root), number, texts)


def _same_text(attempt: Attempt, ran: Ran) -> bool:
    """Whether an attempt was made on the text of this run; records of earlier versions know the
    stub files only."""
    known = attempt.report.text_hash
    return known == ran.report.text_hash if known else attempt.files_hash == ran.text_hash


def _gone(files: Sequence[str], so: str, command: str) -> str:
    """That files are gone, what follows from it, and the command that puts them back."""
    many = len(files) > 1
    return (
        f"{', '.join(files[:NAMED])} {'are' if many else 'is'} gone, {so}. {command} puts "
        f"{'them' if many else 'it'} back."
    )


def _unread(item: LeftOut, so: str) -> str:
    """That something that is no such file lies in the place of a stub file."""
    return (
        f"{item.file} is left out ({item.why}), {so}. Move or rename it, then tutor.reset puts the "
        "one that was given back."
    )


def _changed_itself(files: Sequence[str]) -> str:
    return (
        f"The code changed {', '.join(files[:NAMED])} while its tests ran, so this attempt was not "
        "counted. Take that out and attempt again."
    )
