"""`tutor.check`, `tutor.attempt` and `tutor.review`."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import TestReport
from tutor_lsp.core.exercise.snapshot import Snapshot
from tutor_lsp.core.exercise.verdict import not_counted
from tutor_lsp.core.learner.curriculum import DEPTHS
from tutor_lsp.core.learner.mastery import Help, help_taken
from tutor_lsp.core.runs import RunKind
from tutor_lsp.core.session import Review, Session
from tutor_lsp.core.text.translation import t
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise import snapshots
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.exercise.trust import allow
from tutor_lsp.tutor.interface.arguments import NoArguments, RunArguments
from tutor_lsp.tutor.interface.results import AttemptResult, MasteryStep
from tutor_lsp.tutor.learner.advice import what_next
from tutor_lsp.tutor.running.runs import Runs
from tutor_lsp.tutor.services.services import Services

SAVING_S = 0.25
"""How long a typed text may take to reach the disk, in seconds."""


async def check(runs: Runs, arguments: RunArguments) -> TestReport:
    """Run the tests, uncounted. Raises TutorError `UNTRUSTED` if consent is needed and missing."""
    opened = await runs.exercises.locate(arguments)
    _contain_soon(runs.exercises.services, opened)
    await until_saved(opened)
    await allow(runs.exercises, opened, agreed=arguments.trust, command="tutor.check")
    return (await runs.of(opened).check()).report


async def attempt(runs: Runs, arguments: RunArguments) -> AttemptResult:
    """Run the tests, count it, review it. On unchanged files whose review failed, review again.

    The attempt is on what was saved when it was requested.
    """
    known = runs.exercises.at_hand(arguments)
    ready = known is not None and known.session.trusted and not known.unsaved()
    early = EarlySnapshot.begin(runs, known) if known is not None and ready else None
    try:
        opened = await runs.exercises.locate(arguments)
        _contain_soon(runs.exercises.services, opened)
        if early is None or opened is not known:
            await until_saved(opened)
        await allow(runs.exercises, opened, agreed=arguments.trust, command="tutor.attempt")
        return await attempt_on(runs, opened, early if opened is known else None)
    finally:
        if early is not None:
            early.task.cancel()


def _contain_soon(services: Services, opened: OpenExercise) -> None:
    """In a terminal, where nothing is ready yet, find out how runs can be contained while the code
    that runs them is loaded."""
    if services.frontend.abilities.terminal and opened.session.trusted:
        services.tools.begin(())


@dataclass(frozen=True, slots=True)
class EarlySnapshot:
    """A snapshot that is being taken since a request came, and that request's number."""

    turn: int
    task: "asyncio.Task[Snapshot]"

    @classmethod
    def begin(cls, runs: Runs, opened: OpenExercise) -> "EarlySnapshot":
        turn = runs.of(opened).turn()
        task = asyncio.ensure_future(snapshots.take(runs.services, opened))
        # Where the command is refused nobody awaits it: what it raises is heard all the same.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return cls(turn, task)


async def attempt_on(
    runs: Runs, opened: OpenExercise, early: EarlySnapshot | None = None
) -> AttemptResult:
    """See `attempt`."""
    early = early or EarlySnapshot.begin(runs, opened)
    session = opened.session
    before = (await runs.services.db(lambda tx: tx.node(session.language, session.node))).mastery
    outcome = await runs.of(opened).attempt(lambda: early.task, early.turn)
    after = (await runs.services.db(lambda tx: tx.node(session.language, session.node))).mastery
    counted = opened.session.attempt(outcome.attempt) if outcome.kind is RunKind.ATTEMPT else None
    text_of = await snapshots.old_text(opened, counted) if counted is not None else None
    advice = await what_next(runs.services, opened.session)
    claimed = await runs.services.db(lambda tx: claimed_by(tx, opened.session))
    titles = titles_of(runs.services, claimed)
    why = t(f"Passed without help on the first try: what it builds on counts as known ({titles}).")
    opened.next_title = advice[0].title if advice else None
    if opened.session.passed:
        runs.services.frontend.exercise_changed(opened)
    notes = (
        not_counted(outcome.report) if outcome.attempt is None else None,
        text_of and t(f"This is about your text of {text_of}; your files have changed since."),
        outcome.report.note,
        _held_back(opened, after) or (why if titles else None),
    )
    return AttemptResult(
        attempt=outcome.attempt,
        report=outcome.report,
        review=counted.review if counted is not None else None,
        review_error=counted.review_error if counted is not None else None,
        mastery=MasteryStep(session.node, before, after),
        next=advice,
        note=" ".join(note for note in notes if note) or None,
        claimed=claimed,
        text_of=text_of,
        topic=runs.services.curriculum.title_of(session.node) or session.node,
    )


async def review(exercises: OpenExercises, arguments: NoArguments) -> Review | None:
    """The last verdict, without calling a model."""
    opened = await exercises.locate(arguments)
    reviewed = [item.review for item in opened.session.attempts if item.review is not None]
    return reviewed[-1] if reviewed else None


def _held_back(opened: OpenExercise, after: int) -> str | None:
    """Why a passed exercise does not yet count in full, None if it does."""
    session = opened.session
    if not session.passed or session.review_of or after >= DEPTHS[session.depth]:
        return None
    took = t("the solution") if help_taken(session) is Help.REVEAL else t("the last hint")
    again = f'tutor.start with {{"node": "{session.node}", "fresh": true}}'
    return t(f"You took {took}: pass it once more on your own and it counts in full ({again}).")


def claimed_by(tx: Transaction, session: Session) -> tuple[str, ...]:
    """Nodes that count as known because this challenge was passed without help at once."""
    events = tx.events(session=session.id, kind="claim")
    return tuple(str(event["data"]["node"]) for event in events)


def titles_of(services: Services, nodes: Sequence[str]) -> str:
    """Their titles, in one line."""
    known = (services.curriculum.node(name) for name in nodes)
    return ", ".join(node.title for node in known if node is not None)


async def until_saved(opened: OpenExercise) -> None:
    """Wait for a save in progress: editors report a text before they have written it.

    Raises TutorError `UNSAVED` if, after `SAVING_S`, the text in view is not what would be tested.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + SAVING_S
    while unsaved := opened.unsaved():
        if loop.time() >= end:
            names = ", ".join(unsaved)
            raise TutorError(
                "UNSAVED",
                f"{names} has unsaved changes. Save and try again, so that what you "
                "see is what is tested.",
                details={"files": list(unsaved)},
            )
        await asyncio.sleep(0.01)
