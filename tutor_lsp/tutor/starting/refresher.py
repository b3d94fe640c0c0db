"""A topic that is due: one unit of the exercise that was passed, with fresh values."""

import asyncio
import logging
from dataclasses import dataclass, replace

from tutor_lsp.authoring.model import ProvenExercise
from tutor_lsp.authoring.refresher.make import ReviewRequest, make_review
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.learner.mastery import open_tags
from tutor_lsp.core.learner.spacing import is_due
from tutor_lsp.core.ports import Progress
from tutor_lsp.core.session import Session, Vault
from tutor_lsp.library.loader import is_bundled
from tutor_lsp.stages.backends.select import names_model
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.interface.arguments import StartArguments
from tutor_lsp.tutor.services.services import Services

log = logging.getLogger("tutor_lsp")


@dataclass(frozen=True, slots=True)
class DueReview:
    """What a review is made from: a passed session and its exercise; `number` counts the reviews
    of the topic, so that each takes another unit and other values.
    """

    session: Session
    exercise: Exercise
    vault: Vault
    number: int

    @property
    def prefix(self) -> str:
        """How the ids of its exercises begin."""
        return f"{self.exercise.id}-review-"

    def units(self) -> list[str]:
        """Ids of the units in the order in which they are tried: another one each time, those
        that were hard before the others.
        """
        hard = {
            name: len(progress.failing_texts) + 2 * progress.revealed
            for name, progress in self.session.progress.items()
        }
        hinted = [hint.unit for hint in self.session.hints]
        names = [unit.id for unit in self.exercise.units]
        ordered = sorted(names, key=lambda name: -(hard.get(name, 0) + hinted.count(name)))
        turn = (self.number - 1) % len(ordered) if ordered else 0
        return [*ordered[turn:], *ordered[:turn]]


async def due_review(
    services: Services, arguments: StartArguments, language: str, node: str
) -> DueReview | None:
    """The review that starting this topic means now, None where it means an exercise.

    That is so if the topic is due, was passed here with a reference at hand, has no open
    misconception, and nothing else was asked for. An exercise that came from elsewhere gives none
    before its learner agreed to running it, unless it is one that comes with the tutor.
    """
    plain = not names_model(arguments.backend) and arguments.depth is None
    wish = arguments.topic or arguments.error_code
    if arguments.fresh or arguments.challenge or wish or not plain:
        return None
    now = services.now()

    def read(tx: Transaction) -> DueReview | None:
        record = tx.node(language, node)
        if record.card is None or not is_due(record.card, now) or open_tags(record):
            return None
        for session in tx.sessions_of(language, node):
            kept = tx.exercise(session.id) if session.passed and not session.review_of else None
            entry = services.library.by_id(session.exercise_id)
            ours = session.trusted or (entry is not None and is_bundled(entry))
            if ours and kept is not None and kept[1].solution:
                return DueReview(session, *kept, number=record.card.reviews)
        return None

    return await services.db(read)


async def make(services: Services, due: DueReview, progress: Progress) -> ProvenExercise | None:
    """The proven review, None where this exercise gives none. Raises TutorError
    `TOOLCHAIN_MISSING`.
    """
    entry = services.library.by_id(due.exercise.id)
    exercise, vault, files = due.exercise, due.vault, dict(due.vault.originals)
    if entry is not None:
        bundled = await asyncio.to_thread(services.library.load, entry)
        files = bundled.files
        vault = replace(vault, solution=bundled.solution, programs=bundled.programs)
        there = {(unit.id, unit.stub, unit.file) for unit in entry.units}
        units = (unit for unit in exercise.units if (unit.id, unit.stub, unit.file) in there)
        exercise = replace(exercise, units=tuple(units))
    request = ReviewRequest(exercise, vault, files, due.units(), due.number)
    try:
        return await make_review(request, services.toolchain(due.exercise.language), progress)
    except TutorError as error:
        if error.kind != "NO_REVIEW":
            raise
        log.info("%s", error.message)
        return None
