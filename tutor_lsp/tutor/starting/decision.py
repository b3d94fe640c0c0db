"""What a start was decided to be: an exercise to make, or a session to go on with."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor_lsp.core.learner.curriculum import Node
from tutor_lsp.core.ports import Backend
from tutor_lsp.tutor.starting.refresher import DueReview

if TYPE_CHECKING:
    from tutor_lsp.library.loader import Entry


@dataclass(frozen=True, slots=True)
class Plan:
    """A start that was decided. Exactly one of `node` and `topic` is given. With `review` a short
    review is made instead, where that exercise gives one.
    """

    language: str
    depth: str
    backend: Backend
    node: Node | None = None
    topic: str | None = None
    entry: "Entry | None" = None
    fresh: bool = False
    challenge: bool = False
    review: DueReview | None = None
    selection: str | None = None

    @property
    def title(self) -> str:
        """What it is called while it is being made."""
        if self.review is not None:
            return f"Review: {self.review.exercise.title}"
        if self.entry is not None:
            return self.entry.title
        return self.node.title if self.node is not None else str(self.topic)


class Continue(Exception):  # noqa: N818 - the learner's choice, not an error
    """The learner wants to go on with a session instead."""

    def __init__(self, session: str, why: str) -> None:
        super().__init__(session)
        self.session = session
        self.why = why
