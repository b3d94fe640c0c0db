"""One started child: its own session and process group, streams read without blocking the loop."""

import asyncio
import contextlib
import os
import shutil
import signal
from types import TracebackType
from typing import Self

from tutor_lsp.process.direct import Direct
from tutor_lsp.process.pipes import Feed, Reader, Writer
from tutor_lsp.process.spec import Limits, ProgramNotFound, Spec, Streams
from tutor_lsp.process.supervised import Supervised

__all__ = ["REAP_S", "Child", "Limits", "ProgramNotFound", "Spec"]

REAP_S = 2.0


class Child:
    """A running child. Use as `async with Child(spec, …) as child`: leaving the block, however it
    is left, kills the process group and releases every pipe.

    If this process dies, by whatever signal, the group is killed too; a child under the supervisor
    goes with all that it ever started.
    """

    def __init__(
        self, spec: Spec, stdout: Feed, stderr: Feed | None = None, *, paced: bool = True
    ) -> None:
        """Starts at once. Raises ProgramNotFound; needs a running loop.

        Unless `paced` is off, a stream that goes past `output_bytes` is read in bursts with
        pauses, so that a flood does not keep the loop busy.
        """
        program = shutil.which(spec.argv[0], path=spec.env.get("PATH"))
        if program is None:
            raise ProgramNotFound(spec.argv[0])
        self._loop = asyncio.get_running_loop()
        self._exited: asyncio.Future[int] = self._loop.create_future()
        self._readers: list[Reader] = []
        self._writer: Writer | None = None
        self._process: Direct | Supervised
        self._flood_at = spec.output_bytes if paced else None
        self._grace_s = spec.grace_s
        self._start(spec, program, stdout, stderr)

    def _start(self, spec: Spec, program: str, stdout: Feed, stderr: Feed | None) -> None:
        with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:

            def pipe(*, read_here: bool = True) -> tuple[int, int]:
                ends = os.pipe()
                here, there = ends if read_here else ends[::-1]
                ours.callback(os.close, here)
                theirs.callback(os.close, there)
                return here, there

            out_read, out_write = pipe()
            err_read, err_write = (None, out_write) if spec.merge else pipe()
            in_write, in_read = (None, None) if spec.stdin is None else pipe(read_here=False)
            streams = Streams(in_read, out_write, err_write)
            if spec.under is None:
                self._process = Direct(spec, program, streams)
            else:
                self._process = Supervised(spec, spec.under, program, streams)
            ours.pop_all()
        self.read_from(out_read, stdout, flood_at=self._flood_at)
        if err_read is not None:
            self.read_from(err_read, stderr or stdout, flood_at=self._flood_at)
        if in_write is not None and spec.stdin is not None:
            self._writer = Writer(self._loop, in_write, spec.stdin)
        self._process.watch(self._loop, self._on_exit)

    def read_from(self, fd: int, feed: Feed, *, flood_at: int | None = None) -> None:
        """Read another pipe of this child; takes ownership of `fd`."""
        self._readers.append(Reader(self._loop, fd, feed, flood_at, self.kill))

    def _on_exit(self, code: int) -> None:
        # What the program wrote is in the pipes by now; a grandchild that holds them open is not
        # waited for.
        for reader in self._readers:
            reader.drain()
            reader.close()
        if not self._exited.done():
            self._exited.set_result(code)

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Signal the whole group; nothing happens once the child has ended."""
        if not self._exited.done():
            self._process.signal(number)

    async def wait(self) -> int:
        """The return code (negative: killed by that signal), once the child has ended and all its
        output was fed. Raises what a feed raised, and OSError where the supervisor could not
        start it."""
        code = await asyncio.shield(self._exited)
        if isinstance(self._process, Supervised) and self._process.failure is not None:
            raise self._process.failure
        for reader in self._readers:
            if reader.failure is not None:
                raise reader.failure
        return code

    async def stop(self) -> None:
        """End the group: TERM, then KILL after the spec's `grace_s` (at once if 0)."""
        try:
            if self._grace_s > 0 and not self._exited.done():
                self.kill(signal.SIGTERM)
                await asyncio.wait([self._exited], timeout=self._grace_s)
        finally:
            self.kill()
        await asyncio.wait([self._exited], timeout=REAP_S)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if not self._exited.done():
                await self.stop()
        finally:
            for reader in self._readers:
                reader.close()
            if self._writer is not None:
                self._writer.close()
            self._process.close()
