"""Programs that are loaded once and fork for whatever is asked of them: one answer at a time."""

import asyncio
import contextlib
import os
import socket
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tutor_lsp.process.box import Area
from tutor_lsp.process.child import REAP_S, Child
from tutor_lsp.process.pipes import PipeReader
from tutor_lsp.process.places import Places
from tutor_lsp.process.run import Capped
from tutor_lsp.process.spec import Spec
from tutor_lsp.process.supervised import Guard
from tutor_lsp.process.waiting import pipe_of, waits

_ANSWER_BYTES = 64
_ALIVE = b"."
SILENT_S = 1.0
"""A program that has given no sign of life for so long was stopped; it gives ten in that time."""

StartOf = Callable[[Path, int, Area, Guard | None], Spec]
"""How to start a program in an area, with the descriptor of the socket over which it is asked."""


@dataclass(frozen=True, slots=True)
class Fork:
    """How a fork ended: `returncode` is negative if a signal killed it, as that of whatever was
    stopped when its time was over."""

    returncode: int
    timed_out: bool
    duration_ms: float
    waited: bool = False


class Forking:
    """A running program. Over a SEQPACKET socket it takes a name with two descriptors, for what
    the fork prints and for what else it says, and answers with the fork's status and a 1, or a 0
    where the fork has left anything; then it ends. A "." is a sign of life: one when it is ready,
    and more as long as an answer is due."""

    def __init__(self, program: Path, area: Area, spec: Callable[[int], Spec]) -> None:
        """Starts at once. Raises as `Child` does."""
        self.program = program
        self.area = area
        self.clean = True
        self._ready = False
        self._loop = asyncio.get_running_loop()
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._link.setblocking(False)  # noqa: FBT003 - the function's signature
        try:
            with theirs:
                made = spec(theirs.fileno())
                self._flood_at = made.output_bytes
                self._child = Child(made, Capped(made.output_bytes).feed)
        except BaseException:
            self._link.close()
            raise

    async def ask(self, name: str, channel: int, keep: Capped, limit_s: float) -> Fork | None:
        """Have a fork do what is named; `keep` collects what it prints. None if the program has
        not answered: it has ended, or was stopped and is ended now. Unless all is `clean`
        afterwards it takes nothing more."""
        self.clean = False
        began = time.monotonic()
        read, write = os.pipe()
        pipe, waited = pipe_of(read), False
        reader = PipeReader(self._loop, read, keep.feed, self._flood_at, lambda: None)
        try:
            try:
                socket.send_fds(self._link, [name.encode()], [write, channel])
            except OSError:
                return None
            finally:
                os.close(write)
            status, timed_out = await self._answer(limit_s), False
            reader.drain()
        except TimeoutError:
            status, timed_out = b"9 0", True
            waited = await asyncio.to_thread(waits, pipe) and not keep.dropped
            await self._child.stop()
        finally:
            reader.close()
        if not status:
            return None
        number, _, clean = status.partition(b" ")
        self.clean = clean == b"1"
        code = os.waitstatus_to_exitcode(int(number))
        return Fork(code, timed_out, (time.monotonic() - began) * 1000, waited)

    async def _answer(self, limit_s: float) -> bytes:
        """Empty if there will be none. Raises TimeoutError."""
        end = time.monotonic() + limit_s
        while True:
            left = end - time.monotonic()
            wait_s = min(left, SILENT_S) if self._ready else left
            said = await self._said(wait_s)
            if said is None and wait_s == left:
                raise TimeoutError
            if said is None:
                await self._child.stop()
                return b""
            if said != _ALIVE:
                return said
            self._ready = True

    async def _said(self, wait_s: float) -> bytes | None:
        """The next message, empty if there will be none; None if there is none in that time, even
        if this process had no time to look."""
        readable = asyncio.Event()
        self._loop.add_reader(self._link, readable.set)
        try:
            async with asyncio.timeout(wait_s):
                await readable.wait()
        except TimeoutError:
            pass
        finally:
            self._loop.remove_reader(self._link)
        try:
            return self._link.recv(_ANSWER_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    async def end(self) -> None:
        """Let it end, so that what outlives it is there."""
        self._link.close()
        with contextlib.suppress(OSError):
            await asyncio.wait_for(self._child.wait(), REAP_S)

    def leave(self) -> None:
        """Have it ended with all that it has started, without waiting for that."""
        self._link.close()
        self._child.leave()


class ForkingPrograms:
    """Programs that fork, each in a place of its own. Use as `async with`, which ends them."""

    def __init__(self, places: Places, start: StartOf) -> None:
        self._places = places
        self._start = start
        self._free: list[tuple[Forking, contextlib.ExitStack]] = []

    @contextlib.asynccontextmanager
    async def one(self, program: Path) -> AsyncIterator[Forking]:
        """The program, asked by nobody else within the block. Raises as `Child` does."""
        forking, place = await self._taken(program) or self._started(program)
        try:
            yield forking
        finally:
            if forking.clean:
                self._free.append((forking, place))
            else:
                _left(forking, place)

    async def _taken(self, program: Path) -> tuple[Forking, contextlib.ExitStack] | None:
        """One that waits; ends another if none does, so that its place is free."""
        for each in self._free:
            if each[0].program == program:
                self._free.remove(each)
                return each
        if self._free:
            forking, place = self._free.pop(0)
            await forking.end()
            _left(forking, place)
        return None

    def _started(self, program: Path) -> tuple[Forking, contextlib.ExitStack]:
        with contextlib.ExitStack() as place:
            area, guard = place.enter_context(self._places.one())
            forking = Forking(program, area, lambda fd: self._start(program, fd, area, guard))
            return forking, place.pop_all()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        ending, self._free = self._free, []
        try:
            await asyncio.gather(*(forking.end() for forking, _ in ending))
        finally:
            for each in ending:
                _left(*each)


def _left(forking: Forking, place: contextlib.ExitStack) -> None:
    try:
        forking.leave()
    finally:
        place.close()
