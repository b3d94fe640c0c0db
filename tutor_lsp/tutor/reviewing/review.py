"""The review of an attempt: reviewer stage, the rules of the verdict, mastery."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.mistakes import Diagnosis
from tutor_lsp.core.exercise.report import TestOutcome
from tutor_lsp.core.exercise.review_check import Dropped
from tutor_lsp.core.exercise.verdict import PASS, is_green, sentence, settle
from tutor_lsp.core.session import Attempt, Event, Review, Session
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.stages import evidence
from tutor_lsp.stages.backends import authored
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise.cases import joined
from tutor_lsp.tutor.exercise.folder.coach_file import note_for_learner, review_text
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.place_cases import place_tests
from tutor_lsp.tutor.exercise.practised import practised
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.exercise.snapshots import old_text
from tutor_lsp.tutor.hinting.context import tutoring_backend, tutoring_context, working
from tutor_lsp.tutor.hinting.diagnosis.diagnose import Diagnoses, diagnose_all
from tutor_lsp.tutor.hinting.probing import Prober
from tutor_lsp.tutor.interface.notifications import ReviewReady
from tutor_lsp.tutor.learner.mastery import keep_diagnosis, keep_review
from tutor_lsp.tutor.reviewing.asking import Unusable, ask
from tutor_lsp.tutor.reviewing.leaks import without_leaks
from tutor_lsp.tutor.reviewing.linting import with_improvement
from tutor_lsp.tutor.reviewing.taught import as_taught, passed_topics, with_the_last_hint
from tutor_lsp.tutor.reviewing.verify_review import Notes, Settling
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.services.tell import tell
from tutor_lsp.tutor.voice.phrases import unpractised_lines
from tutor_lsp.wire import to_wire

log = logging.getLogger("tutor_lsp")
Check = Callable[[], Awaitable[object]]
"""Runs the tests of the exercise, uncounted."""
NOTHING_KNOWN: Diagnoses = {}
BROKEN = marked("the tutor failed during the review")


@dataclass(frozen=True, slots=True)
class Reviewing:
    """The review of an attempt on the `texts` that it ran on; `check` runs the tests, uncounted."""

    services: Services
    trials: ShadowCopies
    check: Check
    opened: OpenExercise
    attempt: Attempt
    texts: Mapping[str, str]

    async def run(self) -> None:
        """Review the attempt and keep the outcome.

        There always is one unless it is cancelled: a model's bad answer costs the learner nothing,
        because the library's review of the run then settles the attempt and says so.
        """
        opened, number = self.opened, self.attempt.number
        known: Diagnoses = {}
        try:
            known = await self._diagnosed()
            review, notes = await self._review(known)
        except asyncio.CancelledError:
            await self._keep(None, error=t("The review was cancelled."))
            raise
        except Exception as error:
            log.exception("the review of attempt %s failed", number)
            review, notes = self._of_run(Unusable(BROKEN, (f"{BROKEN}: {error!r}",)))
        review = _with_mistake(review, known, opened)
        await self._keep(review, notes, known=known)
        before = [item.report for item in opened.session.attempts if item.number < number]
        run = sentence(self.attempt.report, before[-1] if before else None)
        old = await old_text(opened, self.attempt)
        without = unpractised_lines(self.attempt.report)
        text = review_text(review, run, number, opened.exercise.language, old, without)
        await note_for_learner(self.services, opened.root, text)
        tell(self.services.frontend, ReviewReady(opened.session.id, number, review))

    async def _diagnosed(self) -> Diagnoses:
        """What is known of the code. A review does without it where that cannot be found out."""
        report = self.attempt.report
        try:
            return await diagnose_all(self.services, self.trials, self.opened, self.texts, report)
        except Exception:
            log.exception("the diagnosis of attempt %s failed", self.attempt.number)
            return {}

    async def _review(self, known: Diagnoses) -> tuple[Review, Notes]:
        """The settled review, and what was dropped on the way to it."""
        services, opened, report = self.services, self.opened, self.attempt.report
        backend = await tutoring_backend(services, opened)
        prober = Prober(self.trials, opened, self.texts)
        settling = Settling(opened, self.attempt, self.texts, prober)
        unusable: Unusable | None = None
        if backend.is_model:
            number = self.attempt.number
            context = await tutoring_context(services, opened, report=report, texts=self.texts)
            passed = await passed_topics(services, opened.session.language)
            titles = [services.curriculum.title_of(node) for node in passed]
            context = replace(context, diagnoses=known, passed=[*filter(None, titles)])
            async with working(services, backend, t(f"Tutor: review of attempt {number}")):
                payload = await ask(services, backend, context, number)
                if not isinstance(payload, Unusable):
                    review, notes = await settling.settled(payload)
                    review, left_out = await without_leaks(
                        review, report, opened, self.texts, self.trials
                    )
                    review, untaught = await as_taught(
                        review, report, opened, self.texts, services.library, passed
                    )
                    return review, (*notes, *left_out, *untaught)
                unusable = payload
        review, notes = self._of_run(unusable)
        review = await with_improvement(review, settling.evidence, opened, self.trials)
        return await with_the_last_hint(review, report, opened, self.texts), notes

    def _of_run(self, instead: Unusable | None) -> tuple[Review, Notes]:
        """The library's review, from the run alone; it says why the model's (`instead`) was not
        used."""
        run = evidence.run_of(self.attempt.report)
        without = {each.unit for each in self.attempt.report.unpractised or ()}
        green = is_green(self.attempt.report)
        units = [
            evidence.unit_of(unit, "")
            for unit in self.opened.exercise.units
            if not (green and unit.id in without)  # what was not practised is not praised
        ]
        said = authored.review({"run": run, "units": units})
        review = settle(
            Review(said["verdict"], said["score"], said["summary"], (), said["improvement"]),
            self.attempt.report,
        )
        if instead is None:
            return review, ()
        why = t(f"From the run alone: the model's review was not used, {instead.said}.")
        notes = tuple(Dropped("review", refusal) for refusal in instead.refusals)
        return replace(review, summary=f"{review.summary} ({why})"), notes

    async def _keep(
        self,
        review: Review | None,
        notes: Notes = (),
        *,
        error: str | None = None,
        known: Diagnoses = NOTHING_KNOWN,
    ) -> None:
        """One transaction for the whole outcome: attempt, mastery, event.

        Nothing is kept of an attempt that another program reviewed or repeated meanwhile: it would
        count twice.
        """
        services, opened, reviewed = self.services, self.opened, self.attempt
        at, number = services.now(), reviewed.number

        def work(tx: Transaction) -> Session:
            session = tx.session(opened.session.id) or opened.session
            stored = session.attempt(number)
            if stored is not None and (
                stored.review is not None or stored.report.run_id != reviewed.report.run_id
            ):
                return session
            attempts = tuple(
                replace(item, review=review, review_error=error) if item.number == number else item
                for item in session.attempts
            )
            changed = replace(session, attempts=attempts, updated_at=at)
            if review is not None:
                if stored is not None:
                    used = practised(opened.exercise, session, stored.report)
                    keep_review(tx, services.curriculum, session, stored, review, at, used)
                for found in known.values():
                    test = _first_failing(found, reviewed)
                    keep_diagnosis(tx, services.curriculum, session, found, test, at)
                changed = replace(changed, passed=changed.passed or review.verdict == PASS)
                changed = joined(changed, review.counter_example)
            tx.put_session(changed)
            data = {"review": to_wire(review), "error": error, "dropped": to_wire(notes)}
            tx.log(Event("review", {"attempt": number, **data}, session.id))
            return changed

        given, cases = dict(opened.vault.originals), opened.session.cases
        opened.session = await services.db(work)
        services.tasks.spawn(
            asyncio.to_thread(services.store.refresh_backup), "refreshing today's backup"
        )
        if opened.session.cases != cases:
            await place_tests(services, opened, given)
            # The new test has no result yet: a check shows it like any other.
            services.tasks.spawn(_checked(self.check), "checking the case of a review")
        services.frontend.exercise_changed(opened)


def _with_mistake(review: Review, known: Diagnoses, opened: OpenExercise) -> Review:
    """The review with a sentence on the first known mistake, unless it says that itself."""
    first = next(iter(known.values()), None)
    if first is None or first.says in review.summary:
        return review
    stub = opened.unit(first.unit).stub
    return replace(review, summary=f"{review.summary} `{stub}`: {first.says}")


def _first_failing(found: Diagnosis, attempt: Attempt) -> str:
    """The test that shows a mistake, "" where none was built."""
    tests = (test for test in attempt.report.tests if test.unit == found.unit)
    return next((test.name for test in tests if test.outcome is not TestOutcome.PASSED), "")


async def _checked(check: Check) -> None:
    with contextlib.suppress(TutorError):
        await check()
