"""`tutor.check`, `tutor.attempt` and `tutor.review`."""

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import TestReport
from tutor_lsp.core.exercise.verdict import not_counted
from tutor_lsp.core.learner.curriculum import DEPTHS
from tutor_lsp.core.learner.mastery import Help, help_taken
from tutor_lsp.core.runs import Kind
from tutor_lsp.core.session import Attempt, Review
from tutor_lsp.tutor.exercise import snapshots
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.trust import allow
from tutor_lsp.tutor.learner.advice import Advice, what_next

if TYPE_CHECKING:
    from tutor_lsp.core.exercise.snapshot import Snapshot
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import NoArguments, RunArguments

SAVING_S = 0.25
"""How long a text that was typed may take to come to the disk, in seconds."""


@dataclass(frozen=True, slots=True)
class MasteryStep:
    """Mastery of the node before and after an attempt, 0–3."""

    node: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """`tutor.attempt`; `attempt` is its number, null where it was not counted.

    `note` says what is to be known beside the verdict: why it was not counted, that the text is
    another one by now, what was left out, why a pass does not count in full, or what a challenge
    showed: `claimed` are the nodes that count as known because of it. `text_of` is the learner's
    time of day (`14:03`) when the text was taken that this is about, null as long as it is the one
    on the disk.
    """

    attempt: int | None
    report: TestReport
    review: Review | None
    review_error: str | None
    mastery: MasteryStep
    next: tuple[Advice, ...]
    note: str | None = None
    claimed: tuple[str, ...] = ()
    text_of: str | None = None


async def check(app: "App", arguments: "RunArguments") -> TestReport:
    """Run the tests, uncounted. Raises TutorError `UNTRUSTED` without a yes where one is needed."""
    opened = await app.locate(arguments)
    await until_saved(opened)
    await allow(app, opened, agreed=arguments.trust, command="tutor.check")
    return (await app.runs(opened).check()).report


async def attempt(app: "App", arguments: "RunArguments") -> AttemptResult:
    """Run the tests, count it, review it. On unchanged files whose review failed, review again.

    What is attempted is what was saved when this was asked for.
    """
    known = snapshots.at_hand(app, arguments)
    ready = known is not None and known.session.trusted and not known.unsaved()
    early = Early.begin(app, known) if known is not None and ready else None
    try:
        opened = await app.locate(arguments)
        if early is None or opened is not known:
            await until_saved(opened)
        await allow(app, opened, agreed=arguments.trust, command="tutor.attempt")
        return await attempt_on(app, opened, early if opened is known else None)
    finally:
        if early is not None:
            early.task.cancel()


@dataclass(frozen=True, slots=True)
class Early:
    """A snapshot that is being taken since a request came, and that request's number."""

    turn: int
    task: "asyncio.Task[Snapshot]"

    @classmethod
    def begin(cls, app: "App", opened: OpenExercise) -> "Early":
        turn = app.runs(opened).turn()
        task = asyncio.ensure_future(snapshots.take(app, opened))
        # Where the command is refused nobody awaits it: what it raises is heard all the same.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return cls(turn, task)


async def attempt_on(app: "App", opened: OpenExercise, early: Early | None = None) -> AttemptResult:
    """See `attempt`."""
    early = early or Early.begin(app, opened)
    session = opened.session
    before = (await app.db(lambda tx: tx.node(session.language, session.node))).mastery
    outcome = await app.runs(opened).attempt(lambda: early.task, early.turn)
    after = (await app.db(lambda tx: tx.node(session.language, session.node))).mastery
    counted = _of_number(opened, outcome.attempt) if outcome.kind is Kind.ATTEMPT else None
    text_of = await snapshots.old_text(opened, counted) if counted is not None else None
    advice = await what_next(app, opened.session)
    claimed = await _claimed(app, opened)
    opened.next_title = advice[0].title if advice else None
    if opened.session.passed:
        app.frontend.exercise_changed(opened)
    notes = (
        not_counted(outcome.report) if outcome.attempt is None else None,
        text_of and f"This is about your text of {text_of}; your files are different by now.",
        outcome.report.note,
        _held_back(opened, after) or _known_now(app, claimed),
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
    )


async def polish(app: "App", arguments: "NoArguments") -> dict[str, bool]:
    """Decline the offer to finish that the first all-green run makes; it is not made again."""
    opened = await app.locate(arguments)
    await app.change_session(opened, lambda session: replace(session, polishing=True))
    app.frontend.exercise_changed(opened)
    return {"polishing": True}


async def review(app: "App", arguments: "NoArguments") -> Review | None:
    """The last verdict, without a call."""
    opened = await app.locate(arguments)
    reviewed = [item.review for item in opened.session.attempts if item.review is not None]
    return reviewed[-1] if reviewed else None


def _held_back(opened: OpenExercise, after: int) -> str | None:
    """Why a passed exercise does not count in full yet, None if it does."""
    session = opened.session
    if not session.passed or session.review_of or after >= DEPTHS[session.depth]:
        return None
    took = "the solution" if help_taken(session) is Help.REVEAL else "the last hint"
    return f"You took {took}: pass it once more on your own and it counts in full."


async def _claimed(app: "App", opened: OpenExercise) -> tuple[str, ...]:
    """Nodes that count as known because this challenge was passed unaided at once."""
    if not opened.session.challenge:
        return ()
    events = await app.db(lambda tx: tx.events(session=opened.session.id, kind="claim"))
    return tuple(str(event["data"]["node"]) for event in events)


def _known_now(app: "App", claimed: tuple[str, ...]) -> str | None:
    if not claimed:
        return None
    nodes = [app.curriculum.node(name) for name in claimed]
    titles = ", ".join(node.title for node in nodes if node is not None)
    return f"Done without help at the first go: what it builds on counts as known ({titles})."


async def until_saved(opened: OpenExercise) -> None:
    """Wait for a save that is on its way: editors tell of a text before they have written it.

    Raises TutorError `UNSAVED` if what is seen is not what would be tested after `SAVING_S`.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + SAVING_S
    while unsaved := opened.unsaved():
        if loop.time() >= end:
            names = ", ".join(unsaved)
            raise TutorError(
                "UNSAVED",
                f"{names} has changes that are not saved. Save and try again, so that what you "
                "see is what is tested.",
                details={"files": list(unsaved)},
            )
        await asyncio.sleep(0.01)


def _of_number(opened: OpenExercise, number: int | None) -> Attempt | None:
    return next((item for item in opened.session.attempts if item.number == number), None)
