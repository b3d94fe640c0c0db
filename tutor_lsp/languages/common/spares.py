"""What waits for the next run of each exercise that is open: at most one for each."""

import contextlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
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


Sign = tuple[int, int] | None
"""Which file or folder is at a place, by device and inode; None for none."""


def signs(places: Iterable[str]) -> Mapping[str, Sign]:
    """Which files and folders are at the places that a view was made from: a new one under an old
    name, a renamed one for instance, would be neither hidden nor shown."""
    return {place: _sign(place) for place in places}


def _sign(place: str) -> Sign:
    with contextlib.suppress(OSError):
        status = Path(place).lstat()
        return status.st_dev, status.st_ino
    return None


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
