"""The steps of a run: tests under the lock, results kept, the attempt reviewed."""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON, Exercise
from tutor_lsp.core.exercise.judge import judge, merge
from tutor_lsp.core.exercise.report import NO_TESTS, RawReport, RunOutcome, Unpractised
from tutor_lsp.core.exercise.snapshot import (
    NAMED,
    Found,
    LeftOut,
    Snapshot,
    left_out_line,
    readable,
)
from tutor_lsp.core.exercise.units import Stubs, update_progress
from tutor_lsp.core.exercise.verdict import count_passed
from tutor_lsp.core.ports import Early
from tutor_lsp.core.runs import RunKind
from tutor_lsp.core.session import Attempt, Event, Session
from tutor_lsp.core.text.translation import n, t
from tutor_lsp.stages.backends.select import LIBRARY
from tutor_lsp.tutor.exercise import snapshots
from tutor_lsp.tutor.exercise.copies import Copies
from tutor_lsp.tutor.exercise.folder.disk import Disk, signs_of
from tutor_lsp.tutor.exercise.folder.lock import exercise_lock
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.practised import unpractised
from tutor_lsp.tutor.exercise.register import OpenExercises, tutor_name
from tutor_lsp.tutor.exercise.trust_gate import require_trust
from tutor_lsp.tutor.running.check_soon import check_soon
from tutor_lsp.tutor.running.early import early_results
from tutor_lsp.tutor.running.held import (
    held,
    of_given_program,
    on_request,
    others,
    to_run,
    without_held,
)
from tutor_lsp.tutor.running.readiness import Readiness
from tutor_lsp.tutor.running.run_queue import COUNTED, ExerciseRuns, RunResult
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.services.tasks import load_beside
from tutor_lsp.wire import to_wire

_WRONG = frozenset({RunOutcome.FAILED, RunOutcome.BUILD_ERROR, RunOutcome.TIMEOUT})
TRIES = 5
"""How many times a check is run while the files that it runs on change."""


@dataclass(frozen=True, slots=True)
class Execution:
    """The steps of a run on one exercise folder, given to `ExerciseRuns`, which is its `queue`."""

    services: Services
    exercises: OpenExercises
    copies: Copies
    root: Path
    queue: Callable[[], ExerciseRuns]
    ready: Readiness

    async def tests(self, shot: Snapshot | None) -> RunResult:
        """Run and judge the tests of a snapshot, or of what is on the disk. Raises TutorError."""
        opened = self.exercises.open_at(self.root)
        return await (self._check(opened) if shot is None else self._attempt(opened, shot))

    async def _check(self, opened: OpenExercise) -> RunResult:
        """Run what is on the disk, repeating if it changes during the run."""
        async with exercise_lock(self.root, self._waits):
            await self.exercises.refresh(opened)
            require_trust(opened.session)
            for left in range(TRIES - 1, -1, -1):
                at = self.services.now()
                disk = await asyncio.to_thread(snapshots.read, opened)
                early = early_results(self.services, opened, disk.found)
                holds = not self.queue().asked and bool(on_request(opened.exercise))
                raw = await self._run_saved(opened, disk.found, early, holds=holds)
                if not await self._changed(opened, disk, last=not left):
                    return await self._judged(opened, raw, disk.found, at, holds=holds)
        raise TutorError(
            "CHANGING",
            f"Files in {self.root} change whenever the tests run, so no result can be kept. Stop "
            "what writes them (a background program, or the code itself), then check again.",
        )

    async def _run_saved(
        self, opened: OpenExercise, found: Found, early: Early | None, *, holds: bool
    ) -> RawReport:
        needed = _needed(opened, opened.stub_files())
        gone = [file for file in needed if file not in {*found.texts, *found.odd}]
        if gone:
            reason = _gone(gone, t("so no tests were run"), "tutor.reset")
            return RawReport(RunOutcome.NOT_RUN, reason=reason)
        raw = await self._run_here(opened, found, early, holds=holds)
        if raw.outcome not in (RunOutcome.NOT_RUN, RunOutcome.BUILD_ERROR):
            return raw
        mine = opened.exercise.starter
        given = [f for f in opened.vault.originals if f.startswith("tests/") and f not in mine]
        gone = [file for file in given if file not in {*found.texts, *found.odd}]
        if gone:
            reason = _gone(gone, t("so no tests were run"), "tutor.restore")
            return RawReport(RunOutcome.NOT_RUN, reason=reason)
        if raw.reason == NO_TESTS:
            return replace(raw, reason=t(f"{NO_TESTS} tutor.restore puts the original tests back."))
        return raw

    async def _run_here(
        self, opened: OpenExercise, found: Found, early: Early | None, *, holds: bool
    ) -> RawReport:
        """Run in the exercise's folder; where nothing can be written, in the session's copy. One
        that `holds` leaves out what somebody has to ask for."""
        reader, exercise = opened.toolchain, opened.exercise
        tests = await asyncio.to_thread(to_run, exercise, found.texts, reader) if holds else None
        if await asyncio.to_thread(os.access, self.root, os.W_OK):
            try:
                return await self._run(opened, self.root, early, tests)
            finally:
                self.ready.again(opened)
        async with self.copies.holding(opened, found.texts, self._waits) as folder:
            return await self._run(opened, folder, early, tests)

    async def _changed(self, opened: OpenExercise, disk: Disk, *, last: bool) -> bool:
        """Whether the folder may not be what ran. In the end its texts decide, even if other
        properties of the files keep changing."""
        now = await asyncio.to_thread(snapshots.read, opened)
        # Signs may be equal for changes within one tick of the clock.
        return now.found != disk.found or (not last and now.signs != disk.signs)

    async def _judged(
        self, opened: OpenExercise, raw: RawReport, found: Found, at: str, *, holds: bool
    ) -> RunResult:
        shot = replace(snapshots.checked(opened, found), at=at)
        texts = {file: readable(text) for file, text in found.texts.items()}
        exercise = opened.as_checked(texts)
        return await self._ran(opened, raw, shot, texts, exercise, holds=holds)

    async def _attempt(self, opened: OpenExercise, shot: Snapshot) -> RunResult:
        """Run a snapshot in the session's copy."""
        await self.exercises.refresh(opened)
        odd = next((item for item in shot.left_out if item.file in shot.missing), None)
        gone = _needed(opened, shot.missing)
        if odd or gone:
            so = t("so this attempt was not counted")
            reason = _unread(odd, so) if odd else _gone(gone, so, "tutor.reset")
            raw = RawReport(RunOutcome.NOT_RUN, reason=reason)
        else:
            raw = await self._in_copy(opened, shot)
        texts = {LESSON: opened.vault.originals.get(LESSON, ""), **shot.texts}
        return await self._ran(opened, raw, shot, texts, opened.exercise)

    async def _in_copy(self, opened: OpenExercise, shot: Snapshot) -> RawReport:
        copies, rules = self.copies, opened.toolchain
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

    async def _run(
        self,
        opened: OpenExercise,
        folder: Path,
        early: Early | None = None,
        tests: Sequence[str] | None = None,
    ) -> RawReport:
        """A run in a folder, of all tests or of these."""
        limits, targets = self.services.settings.run_limits, opened.exercise.targets
        run = self.exercises.shadow_copies.run_of(opened)
        if tests is None:
            return await run(folder, limits=limits, targets=targets, early=early)
        if not tests:
            return RawReport(RunOutcome.FAILED)
        raw = await run(folder, tests=tests, limits=limits, targets=targets, early=early)
        return without_held(raw, opened.exercise)

    async def _ran(
        self,
        opened: OpenExercise,
        raw: RawReport,
        shot: Snapshot,
        texts: Mapping[str, str],
        exercise: Exercise,
        *,
        holds: bool = False,
    ) -> RunResult:
        stubs = Stubs(exercise, texts, opened.functions, opened.lines)
        report = judge(
            of_given_program(raw, exercise, texts, shot.texts),
            exercise,
            texts,
            stubs,
            explain=opened.toolchain.explain,
            run_id=self.services.new_id(),
            only=others(exercise) if holds else None,
            held=held(exercise, opened.session, stubs) if holds else (),
        )
        left_out: tuple[Unpractised, ...] | None = None
        if report.tests and any(unit.practises for unit in exercise.units):
            read = opened.toolchain.functions
            left_out = await asyncio.to_thread(unpractised, exercise, texts, read, report.tests)
        report = replace(
            report,
            text_hash=shot.hash,
            note=left_out_line(shot.left_out),
            unpractised=left_out,
        )
        return RunResult(report, texts, opened.text_hash(texts), shot.at)

    def _waits(self) -> None:
        self.services.frontend.message(
            "Another editor or terminal is running the tests of this exercise; this run waits for "
            "it (tutor.cancel gives up)."
        )

    async def publish(self, kind: RunKind, ran: RunResult) -> int | None:
        """Keep and show a report; the attempt's number if it was counted. If the disk is no
        longer what an attempt ran on, a check follows."""
        opened = self.exercises.open_at(self.root)
        report, texts, text_hash = ran.report, ran.texts, ran.text_hash
        stubs = opened.stubs(texts)
        counted = kind is RunKind.ATTEMPT and report.outcome in COUNTED
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
        what = kind if counted else RunKind.CHECK
        stub_texts = {file: texts[file] for file in opened.stub_files() if file in texts}
        await self.exercises.change_session(
            opened, change, Event(what.value, data, opened.session.id), stub_texts=stub_texts
        )
        opened.has_run(texts)
        if report.outcome in COUNTED:
            self.services.tools.ran(opened.session.language)
        if kind is RunKind.ATTEMPT and await snapshots.overtaken(opened, report.text_hash):
            check_soon(self.services, self.queue(), opened, 0)
        self.services.frontend.exercise_changed(opened)
        if report.outcome in _WRONG:
            self.services.tasks.spawn(self._look(opened, ran), "looking for known mistakes")
        if tutor_name(self.services, opened.session) != LIBRARY:
            # A model's claims are tried before they are shown: build the copy for that now.
            self.services.tasks.spawn(
                self.exercises.shadow_copies.warm(opened), "warming the copy for trials"
            )
        return number

    async def _look(self, opened: OpenExercise, ran: RunResult) -> None:
        """Begin what a hint would have to wait for: the code may be that of a known mistake."""

        def diagnosing() -> Callable[..., Awaitable[None]]:
            from tutor_lsp.tutor.hinting.diagnosis.found import look_beside

            return look_beside

        look_beside = await load_beside(diagnosing)
        await look_beside(
            self.services, self.exercises.shadow_copies, opened, ran.texts, ran.report
        )

    def refused(self, error: TutorError) -> None:
        """Say on the stub why a run could not be made or kept; nothing is stored."""
        with contextlib.suppress(TutorError):
            opened = self.exercises.open_at(self.root)
            opened.refusal, opened.early = error.message, None
            self.services.frontend.exercise_changed(opened)

    def given_up(self) -> None:
        """Show that no results are expected any more for what was saved last."""
        with contextlib.suppress(TutorError):
            opened = self.exercises.open_at(self.root)
            opened.expect_none()
            self.services.frontend.exercise_changed(opened)

    async def review(self, number: int, texts: Mapping[str, str]) -> None:
        """Review the attempt of that number on the texts it ran on; keeps it in any case."""
        opened, trials = self.exercises.open_at(self.root), self.exercises.shadow_copies
        attempt = opened.session.attempt(number)
        if attempt is None:
            return
        check = partial(self.queue().check, asked=False)

        def reviewing() -> Callable[[], Awaitable[None]]:
            from tutor_lsp.tutor.reviewing.review import Reviewing

            return Reviewing(self.services, trials, check, opened, attempt, texts).run

        await (await load_beside(reviewing))()


def _same_text(attempt: Attempt, ran: RunResult) -> bool:
    """Whether an attempt was made on the text of this run; records of earlier versions know the
    stub files only."""
    known = attempt.report.text_hash
    return known == ran.report.text_hash if known else attempt.files_hash == ran.text_hash


def _needed(opened: OpenExercise, files: Sequence[str]) -> list[str]:
    """Those without which nothing can be run."""
    aside = {unit.file for unit in opened.exercise.aside}
    return [file for file in files if file not in aside]


def _gone(files: Sequence[str], so: str, command: str) -> str:
    """Says that files are gone, what follows, and the command that puts them back."""
    return n(
        "{files} is gone, {so}. {command} puts it back.",
        "{files} are gone, {so}. {command} puts them back.",
        len(files),
        files=", ".join(files[:NAMED]),
        so=so,
        command=command,
    )


def _unread(item: LeftOut, so: str) -> str:
    """Says that something else is in the place of a stub file."""
    return t(
        f"{item.file} is left out ({item.why}), {so}. Move or rename it, then tutor.reset puts the "
        "original back."
    )


def _changed_itself(files: Sequence[str]) -> str:
    return t(
        f"The code changed {', '.join(files[:NAMED])} while its tests ran, so this attempt was not "
        "counted. Remove the code that does that, then attempt again."
    )


def executed_runs(
    exercises: OpenExercises,
    copies: Copies,
    root: Path,
    queue: Callable[[], ExerciseRuns],
    ready: Readiness,
) -> ExerciseRuns:
    """The runs of the exercise in a folder, initially idle. `queue` returns them later."""
    steps = Execution(exercises.services, exercises, copies, root, queue, ready)
    return ExerciseRuns(steps.tests, steps.publish, steps.review, steps.refused, steps.given_up)
