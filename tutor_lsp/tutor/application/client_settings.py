"""The settings that a client gives: with `initialize`, when asked, and whenever they change."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Any

SETTINGS_S = 5.0
"""How long the first command waits for the client's settings, in seconds."""


class ClientSettings:
    """What a client has given so far. `changed` is called whenever it gives settings.

    Use from the loop's thread only.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._options: dict[str, Any] = {}
        self._section: dict[str, Any] = {}
        self._settled = asyncio.Event()
        self._settled.set()

    @property
    def given(self) -> Mapping[str, Any]:
        """All that was given; a change gives another object."""
        return {**self._options, **self._section}

    def options(self, given: Mapping[str, Any]) -> None:
        """Take note of initializationOptions; the client's settings win over them."""
        self._options = dict(given)

    def expect(self) -> None:
        """The client is being asked; `take` or `no_answer` ends the wait."""
        self._settled.clear()

    def take(self, given: Mapping[str, Any]) -> None:
        """Take over the client's settings; those it no longer names are gone."""
        self._section = dict(given)
        self._settled.set()
        self._changed()

    def no_answer(self) -> None:
        """The client did not answer."""
        self._settled.set()

    async def settled(self) -> None:
        """Wait for settings that the client is being asked for, at most `SETTINGS_S`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SETTINGS_S):
                await self._settled.wait()
