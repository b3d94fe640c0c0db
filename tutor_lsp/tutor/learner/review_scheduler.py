"""The scheduler of spaced review: the FSRS model, loaded with its first use."""

from datetime import UTC, datetime

from tutor_lsp.core.learner.spacing import Rating, read_time, settled, text_of
from tutor_lsp.core.session import MemoryCard


def reviewed(card: MemoryCard | None, rating: Rating, at: str) -> MemoryCard:
    """The card after a review at `at` (ISO 8601), or a first card.

    It is never due before `at`, and a clock that went back counts as no time passed. Blocks for
    the first use: call it off the loop.
    """
    import fsrs

    # Days count, not minutes: an exercise is no flash card. No chance, so that tests can hold it.
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    now = read_time(at) or datetime.now(UTC)
    if card is None:
        known = fsrs.Card(card_id=0)
    else:
        card = settled(card, at)
        last = min(read_time(card.last_review) or now, now)
        known = fsrs.Card(
            card_id=0,
            state=fsrs.State.Review,
            stability=card.stability,
            difficulty=card.difficulty,
            due=read_time(card.due) or now,
            last_review=last,
        )
    after, _ = scheduler.review_card(known, fsrs.Rating(int(rating)), now)
    return MemoryCard(
        stability=float(after.stability or 0.0),
        difficulty=float(after.difficulty or 0.0),
        due=text_of(max(after.due, now)),
        last_review=text_of(now),
        reviews=(card.reviews if card is not None else 0) + 1,
    )
