"""What waits for the next run of each exercise that is open: at most one for each."""

import contextlib
import os
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Generic, Protocol, TypeVar


class Waits(Protocol):
    """Something that was started for one run to come."""

    @property
    def alive(self) -> bool:
        """Whether it still waits."""

    def serves(self, asked: object) -> bool:
        """Whether it was started for just that, and all is still as it was then."""

    async def aclose(self) -> None:
        """End it and all that it started."""


_HOLD: int = getattr(os, "O_PATH", os.O_RDONLY)  # macOS has none


class Seen:
    """Which files and folders were at places when this was made: a new one under an old name would
    be neither hidden nor shown in a view that was made from them. They are held open, since a
    deleted one's inode would be given to the next. Close it."""

    def __init__(self, places: Iterable[str]) -> None:
        self._held: dict[str, int] = {}
        for place in dict.fromkeys(places):
            self._held[place] = _held(place)

    def still_at(self, places: Iterable[str]) -> bool:
        """Whether those are the places, and all of them are as they were."""
        places = dict.fromkeys(places)
        return places.keys() == self._held.keys() and all(
            _is_at(place, self._held[place]) for place in places
        )

    def close(self) -> None:
        """Let go of all."""
        for fd in self._held.values():
            if fd >= 0:
                os.close(fd)
        self._held.clear()


def _held(place: str) -> int:
    """What is there, neither read nor followed; -1 for nothing."""
    with contextlib.suppress(OSError):
        return os.open(place, _HOLD | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    return -1


def _is_at(place: str, held: int) -> bool:
    try:
        now = os.lstat(place)
    except OSError:
        return held < 0
    return held >= 0 and os.path.samestat(now, os.fstat(held))


W = TypeVar("W", bound=Waits)
A = TypeVar("A")


class Spares(Generic[A, W]):
    """Use from the loop's thread only."""

    def __init__(self) -> None:
        self._waiting: dict[Path, W] = {}
        self._starting: dict[Path, object] = {}

    async def keep(
        self,
        root: Path,
        find: Callable[[], Awaitable[A | None]],
        start: Callable[[A], Awaitable[W | None]],
    ) -> None:
        """Have one wait for the next run of a workspace, unless nobody wants it any more once it
        has been started. `find` says what it is to serve, and `start` starts it; both give None
        where none is possible."""
        if root in self._starting:
            return
        mine = self._starting[root] = object()
        try:
            asked = await find()
            known = self._waiting.get(root)
            if known is not None and known.alive and known.serves(asked):
                return
            await self._end(root)
            spare = None if asked is None else await start(asked)
            if self._starting.get(root) is not mine:
                await _closed(spare)
            elif spare is not None:
                self._waiting[root] = spare
        finally:
            if self._starting.get(root) is mine:
                del self._starting[root]

    def take(self, root: Path, asked: A) -> W | None:
        """The one that waits there for that; from now on it is the caller's."""
        known = self._waiting.get(root)
        if known is None or not known.alive or not known.serves(asked):
            return None
        return self._waiting.pop(root)

    async def let_go(self, root: Path | None = None) -> None:
        """End the one of a workspace, or all."""
        for each in [*self._starting, *self._waiting] if root is None else [root]:
            self._starting.pop(each, None)
            await self._end(each)

    async def _end(self, root: Path) -> None:
        await _closed(self._waiting.pop(root, None))


async def _closed(spare: Waits | None) -> None:
    if spare is not None:
        await spare.aclose()
