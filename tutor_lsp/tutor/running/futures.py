"""Futures that nobody may await."""

import asyncio
from collections.abc import Callable
from typing import Any

from tutor_lsp.core.errors import TutorError


def tell(unheard: Callable[[TutorError], None], future: "asyncio.Future[Any]") -> None:
    """Pass on an exception that nobody awaits, unless it is a cancel."""
    error = None if future.cancelled() else future.exception()
    if isinstance(error, TutorError) and error.kind != "CANCELLED":
        unheard(error)


def forget(future: "asyncio.Future[Any]") -> None:
    """Retrieve an exception that nobody awaits."""
    if not future.cancelled():
        future.exception()
