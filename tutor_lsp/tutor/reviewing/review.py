"""The review of an attempt: reviewer stage, the rules of the verdict, mastery."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.review_check import Dropped
from tutor_lsp.core.exercise.verdict import PASS, sentence, settle
from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import Attempt, Event, Review, Session
from tutor_lsp.core.wire import to_wire
from tutor_lsp.stages import evidence
from tutor_lsp.stages.backends import authored
from tutor_lsp.stages.backends.select import LIBRARY
from tutor_lsp.tutor.exercise.cases import joined, place_tests
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.snapshots import old_text
from tutor_lsp.tutor.hinting.coach_file import note_for_learner, review_text
from tutor_lsp.tutor.hinting.context import tutoring_backend, tutoring_context, working
from tutor_lsp.tutor.learner.mastery import keep_review
from tutor_lsp.tutor.reviewing.asking import Unusable, ask
from tutor_lsp.tutor.reviewing.linting import with_improvement
from tutor_lsp.tutor.reviewing.probing import Prober
from tutor_lsp.tutor.reviewing.verify_review import Notes, Settling

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

log = logging.getLogger("tutor_lsp")
BROKEN = "the tutor broke while it was looked at"


async def review_attempt(
    app: "App", opened: OpenExercise, number: int, texts: Mapping[str, str]
) -> None:
    """Review attempt `number` on the texts that it ran on and keep the outcome.

    There always is one, save where it is cancelled: what a model's answer lacks costs the learner
    nothing, since the library's review of the run then settles the attempt and says so.
    """
    attempt = _attempt(opened.session, number)
    if attempt is None:
        return
    try:
        review, notes = await _review(app, opened, attempt, texts)
    except asyncio.CancelledError:
        await _keep(app, opened, attempt, None, error="The review was cancelled.")
        raise
    except Exception as error:
        log.exception("the review of attempt %s failed", number)
        why = f"{BROKEN}: {error!r}"
        review, notes = _of_run(opened, attempt, Unusable(BROKEN, (why,)))
    await _keep(app, opened, attempt, review, notes)
    before = [item.report for item in opened.session.attempts if item.number < number]
    run = sentence(attempt.report, before[-1] if before else None)
    old = await old_text(opened, attempt)
    text = review_text(review, run, number, opened.exercise.language, old)
    await note_for_learner(app, opened, text)
    app.frontend.notify(
        "tutor/reviewReady",
        {"sessionId": opened.session.id, "attempt": number, "review": to_wire(review)},
    )


async def _review(
    app: "App", opened: OpenExercise, attempt: Attempt, texts: Mapping[str, str]
) -> tuple[Review, Notes]:
    """The settled review, and what was dropped on the way to it."""
    backend = await tutoring_backend(app, opened)
    settling = Settling(opened, attempt, texts, Prober(app.trials, opened, texts))
    unusable: Unusable | None = None
    if backend.name != LIBRARY:
        context = await tutoring_context(app, opened, report=attempt.report, texts=texts)
        async with working(app, backend, f"Tutor: review of attempt {attempt.number}"):
            payload = await ask(app, backend, context, attempt.number)
            if not isinstance(payload, Unusable):
                review, notes = await settling.settled(payload)
                leaks = await app.load("tutor_lsp.tutor.reviewing.leaks")
                review, left_out = await leaks.without_leaks(
                    review, attempt.report, opened, texts, app.trials
                )
                return review, (*notes, *left_out)
            unusable = payload
    review, notes = _of_run(opened, attempt, unusable)
    return await with_improvement(review, settling.evidence, opened, app.trials), notes


def _of_run(
    opened: OpenExercise, attempt: Attempt, instead: Unusable | None
) -> tuple[Review, Notes]:
    """The library's review, made of the run alone; it names the model's that it is `instead` of."""
    run = evidence.run_of(attempt.report)
    units = [evidence.unit_of(unit, "") for unit in opened.exercise.units]
    payload = authored.review({"run": run, "units": units})
    review = settle(
        Review(
            payload["verdict"], payload["score"], payload["summary"], (), payload["improvement"]
        ),
        attempt.report,
    )
    if instead is None:
        return review, ()
    why = f"From the run alone: the model's review was not used, {instead.said}."
    notes = tuple(Dropped("review", refusal) for refusal in instead.refusals)
    return replace(review, summary=f"{review.summary} ({why})"), notes


async def _keep(
    app: "App",
    opened: OpenExercise,
    reviewed: Attempt,
    review: Review | None,
    notes: Notes = (),
    *,
    error: str | None = None,
) -> None:
    """One transaction for the whole outcome: attempt, mastery, event.

    Nothing is kept of an attempt that another program reviewed or repeated meanwhile: it would
    count twice.
    """
    at, number = app.now(), reviewed.number

    def work(tx: Transaction) -> Session:
        session = tx.session(opened.session.id) or opened.session
        stored = _attempt(session, number)
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
                keep_review(tx, app.curriculum, session, stored, review, at)
            changed = replace(changed, passed=changed.passed or review.verdict == PASS)
            changed = joined(changed, review.counter_example)
        tx.put_session(changed)
        data = {
            "attempt": number,
            "review": to_wire(review),
            "error": error,
            "dropped": to_wire(notes),
        }
        tx.log(Event("review", data, session.id))
        return changed

    given, cases = dict(opened.vault.originals), opened.session.cases
    opened.session = await app.db(work)
    app.tasks.spawn(asyncio.to_thread(app.store.refresh_backup), "refreshing today's backup")
    if opened.session.cases != cases:
        await place_tests(app, opened, given)
        # The new test has no result yet: a check shows it like any other.
        app.tasks.spawn(_checked(app, opened), "checking the case of a review")
    app.frontend.exercise_changed(opened)


async def _checked(app: "App", opened: OpenExercise) -> None:
    with contextlib.suppress(TutorError):
        await app.runs(opened).check()


def _attempt(session: Session, number: int) -> Attempt | None:
    return next((item for item in session.attempts if item.number == number), None)
