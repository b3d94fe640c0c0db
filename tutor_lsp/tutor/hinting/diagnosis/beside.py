"""What takes a run to find out about an exercise: begun beside all else, waited for by whoever
needs it, and known from then on."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, NamedTuple, TypeVar, cast

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.services.services import Services

T = TypeVar("T")


class Question(NamedTuple):
    """What is asked about a unit, and about which text of it ("" for whatever it is)."""

    what: str
    unit: str
    text: str = ""


class _Beside:
    """What was asked about one exercise, and the work on what is still to be found."""

    def __init__(self) -> None:
        self.answers: dict[Question, asyncio.Future[Any]] = {}
        self.latest: dict[Hashable, asyncio.Task[Any]] = {}

    async def fill(self, question: Question, find: Callable[[], Awaitable[Any]]) -> None:
        """Find the answer; an earlier text of the unit is no longer of interest."""
        answer, found = self.answers[question], None
        about, here = question[:2], asyncio.current_task()
        if (before := self.latest.pop(about, None)) is not None:
            before.cancel()
        if here is not None:
            self.latest[about] = here
        try:
            found = await find()
        finally:
            if self.latest.get(about) is here:
                del self.latest[about]
            if found is None:
                self.answers.pop(question, None)
            answer.set_result(found)


async def found_beside(
    services: Services,
    opened: OpenExercise,
    question: Question,
    find: Callable[[], Awaitable[T | None]],
    patience_s: float | None,
) -> T | None:
    """What `find` gives, which is called once for each question about an open exercise; None if
    that is not known within `patience_s` (None: to the end). Where it gives None or raises
    TutorError, it is called again the next time."""
    beside: _Beside = opened.beside.setdefault("questions", _Beside())
    answer = beside.answers.get(question)
    if answer is None:
        answer = beside.answers[question] = asyncio.get_running_loop().create_future()
        work = beside.fill(question, lambda: _if_possible(find))
        services.tasks.spawn(work, "looking for known mistakes")
    await asyncio.wait({answer}, timeout=patience_s)
    return cast("T | None", answer.result()) if answer.done() else None


async def _if_possible(find: Callable[[], Awaitable[T | None]]) -> T | None:
    try:
        return await find()
    except TutorError:
        return None
