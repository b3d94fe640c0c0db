"""Running a child to its end: everything at once, or line by line as it speaks."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from tutor_lsp.process.child import REAP_S, Child, Limits, ProgramNotFound, Spec

__all__ = [
    "LINE_BYTES",
    "Capped",
    "Limits",
    "Lines",
    "Outcome",
    "ProgramNotFound",
    "Spec",
    "TooMuchOutput",
    "processors",
    "run",
    "stream",
]

LINE_BYTES = 64 * 1024 * 1024
"""The longest line that `stream` hands on; a longer one is dropped and counted."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a child ended. `returncode` is negative where a signal killed it.

    `truncated` holds when output was dropped. `timed_out` when the limit ended it.
    """

    returncode: int
    stdout: bytes
    stderr: bytes
    timed_out: bool
    truncated: bool
    duration_ms: float


class Capped:
    """Keeps the first `limit - tail` bytes of a stream and its last `tail`; drops the middle."""

    def __init__(self, limit: int, tail: int = 0) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._head_limit = max(limit - tail, 0)
        self._tail_limit = tail
        self._total = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the stream."""
        self._total += len(data)
        room = self._head_limit - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data and self._tail_limit:
            self._tail += data
            if len(self._tail) > 2 * self._tail_limit:
                del self._tail[: -self._tail_limit]

    @property
    def dropped(self) -> int:
        """How many bytes were not kept."""
        kept = len(self._head) + min(len(self._tail), self._tail_limit)
        return self._total - kept

    def parts(self) -> tuple[bytes, bytes]:
        """What was kept from the start, and from the end."""
        tail = bytes(self._tail[-self._tail_limit :]) if self._tail_limit else b""
        return bytes(self._head), tail

    def value(self) -> bytes:
        """Both parts together."""
        return b"".join(self.parts())


class Lines:
    """Cuts a stream into lines without their end; lines over `limit` bytes are dropped.

    With `most` it raises TooMuchOutput at the first byte beyond."""

    def __init__(
        self, on_line: Callable[[bytes], None], limit: int = LINE_BYTES, most: int | None = None
    ) -> None:
        self._on_line = on_line
        self._limit = limit
        self._most = most
        self._seen = 0
        self._parts: list[bytes] = []
        self._size = 0
        self._skipping = False
        self.dropped = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes; calls back once per complete line."""
        self._seen += len(data)
        if self._most is not None and self._seen > self._most:
            raise TooMuchOutput(self._most)
        first, *rest = data.split(b"\n")
        self._add(first)
        for piece in rest:
            self.finish()
            self._add(piece)

    def _add(self, piece: bytes) -> None:
        if self._skipping or not piece:
            return
        self._parts.append(piece)
        self._size += len(piece)
        if self._size > self._limit:
            self._parts.clear()
            self._skipping = True
            self.dropped += 1

    def finish(self) -> None:
        """End the line that is open, if it holds anything."""
        if self._parts:
            self._on_line(b"".join(self._parts).removesuffix(b"\r"))
        self._parts.clear()
        self._size = 0
        self._skipping = False


def processors() -> int:
    """How many children can work at the same time: the processors that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


async def run(spec: Spec, *, keep: Capped | None = None) -> Outcome:
    """Run to the end, or to the limit. Raises ProgramNotFound.

    `keep` collects stdout where the caller wants to know what was dropped. Cancelling leaves no
    process. A grandchild that holds the output open does not delay the result. Never blocks the
    loop.
    """
    out = keep or Capped(spec.output_bytes, spec.tail_bytes)
    err = Capped(spec.output_bytes, spec.tail_bytes)
    code, timed_out, duration = await _to_end(spec, out.feed, err.feed)
    return Outcome(
        returncode=code,
        stdout=out.value(),
        stderr=err.value(),
        timed_out=timed_out,
        truncated=bool(out.dropped or err.dropped),
        duration_ms=duration,
    )


class TooMuchOutput(Exception):  # noqa: N818 - says what is the case, not a defect
    """A child wrote more than `limit` bytes, and was ended."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"more than {limit} bytes")
        self.limit = limit


async def stream(
    spec: Spec,
    on_line: Callable[[bytes], None],
    *,
    line_bytes: int = LINE_BYTES,
    all_bytes: int | None = None,
) -> Outcome:
    """Like `run`, but each line of stdout is handed on as it comes; `stdout` stays empty.

    `output_bytes` bounds stderr only. What `on_line` raises ends the child and is raised, as is
    TooMuchOutput once there are more than `all_bytes` in all.
    """
    err = Capped(spec.output_bytes, spec.tail_bytes)
    lines = Lines(on_line, line_bytes, all_bytes)
    code, timed_out, duration = await _to_end(spec, lines.feed, err.feed, paced=False)
    lines.finish()
    return Outcome(
        returncode=code,
        stdout=b"",
        stderr=err.value(),
        timed_out=timed_out,
        truncated=bool(lines.dropped or err.dropped),
        duration_ms=duration,
    )


async def _to_end(
    spec: Spec,
    out: Callable[[bytes], None],
    err: Callable[[bytes], None],
    *,
    paced: bool = True,
) -> tuple[int, bool, float]:
    started = time.monotonic()
    async with Child(spec, out, err, paced=paced) as child:
        timed_out = False
        try:
            code = await asyncio.wait_for(child.wait(), spec.limit_s)
        except TimeoutError:
            timed_out = True
            await child.stop()
            code = await _reaped(child)
    return code, timed_out, (time.monotonic() - started) * 1000


async def _reaped(child: Child) -> int:
    """The code of a child that was stopped; a guard that its run has halted gives none."""
    try:
        return await asyncio.wait_for(child.wait(), REAP_S)
    except TimeoutError:
        return -signal.SIGKILL
