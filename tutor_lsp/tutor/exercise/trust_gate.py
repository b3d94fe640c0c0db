"""The one gate before code that came from elsewhere (`trust.py` opens it)."""

import asyncio

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.loss import OF_THE_RECORD
from tutor_lsp.core.session import Session
from tutor_lsp.core.text.translation import marked
from tutor_lsp.library.loader import shipped_proof
from tutor_lsp.tutor.services.services import Services

KIND = "UNTRUSTED"
TRUSTED_SESSION, TRUSTED_LIBRARY = "exercise-trusted", "library-trusted"
"""Kinds of the events that record consent."""
MACHINE_EVENTS = OF_THE_RECORD | {TRUSTED_SESSION, TRUSTED_LIBRARY, "consent"}
"""Kinds of events that count only on the machine where they happened; an imported record cannot
bring them."""
WAITING = marked(
    "This exercise came from elsewhere, so none of it runs until you trust it: tutor.check shows "
    "what would run and asks you."
)


async def is_allowed(services: Services, digest: str) -> bool:
    """Whether what an exercise of a library with that hash runs needs no consent any more."""
    if await asyncio.to_thread(shipped_proof, digest) is not None:
        return True  # word for word what ships with the tutor
    known = await services.db(lambda tx: tx.events(kind=TRUSTED_LIBRARY))
    return any(event["data"].get("hash") == digest for event in known)


def require_trust(session: Session) -> None:
    """The gate: passed by whatever runs code of a session's folder or vault.

    Raises TutorError `UNTRUSTED`.
    """
    if not session.trusted:
        raise TutorError(KIND, WAITING, details={"workspace": session.workspace})
