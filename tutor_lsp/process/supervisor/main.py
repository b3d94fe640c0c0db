"""The supervisor's main loop: it takes plans, forks a guard for each, and ends with the server."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import time

from tutor_lsp.process.supervisor import kernel, landlock, namespaces, seccomp
from tutor_lsp.process.supervisor.guard import guard, received
from tutor_lsp.process.supervisor.orphans import children, end_all, reap, waker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tutor_lsp.process.supervisor.plan import Powers

LEAVE_S = 0.5
"""How long guards may take to end what they contain once the server is gone, in seconds. Shorter
than the next server waits for us."""


def main() -> None:
    """Serve the socket on standard input until the server closes it or dies."""
    with contextlib.suppress(OSError):
        os.setsid()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTSTP})
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for fd in map(int, os.listdir("/proc/self/fd")):
        if fd > 2:  # runs do not inherit the server's descriptors
            with contextlib.suppress(OSError):
                os.close(fd)
    os.chdir("/")  # so no folder is blocked from removal
    kernel.adopt_orphans()
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    powers = _powers(sys.argv[2])
    control.send(json.dumps(powers).encode())
    kernel.set_dumpable(value=False)
    gc.disable()
    gc.freeze()  # untouched pages need no copy after a fork
    wake = waker()
    guards: set[int] = set()
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wake, select.POLLIN)
    while True:
        for fd, _ in poll.poll():
            if fd == wake:
                _tidy(wake, guards)
            elif not _serve(control, guards, powers):
                control.close()
                _leave(wake, guards)
                return


def _powers(level: str) -> Powers:
    """Find out what works, and enter namespaces if wanted."""
    why_not = namespaces.enter() if level == "namespaces" else ""
    if level != "namespaces":
        with contextlib.suppress(OSError):
            kernel.bound_capabilities()
    return {"landlock": landlock.version(), "network": _filters(), "why_not": why_not}


def _filters() -> bool:
    """Whether a filter can keep a child of ours from the network."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            kernel.gain_nothing()
            seccomp.no_network()
            socket.socket(socket.AF_INET).close()
        except PermissionError:
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(pid, 0)[1] == 0


def _serve(control: socket.socket, guards: set[int], powers: Powers) -> bool:
    """Fork the requested guard; False once the server is gone."""
    try:
        data, fds = received(control)
    except OSError:
        return False
    if not data:
        return False
    plan = json.loads(data)
    try:
        inside = plan["level"] == "namespaces"
        pid = kernel.fork_into(namespaces.OF_A_RUN) if inside else os.fork()
    except OSError as error:
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(fds[0])) as link:
            link.send(f"error {error}".encode())
    else:
        if pid == 0:
            control.close()
            guard(plan, fds[0], powers)
        guards.add(pid)
    for fd in fds:
        os.close(fd)
    return True


def _tidy(wake: int, guards: set[int]) -> None:
    """Collect guards that have ended, and end those that are stopped, which only their own run can
    have done. Any other child here has lost its guard."""
    with contextlib.suppress(BlockingIOError):
        os.read(wake, 4096)
    while (ended := reap(os.WUNTRACED)) is not None:
        guards.discard(ended[0])
    _kill_others(guards)


def _kill_others(guards: set[int]) -> None:
    for pid in children():
        if pid not in guards:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def _leave(wake: int, guards: set[int]) -> None:
    """Give the guards, which notice the server's end themselves, time to end what they contain;
    then end whatever is left."""
    poll = select.poll()
    poll.register(wake, select.POLLIN)
    deadline = time.monotonic() + LEAVE_S
    _tidy(wake, guards)
    while guards and (left := deadline - time.monotonic()) > 0:
        poll.poll(left * 1000)
        _tidy(wake, guards)
    end_all()
    with contextlib.suppress(ChildProcessError):
        while True:  # some take longer to die
            _kill_others(set())
            os.waitpid(-1, 0)
