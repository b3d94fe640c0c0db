"""What a learner can do while a model makes an exercise: a review that is due."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.spacing import is_due
from tutor_lsp.core.session import NodeRecord
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.interface.arguments import StartArguments
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.starting.refresher import due_review

Begin = Callable[[StartArguments], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """A topic whose short review is due. `start` is `tutor.start`."""

    services: Services
    language: str
    node: str
    title: str
    start: Begin

    @property
    def button(self) -> str:
        """The answer to a plan that also begins the review."""
        return marked(f"Make it, review “{self.title}” now")

    @property
    def offer(self) -> str:
        """The offer, where there are no buttons."""
        return t(
            f"Due for review in the meantime: “{self.title}” "
            f'(tutor.start with {{"node": "{self.node}"}}).'
        )

    def begin(self) -> None:
        """Begin the review; nothing waits for it."""
        self.services.tasks.spawn(self._begun(), "begin a review meanwhile")

    async def _begun(self) -> None:
        try:
            await self.start(StartArguments(language=self.language, node=self.node))
        except TutorError as error:
            self.services.frontend.message(error.message, warning=True)


async def due_meanwhile(
    services: Services, language: str, besides: str | None, start: Begin
) -> Meanwhile | None:
    """The topic of a language that was due first and has a short review, but for one; None where
    there is none."""
    now = services.now()

    def read(tx: Transaction) -> list[NodeRecord]:
        due = [record for record in tx.all_nodes(language) if is_due(record.card, now)]
        return sorted(due, key=lambda record: record.card.due if record.card else "")

    for record in await services.db(read):
        node = services.curriculum.node(record.node)
        if node is None or node.id == besides:
            continue
        asked = StartArguments(language=language, node=node.id)
        if await due_review(services, asked, language, node.id) is not None:
            return Meanwhile(services, language, node.id, node.title, start)
    return None
