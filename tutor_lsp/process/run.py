"""Running a child to its end: output all at once, or line by line as it comes."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from tutor_lsp.process.child import REAP_S, Child
from tutor_lsp.process.spec import Spec

LINE_BYTES = 64 * 1024 * 1024
"""The longest line that `stream` passes on, in bytes; longer ones are dropped and counted."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a child ended. `returncode` is negative if a signal killed it.

    `truncated` means that output was dropped, `timed_out` that the time limit ended it, `waited`
    that it was waiting then, as far as that can be seen.
    """

    returncode: int
    stdout: bytes
    stderr: bytes
    timed_out: bool
    truncated: bool
    duration_ms: float
    waited: bool = False


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


class LineFeed:
    """Cuts a stream into lines without line ends; lines over `limit` bytes are dropped.

    With `most` it raises TooMuchOutput at the first byte beyond that."""

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
        """End the last line, unless it is empty."""
        if self._parts:
            self._on_line(b"".join(self._parts).removesuffix(b"\r"))
        self._parts.clear()
        self._size = 0
        self._skipping = False


def processors() -> int:
    """How many children can work in parallel: the number of processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


async def run(spec: Spec, *, keep: Capped | None = None) -> Outcome:
    """Run to the end or the time limit. Raises ProgramNotFound.

    `keep` collects stdout if the caller wants to know what was dropped. Cancelling leaves no
    process behind. A grandchild that holds the output open does not delay the result. Never blocks
    the loop.
    """
    out = keep or Capped(spec.output_bytes, spec.tail_bytes)
    ended = await _to_end(spec, out.feed)
    # One that prints more than is read waits for that.
    waited = ended.waited and not out.dropped
    truncated = ended.truncated or bool(out.dropped)
    return replace(ended, stdout=out.value(), truncated=truncated, waited=waited)


class TooMuchOutput(Exception):  # noqa: N818 - says what is the case, not a defect
    """A child wrote more than `limit` bytes and was killed."""

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
    """Like `run`, but passes on each line of stdout as it comes; `stdout` stays empty.

    `output_bytes` bounds stderr only. If `on_line` raises, the child is ended and the exception is
    raised, as is TooMuchOutput once there are more than `all_bytes` in total.
    """
    lines = LineFeed(on_line, line_bytes, all_bytes)
    ended = await _to_end(spec, lines.feed, paced=False)
    lines.finish()
    return replace(ended, truncated=ended.truncated or bool(lines.dropped))


async def _to_end(spec: Spec, out: Callable[[bytes], None], *, paced: bool = True) -> Outcome:
    """How it ended, without its stdout."""
    err = Capped(spec.output_bytes, spec.tail_bytes)
    started = time.monotonic()
    async with Child(spec, out, err.feed, paced=paced) as child:
        code, timed_out = await ended_within(child, spec.limit_s)
    duration = (time.monotonic() - started) * 1000
    waited = timed_out and child.waited
    return Outcome(code, b"", err.value(), timed_out, bool(err.dropped), duration, waited)


async def ended_within(child: Child, limit_s: float) -> tuple[int, bool]:
    """The exit code of a child, and whether it was stopped since the time was over."""
    try:
        return await asyncio.wait_for(child.wait(), limit_s), False
    except TimeoutError:
        child.waited = await child.waits()
        await child.stop()
        return await _reaped(child), True


async def _reaped(child: Child) -> int:
    """The exit code of a stopped child; a guard that its run has stopped reports none."""
    try:
        return await asyncio.wait_for(child.wait(), REAP_S)
    except TimeoutError:
        return -signal.SIGKILL
