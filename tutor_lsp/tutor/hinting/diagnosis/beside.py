"""What takes a run to find out about an exercise: begun beside all else, waited for by whoever
needs it, and known from then on."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

from tutor_lsp.core.errors import TutorError
from tutor_lsp.process.priority import Behind, behind
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.services.services import Services

T = TypeVar("T")


class Question(NamedTuple):
    """What is asked about a unit, and about which text of it ("" for whatever it is)."""

    what: str
    unit: str
    text: str = ""


async def found_beside(
    services: Services,
    opened: OpenExercise,
    question: Question,
    find: Callable[[], Awaitable[T | None]],
    patience_s: float | None,
) -> T | None:
    """What `find` gives, which is called once for a question about an open exercise; None if that
    is not known within `patience_s` (None: to the end). Where it gives None or raises TutorError it
    is called again the next time, and the same question about an earlier text is given up. What was
    begun behind all else no longer gives way once somebody waits who does not."""
    known: dict[tuple[str, str], tuple[str, asyncio.Task[T | None], Behind | None]]
    known = opened.beside.setdefault("questions", {})
    about = (question.what, question.unit)
    text, work, begun = known.get(about, ("", None, None))
    if work is None or text != question.text or _in_vain(work):
        if work is not None:
            work.cancel()
        work = asyncio.create_task(_if_possible(find))
        begun = behind()
        known[about] = (question.text, work, begun)
        services.tasks.spawn(_awaited(work), "looking for known mistakes")
    if begun is not None and not work.done() and patience_s != 0 and behind() is None:
        begun.gives_way = False
    await asyncio.wait({work}, timeout=patience_s)
    return work.result() if work.done() and not _in_vain(work) else None


def _in_vain(work: asyncio.Task[Any]) -> bool:
    """Whether a search has ended and found nothing."""
    if not work.done():
        return False
    return work.cancelled() or work.exception() is not None or work.result() is None


async def _awaited(work: asyncio.Task[Any]) -> None:
    await work


async def _if_possible(find: Callable[[], Awaitable[T | None]]) -> T | None:
    try:
        return await find()
    except TutorError:
        return None
