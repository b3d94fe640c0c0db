"""What a run of an exercise does: tests under the lock, results kept, the attempt reviewed."""

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.judge import judge, merge
from tutor_lsp.core.report import RawReport, RunOutcome
from tutor_lsp.core.runs import Kind
from tutor_lsp.core.session import Attempt, Event, Session
from tutor_lsp.core.units import update_progress
from tutor_lsp.core.verdict import count_passed
from tutor_lsp.core.wire import to_wire
from tutor_lsp.stages.backends.select import LIBRARY
from tutor_lsp.tutor.context import tutor_name
from tutor_lsp.tutor.lock import exercise_lock
from tutor_lsp.tutor.opened import OpenExercise
from tutor_lsp.tutor.reviewing import review_attempt
from tutor_lsp.tutor.runs import COUNTED, Ran
from tutor_lsp.tutor.trust import require_trust

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App


class Execution:
    """The steps of a run on one exercise folder, given to tutor.runs.ExerciseRuns."""

    def __init__(self, app: "App", root: Path) -> None:
        self._app = app
        self._root = root

    async def tests(self, kind: Kind) -> Ran:
        """Run and judge the tests of what is on the disk. Raises TutorError."""
        app = self._app
        opened = app.open_at(self._root)
        async with exercise_lock(self._root, self._waits):
            await app.refresh(opened)
            require_trust(opened.session)
            texts = await asyncio.to_thread(opened.disk_texts)
            raw = await self._run(opened, kind, texts)
        report = judge(
            raw,
            opened.exercise,
            texts,
            opened.stubs(texts),
            explain=opened.toolchain.explain,
            run_id=app.new_id(),
        )
        return Ran(report, texts, opened.text_hash(texts))

    def _waits(self) -> None:
        self._app.frontend.message(
            "Another editor or terminal is running the tests of this exercise; this run waits for "
            "it (tutor.cancel gives up)."
        )

    async def _run(self, opened: OpenExercise, kind: Kind, texts: dict[str, str]) -> RawReport:
        changed = [file for file in opened.changed_files(texts) if file.startswith("tests/")]
        if changed and kind is Kind.ATTEMPT:
            return RawReport(
                RunOutcome.NOT_RUN,
                reason=f"{', '.join(changed)} is not as it was given, so this attempt was not "
                "counted. Put it back (tutor.restore) and attempt again.",
            )
        limits = self._app.settings.run_limits
        return await opened.toolchain.run(
            self._root,
            limits=limits,
            targets=opened.exercise.targets,
        )

    async def publish(self, kind: Kind, ran: Ran) -> int | None:
        """Keep and show a report; the attempt's number if it was counted."""
        app = self._app
        opened = app.open_at(self._root)
        report, texts, text_hash = ran.report, ran.texts, ran.text_hash
        stubs = opened.stubs(texts)
        counted = kind is Kind.ATTEMPT and report.outcome in COUNTED
        number: int | None = None

        fresh = bool(report.tests) and report.outcome is not RunOutcome.CANCELLED
        units = opened.exercise.units if fresh else ()
        hashes = {unit.id: stubs.text_hash(unit.id) for unit in units}

        def change(session: Session) -> Session:
            nonlocal number
            changed = replace(
                session,
                last_report=report,
                last_report_hash=text_hash,
                last_results=merge(session.last_results, report),
                result_texts=hashes or session.result_texts,
                progress=update_progress(session.progress, report, opened.exercise, stubs),
            )
            if not counted:
                return changed
            last = session.attempts[-1] if session.attempts else None
            again = last is not None and last.review is None and last.files_hash == text_hash
            number = session.attempt_count + (0 if again else 1)
            attempt = Attempt(number, app.now(), report, text_hash)
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
        }
        if counted:
            data["files"] = {file: texts.get(file, "") for file in opened.stub_files()}
            data["report"] = to_wire(report)
        await app.change_session(opened, change, Event(kind.value, data, opened.session.id))
        opened.ran_texts = texts
        opened.parse_error = opened.refusal = None
        if report.outcome in COUNTED:
            app.tools.ran(opened.session.language)
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

    async def review(self, number: int, texts: Mapping[str, str]) -> None:
        """Review the attempt of that number on the texts it ran on; keeps it in any case."""
        await review_attempt(self._app, self._app.open_at(self._root), number, texts)
