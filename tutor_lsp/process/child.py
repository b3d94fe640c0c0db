"""One child process: its own session and process group, streams read without blocking the loop."""

import asyncio
import contextlib
import os
import shutil
import signal
from typing import Self

from tutor_lsp.process.direct import Direct
from tutor_lsp.process.pipes import Feed, PipeReader, Writer
from tutor_lsp.process.spec import ProgramNotFound, Spec, Streams
from tutor_lsp.process.supervised import Supervised, SupervisedSpec
from tutor_lsp.process.waiting import pipe_of, waits

REAP_S = 2.0


class Child:
    """A running child. Use as `async with Child(spec, …) as child`: leaving the block in any way
    kills the process group and releases every pipe.

    If this process dies, by whatever signal, the group is killed too; a child under the supervisor
    takes all its descendants with it.
    """

    def __init__(
        self, spec: Spec, stdout: Feed, stderr: Feed | None = None, *, paced: bool = True
    ) -> None:
        """Starts at once. Raises ProgramNotFound; needs a running loop.

        Unless `paced` is off, a stream that exceeds `output_bytes` is read in bursts with pauses,
        so a flood does not keep the loop busy.
        """
        program = shutil.which(spec.argv[0], path=spec.env.get("PATH"))
        if program is None:
            raise ProgramNotFound(spec.argv[0])
        self._loop = asyncio.get_running_loop()
        self._exited: asyncio.Future[int] = self._loop.create_future()
        self._readers: list[PipeReader] = []
        self._writer: Writer | None = None
        self._process: Direct | Supervised
        self._flood_at = spec.output_bytes if paced else None
        self._grace_s = spec.grace_s
        self._output = ""
        self.waited = False
        """Whether it was waiting when its time was over."""
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
            self._output = pipe_of(out_read)
            if not isinstance(spec, SupervisedSpec):
                self._process = Direct(spec, program, streams)
            else:
                self._process = Supervised(spec, program, streams)
            ours.pop_all()
        self.read_from(out_read, stdout, flood_at=self._flood_at)
        if err_read is not None:
            self.read_from(err_read, stderr or stdout, flood_at=self._flood_at)
        if in_write is not None and spec.stdin is not None:
            self._writer = Writer(self._loop, in_write, spec.stdin)
        self._process.watch(self._loop, self._on_exit)

    def read_from(self, fd: int, feed: Feed, *, flood_at: int | None = None) -> None:
        """Read another pipe of this child; takes ownership of `fd`."""
        self._readers.append(PipeReader(self._loop, fd, feed, flood_at, self.kill))

    def _on_exit(self, code: int) -> None:
        # The program's own output is in the pipes by now; don't wait for a grandchild that still
        # holds them open.
        for reader in self._readers:
            reader.drain()
            reader.close()
        if not self._exited.done():
            self._exited.set_result(code)

    def proceed(self, data: bytes, fd: int) -> None:
        """See `Supervised.proceed`. Raises OSError, also if no supervisor started the child."""
        if not isinstance(self._process, Supervised):
            raise OSError("nothing prepares this child's workspace")
        self._process.proceed(data, fd)

    @property
    def ended(self) -> bool:
        """Whether it has ended."""
        return self._exited.done()

    async def waits(self) -> bool:
        """Whether it waits for something instead of being busy. Takes some 50 ms."""
        return await asyncio.to_thread(waits, self._output)

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Signal the whole group; does nothing once the child has ended."""
        if not self._exited.done():
            self._process.signal(number)

    async def wait(self) -> int:
        """The return code (negative: killed by that signal), once the child has ended and all its
        output has been fed. Raises whatever a feed raised, and OSError if the supervisor could not
        start the child."""
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

    def leave(self) -> None:
        """Have it ended with all that it started, without waiting for that; at once where the
        supervisor has started it."""
        self.kill()
        self._release()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        try:
            if not self._exited.done():
                await self.stop()
        finally:
            self._release()

    def _release(self) -> None:
        for reader in self._readers:
            reader.close()
        if self._writer is not None:
            self._writer.close()
        self._process.close()
