"""Calls to what packages of others add, which may raise anything or never end."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from tutor_lsp.core.errors import TutorError

T = TypeVar("T")
log = logging.getLogger("tutor_lsp")


async def contained_call(
    group: str, kind: object, limit_s: float | None, work: Callable[[], Awaitable[T]]
) -> T:
    """What `work` returns, which calls a `kind` that was found by the entry points of `group`.

    Raises TutorError: its own, or `BROKEN_PACKAGE` if it raises anything else or takes longer than
    `limit_s`. It is then cancelled and not waited for, as it may ignore that.
    """

    async def called() -> T:
        return await work()

    task = asyncio.ensure_future(called())
    try:
        await asyncio.wait([task], timeout=limit_s)
    finally:
        task.cancel()
    if not task.done():
        raise broken(group, kind, f"no answer within {limit_s:g} s")
    try:
        return task.result()
    except TutorError:
        raise
    except Exception as error:
        log.exception("a call to another package failed")
        raise broken(group, kind, f"{type(error).__name__}: {error}") from error


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
    return str(getattr(kind, "__module__", kind)).partition(".")[0]


def _loaded(point: EntryPoint) -> object:
    try:
        return point.load()
    except Exception:  # noqa: BLE001 - whatever such a package raises
        return None
