"""Calls to what packages of others add, which may raise anything or never end."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from weakref import WeakSet

from tutor_lsp.core.errors import TutorError
from tutor_lsp.languages.entry_points import Point, entry_points

T = TypeVar("T")
log = logging.getLogger("tutor_lsp")
END_S = 1.0
"""How long a call that was given up may take to end, in seconds."""
_given_up: dict[asyncio.Task[Any], float] = {}
"""Calls that were given up and still go on, each with the time of its loop when it should end."""
_late: WeakSet[asyncio.AbstractEventLoop] = WeakSet()
"""Loops of calls that did not answer in time: one may have left a thread that never ends."""


async def contained_call(
    group: str, kind: object, limit_s: float | None, work: Callable[[], Awaitable[T]]
) -> T:
    """What `work` returns, which calls a `kind` that was found by the entry points of `group`.

    Raises TutorError: its own, or `BROKEN_PACKAGE` if it raises anything else or takes longer than
    `limit_s`. It is then cancelled and not waited for, as it may ignore that; see `left_behind`.
    """

    async def called() -> T:
        try:
            return await work()
        except (Exception, asyncio.CancelledError, GeneratorExit):
            raise
        except BaseException as error:
            # Such as SystemExit, which a task passes on to its loop, and that ends the process.
            raise _failed(group, kind, error) from error

    task = asyncio.ensure_future(called())
    try:
        await asyncio.wait([task], timeout=limit_s)
    finally:
        if not task.done():
            _give_up(task)
    if not task.done():
        _late.add(task.get_loop())
        raise broken(group, kind, f"no answer within {limit_s:g} s")
    try:
        return task.result()
    except TutorError:
        raise
    # It was not we who cancelled it: it would cancel whoever asked.
    except (Exception, asyncio.CancelledError) as error:
        raise _failed(group, kind, error) from error


async def left_behind() -> bool:
    """Whether a call of this loop may never end, though it was given up: neither may the loop then,
    nor the process in order."""
    loop = asyncio.get_running_loop()
    going_on = [task for task in _given_up if task.get_loop() is loop]
    if going_on:
        until = max(_given_up[task] for task in going_on)
        await asyncio.wait(going_on, timeout=max(0.0, until - loop.time()))
    return loop in _late or not all(task.done() for task in going_on)


def _give_up(task: asyncio.Task[Any]) -> None:
    def ended(task: asyncio.Task[Any]) -> None:
        del _given_up[task]
        if not task.cancelled():
            task.exception()  # which is nobody's any more

    _given_up[task] = task.get_loop().time() + END_S
    task.add_done_callback(ended)
    task.cancel()


def _failed(group: str, kind: object, error: BaseException) -> TutorError:
    log.error("a call to another package failed", exc_info=error)
    return broken(group, kind, f"{type(error).__name__}: {error}")


def broken(group: str, kind: object, reason: str) -> TutorError:
    """The error for a package that does not do what it must."""
    return TutorError(
        "BROKEN_PACKAGE",
        f"The package {_package(group, kind)} cannot be used ({reason}): repair or remove it.",
    )


def _package(group: str, kind: object) -> str:
    """The name of the package that adds `kind`; that of its module if no entry point names it."""
    for point in entry_points(group=group):
        if point.dist is not None and _loaded(point) in (kind, type(kind)):
            return point.dist.name
    module = getattr(kind, "__module__", None) or getattr(kind, "__name__", kind)
    return str(module).partition(".")[0]


def _loaded(point: Point) -> object:
    try:
        return point.load()
    except (Exception, SystemExit):  # noqa: BLE001 - whatever such a package raises
        return None
