"""A direct child of this process: its own session and group, with a watchdog in it."""

import asyncio
import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator

from tutor_lsp.process.priority import niceness
from tutor_lsp.process.spec import Limits, Spec, Streams

_WATCHDOG = (
    # Blocks on a pipe from us; when that ends (we closed it, or died) it kills the whole group. A
    # second fork detaches it, so the program never sees it as its own child.
    "( (trap '' TERM INT HUP; read _ <&3; kill -KILL $$; kill -KILL 0) >/dev/null 2>&1 & ) 3<&0\n"
)


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


@contextlib.contextmanager
def _not_stopped() -> Iterator[None]:
    """Until what is started has a session of its own, Ctrl-Z is for it, too: and we wait for it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTSTP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Direct:
    """A running child. If this process dies, by whatever signal, a watchdog kills its group."""

    def __init__(self, spec: Spec, program: str, streams: Streams) -> None:
        """Starts at once."""
        life_read, self._life = os.pipe()
        fds = spec.pass_fds if streams.stdin is None else (*spec.pass_fds, streams.stdin)
        script = _launcher(spec.limits, streams.stdin)
        try:
            with _not_stopped():
                self._process = subprocess.Popen(
                    ["/bin/sh", "-c", script, program, program, *spec.argv[1:]],
                    cwd=spec.cwd,
                    env=dict(spec.env),
                    stdin=life_read,
                    stdout=streams.stdout,
                    stderr=streams.stderr,
                    pass_fds=fds,
                    start_new_session=True,
                )
        except BaseException:
            os.close(self._life)
            raise
        finally:
            os.close(life_read)
        self._pid = self._process.pid
        if (nice := niceness()) is not None:
            with contextlib.suppress(OSError):  # it has ended already
                os.setpriority(os.PRIO_PGRP, self._pid, nice)

    def watch(self, loop: asyncio.AbstractEventLoop, ended: Callable[[int], None]) -> None:
        """Call `ended` once, on the loop, with the return code, after the group has been killed."""
        threading.Thread(target=self._wait, args=(loop, ended), daemon=True).start()

    def _wait(self, loop: asyncio.AbstractEventLoop, ended: Callable[[int], None]) -> None:
        with contextlib.suppress(ChildProcessError):
            if hasattr(os, "waitid"):
                os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOWAIT)
            else:  # macOS before Python 3.13
                self._process.wait()
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is waiting any more
            loop.call_soon_threadsafe(self._collect, ended)

    def _collect(self, ended: Callable[[int], None]) -> None:
        # Where that can be, the group is killed before the leader is reaped: until then its id
        # cannot be reused.
        self._signal_group(signal.SIGKILL)
        ended(self._process.wait())

    def _signal_group(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, number)

    def signal(self, number: int) -> None:
        """Signal the group; only while the child has not ended."""
        self._signal_group(number)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self._pid, number)

    def close(self) -> None:
        """Release all resources; the watchdog ends the group."""
        os.close(self._life)
