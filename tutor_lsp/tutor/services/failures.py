"""What went wrong outside the learner's code, as an error that says what to do."""

import asyncio
import errno
import logging
from collections.abc import Callable
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.core.text.writing import FULL, remedy
from tutor_lsp.process.scratch import NoTemporaryFolder

log = logging.getLogger("tutor_lsp")
_ADVICE = {
    errno.EACCES: marked("Make it readable and writable for you, then try again."),
    errno.EPERM: marked("Make it readable and writable for you, then try again."),
    errno.EROFS: marked("Make it writable, then try again."),
    errno.EAGAIN: marked("Close some programs, then try again."),
    errno.ENOMEM: marked("Close some programs, then try again."),
    errno.EMFILE: marked("Close some programs, then try again."),
    errno.ENFILE: marked("Close some programs, then try again."),
}


def _advice(error: OSError) -> str:
    if isinstance(error, NoTemporaryFolder):
        return t("Free some space there, or name another folder in TMPDIR, then try again.")
    otherwise = t("Try again; tutor.doctor shows what does not work.")
    return remedy(error, _ADVICE.get(error.errno or 0, otherwise))


def as_tutor_error(error: BaseException, what: str) -> TutorError:
    """The error to answer with: that of the machine in words (`SYSTEM`), logged where its cause is
    not among the usual ones; a defect of the tutor
    is logged and reported (`INTERNAL`), never swallowed. Of several, the first counts.
    """
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TutorError):
        return error
    if isinstance(error, OSError) and error.errno is not None:
        why = error.strerror or error.__class__.__name__
        where = f" ({error.filename})" if error.filename else ""
        sentence = t(f"{what} failed: {why}{where}. {_advice(error)}")
        if error.errno not in _ADVICE and error.errno not in FULL:
            log.error("%s", sentence, exc_info=error)
        return TutorError("SYSTEM", sentence, reason=why)
    log.error("%s failed", what, exc_info=error)
    return TutorError("INTERNAL", f"{what} failed inside the tutor: {error!r}. Save to try again.")


def tell(unheard: Callable[[TutorError], None], future: "asyncio.Future[Any]") -> None:
    """Pass on an exception that nobody awaits, unless it is a cancel."""
    error = None if future.cancelled() else future.exception()
    if isinstance(error, TutorError) and error.kind != "CANCELLED":
        unheard(error)


def forget(future: "asyncio.Future[Any]") -> None:
    """Retrieve an exception that nobody awaits."""
    if not future.cancelled():
        future.exception()
