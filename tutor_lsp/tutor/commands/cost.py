"""What calls to a model cost a session, and the last prompt that left the machine."""

import asyncio
from typing import Any

from tutor_lsp.core.session import Session
from tutor_lsp.stages.economy import Row, economy, session_rows
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.interface.arguments import NoArguments
from tutor_lsp.tutor.learner.record.spending import LastPrompt, all_rows
from tutor_lsp.tutor.services.services import Services


async def cost(exercises: OpenExercises, arguments: NoArguments) -> dict[str, Any]:
    """The cost of the selected session; of everything in this home if there is none.

    `session` and `title` are null then. `limits` are those of one session.
    """
    services = exercises.services
    session = await _session(exercises, arguments)

    def work(tx: Transaction) -> list[Row]:
        rows = all_rows(tx)
        return rows if session is None else session_rows(session, tx.sessions(), rows)

    return {
        "session": session.id if session is not None else None,
        "title": session.title if session is not None else None,
        **economy(await services.db(work)),
        "limits": {
            "calls": services.settings.session_calls,
            "bytes": services.settings.session_bytes,
        },
    }


async def last_prompt(services: Services) -> dict[str, Any]:
    """The last prompt that left this machine. Raises TutorError `NO_PROMPT`."""
    return await asyncio.to_thread(LastPrompt(services.home, services.now).read)


async def _session(exercises: OpenExercises, arguments: NoArguments) -> Session | None:
    if arguments.session is not None:
        return await exercises.find_session(arguments.session)
    if arguments.uri is None and exercises.services.frontend.current_document() is None:
        return await exercises.active_session()
    return (await exercises.locate(arguments)).session
