"""Which backend coaches and reviews."""

from tutor_lsp.core.session import Session
from tutor_lsp.stages.backends.select import LIBRARY, BackendChoice, choose_tutor
from tutor_lsp.tutor.exercise.register import tutor_name
from tutor_lsp.tutor.services.services import Services


async def tutor_choice(services: Services, wanted: str) -> BackendChoice:
    """The backend of that name if it can be used, else the library; and why."""
    asked = [] if wanted == LIBRARY else [wanted]
    return choose_tutor(wanted, (await services.backends.states(asked)).get(wanted))


async def answers_questions(services: Services, session: Session | None) -> bool:
    """Whether a model would be asked if the learner asks a question in this session."""
    return (await tutor_choice(services, tutor_name(services, session))).name != LIBRARY
