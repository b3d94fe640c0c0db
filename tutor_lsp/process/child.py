"""One started child: its own session and process group, streams read without blocking the loop."""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from tutor_lsp.process.pipes import Feed, Reader, Writer

REAP_S = 2.0

_WATCHDOG = (
    # Blocks on a pipe from us; at its end (we closed it, or died) it ends the whole group. It is
    # detached by a second fork so that the program never sees it as its own child.
    "( (trap '' TERM INT HUP; read _ <&3; kill -KILL $$; kill -KILL 0) >/dev/null 2>&1 & ) 3<&0\n"
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Resource limits of a child and what it starts; None leaves one alone.

    `cpu_s` seconds of processor time, `file_bytes` the largest file it may write, `memory_bytes`
    its address space (leave None where a sanitizer reserves terabytes).
    """

    cpu_s: int | None = None
    file_bytes: int | None = None
    memory_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Spec:
    """What to run and within which bounds.

    `env` is the whole environment (see `child_environment`). `limit_s` is wall clock in seconds.
    `output_bytes` are kept per stream, `tail_bytes` of them from its end; what lies between is
    read and dropped. `stdin` is written and closed; without it the
    child reads end of file. `pass_fds` keep their numbers. `grace_s` is the time between TERM and
    KILL. `merge` sends stderr into stdout.
    """

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    limit_s: float
    output_bytes: int = 1024 * 1024
    stdin: bytes | None = None
    pass_fds: tuple[int, ...] = ()
    tail_bytes: int = 0
    grace_s: float = 0.0
    merge: bool = False
    limits: Limits = field(default_factory=Limits)


class ProgramNotFound(Exception):  # noqa: N818 - says what is the case, not a defect
    """The program of a Spec does not exist or may not be executed; `program` names it."""

    def __init__(self, program: str) -> None:
        super().__init__(f"{program} was not found")
        self.program = program


def _launcher(limits: Limits, stdin_fd: int | None) -> str:
    lines = [_WATCHDOG, "ulimit -c 0\n"]
    if limits.cpu_s is not None:
        lines.append(f"ulimit -t {int(limits.cpu_s)} 2>/dev/null\n")
    if limits.file_bytes is not None:
        lines.append(f"ulimit -f {int(limits.file_bytes) // 512} 2>/dev/null\n")
    if limits.memory_bytes is not None:
        lines.append(f"ulimit -v {int(limits.memory_bytes) // 1024} 2>/dev/null\n")
    source = "/dev/null" if stdin_fd is None else f"/dev/fd/{stdin_fd}"
    lines.append(f'exec "$@" <{source}\n')
    return "".join(lines)


class Child:
    """A running child. Use as `async with Child(spec, …) as child`: leaving the block, however it
    is left, kills the process group and releases every pipe.

    If this process dies, by whatever signal, a watchdog in the group kills the group.
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
        self._process: subprocess.Popen[bytes]
        self._flood_at = spec.output_bytes if paced else None
        self._grace_s = spec.grace_s
        self._start(spec, program, stdout, stderr)

    def _start(self, spec: Spec, program: str, stdout: Feed, stderr: Feed | None) -> None:
        with contextlib.ExitStack() as theirs:
            life_read, self._life = os.pipe()
            theirs.callback(os.close, life_read)
            out_read, out_write = os.pipe()
            theirs.callback(os.close, out_write)
            err_read: int | None = None
            err_write = subprocess.STDOUT
            if not spec.merge:
                err_read, err_write = os.pipe()
                theirs.callback(os.close, err_write)
            in_read: int | None = None
            in_write: int | None = None
            if spec.stdin is not None:
                in_read, in_write = os.pipe()
                theirs.callback(os.close, in_read)
            fds = spec.pass_fds if in_read is None else (*spec.pass_fds, in_read)
            script = _launcher(spec.limits, in_read)
            try:
                self._process = subprocess.Popen(
                    ["/bin/sh", "-c", script, program, program, *spec.argv[1:]],
                    cwd=spec.cwd,
                    env=dict(spec.env),
                    stdin=life_read,
                    stdout=out_write,
                    stderr=err_write,
                    pass_fds=fds,
                    start_new_session=True,
                )
            except BaseException:
                for fd in (self._life, out_read, err_read, in_write):
                    if fd is not None:
                        os.close(fd)
                raise
        self.pid = self._process.pid
        self.read_from(out_read, stdout, flood_at=self._flood_at)
        if err_read is not None:
            self.read_from(err_read, stderr or stdout, flood_at=self._flood_at)
        if in_write is not None and spec.stdin is not None:
            self._writer = Writer(self._loop, in_write, spec.stdin)
        self._watch_exit()

    def read_from(self, fd: int, feed: Feed, *, flood_at: int | None = None) -> None:
        """Read another pipe of this child; takes ownership of `fd`."""
        self._readers.append(Reader(self._loop, fd, feed, flood_at, self.kill))

    def _watch_exit(self) -> None:
        opener = getattr(os, "pidfd_open", None)
        if opener is not None:
            try:
                pidfd: int = opener(self.pid)
            except OSError:
                pass
            else:
                self._loop.add_reader(pidfd, self._on_pidfd, pidfd)
                return
        threading.Thread(target=self._wait_in_thread, daemon=True).start()

    def _on_pidfd(self, pidfd: int) -> None:
        self._loop.remove_reader(pidfd)
        os.close(pidfd)
        self._on_exit()

    def _wait_in_thread(self) -> None:
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._on_exit)

    def _on_exit(self) -> None:
        # The group is killed before the leader is reaped: until then its id cannot be reused.
        self._signal_group(signal.SIGKILL)
        code = self._process.wait()
        # What the program wrote is in the pipes by now; a grandchild that holds them open is not
        # waited for.
        for reader in self._readers:
            reader.drain()
            reader.close()
        if not self._exited.done():
            self._exited.set_result(code)

    def _signal_group(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Signal the whole group; nothing happens once the child has ended."""
        if not self._exited.done():
            self._signal_group(number)
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self.pid, number)

    async def wait(self) -> int:
        """The return code (negative: killed by that signal), once the child has ended and all its
        output was fed. Raises what a feed raised."""
        code = await asyncio.shield(self._exited)
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
            os.close(self._life)
