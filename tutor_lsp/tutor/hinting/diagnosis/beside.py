"""What takes a run to find out about an exercise: begun beside all else, waited for by whoever
needs it, and known from then on."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.services.services import Services

T = TypeVar("T")
_COMING: WeakKeyDictionary[OpenExercise, dict[Hashable, asyncio.Future[Any]]] = WeakKeyDictionary()


async def found_beside(
    services: Services,
    opened: OpenExercise,
    key: Hashable,
    find: Callable[[], Awaitable[T]],
    patience_s: float | None,
) -> T | None:
    """What `find` gives, which is asked once for each key of an open exercise; None if that is not
    known within `patience_s` (None: to the end), or if it raises a TutorError: then it is asked
    again the next time."""
    coming = _COMING.setdefault(opened, {})
    waiting = coming.get(key)
    if waiting is None:
        waiting = coming[key] = asyncio.get_running_loop().create_future()
        services.tasks.spawn(_fill(coming, key, waiting, find), "looking for known mistakes")
    await asyncio.wait({waiting}, timeout=patience_s)
    return cast("T | None", waiting.result()) if waiting.done() else None


async def _fill(
    coming: dict[Hashable, asyncio.Future[Any]],
    key: Hashable,
    waiting: asyncio.Future[Any],
    find: Callable[[], Awaitable[Any]],
) -> None:
    found = None
    try:
        found = await find()
    except TutorError:
        coming.pop(key, None)
    finally:
        waiting.set_result(found)
