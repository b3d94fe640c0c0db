"""One run: its guard starts the program, waits for its end, and ends whatever is left of it."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import resource
import select
import signal
import socket

from tutor_lsp.process.supervisor import contents, kernel, landlock, namespaces, seccomp, view
from tutor_lsp.process.supervisor.orphans import end_all, end_namespace, reap, waker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from tutor_lsp.process.supervisor.plan import Plan, Powers, Start

BYTES, MOST_FDS = 256 * 1024, 64
"""How long what the server sends may be, and how many descriptors may come with it."""

_DEFAULT = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGXFSZ", "SIGCHLD")


class _NotStartedError(Exception):
    """The program cannot be started: it ends with `code`, as in a shell."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def guard(plan: Plan, fd: int, powers: Powers) -> NoReturn:
    """Be the guard of a run: to its end, to a word from the server, or to the server's own end; of
    runs that follow one another to the last.

    `fd` is a socket to the server: it sends a `Start`, which may take its time, then numbers of
    signals; it gets `exit` with the status of the program, or `error` and why it could not be
    started.
    """
    code = 1
    try:
        with socket.socket(fileno=fd) as link:
            try:
                if plan["level"] == "namespaces":
                    _inside(plan, link)
                else:
                    _outside(plan, link, powers)
            except OSError as error:
                link.send(f"error {error}".encode())
        code = 0
    finally:
        os._exit(code)


def _inside(plan: Plan, link: socket.socket) -> None:
    """Runs in the namespaces that we are in. Each finds them as the first one did: with no other
    process, and with mounts and shared memory of its own. Raises OSError."""
    wake = waker()
    first = os.open("/proc/self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC) if plan["again"] else None
    kernel.gain_nothing()
    going_on = True
    while going_on:
        if first is not None:
            kernel.move(first)
            kernel.leave(namespaces.OF_EACH)
        kept = view.build(plan)
        kernel.drop_capabilities(moves=plan["again"])
        going_on = _run(plan, link, wake, kept) and plan["again"]


def _run(plan: Plan, link: socket.socket, wake: int, kept: contents.Copied | None) -> bool:
    """One run; False if nobody wants to know any more. Raises OSError."""
    asked = _asked(link)
    if asked is None:
        return False
    try:
        status = _wait(_spawn(plan, *asked), link, wake)
    except _NotStartedError as ended:
        status = ended.code << 8
    end_namespace()
    if status is None:
        return False
    contents.gather(plan, kept)
    return _tell(link, status)


def _outside(plan: Plan, link: socket.socket, powers: Powers) -> None:
    """One run where no namespaces keep it in. Raises OSError."""
    wake = waker()
    kernel.adopt_orphans()
    asked = _asked(link)
    if asked is None:
        return
    start, fds = asked
    program = _start(plan, start, fds, powers)
    for fd in fds:
        os.close(fd)
    status = _wait(program, link, wake)
    end_all()
    if status is not None:
        _tell(link, status)


def _tell(link: socket.socket, status: int) -> bool:
    """Whether there was anybody to tell."""
    try:
        link.send(f"exit {status}".encode())
    except OSError:
        return False
    return True


def received(link: socket.socket) -> tuple[bytes, list[int]]:
    """A message with its descriptors, which no program inherits: some versions of `recv_fds`
    ignore the flag for that. Raises OSError."""
    data, fds, _, _ = socket.recv_fds(link, BYTES, MOST_FDS)
    for fd in fds:
        os.set_inheritable(fd, False)  # noqa: FBT003 - its own signature
    return data, fds


def _asked(link: socket.socket) -> tuple[Start, list[int]] | None:
    """The program to start, with its descriptors; None if none is wanted any more."""
    while True:
        data, fds = received(link)
        if not data:
            return None
        if not data.isdigit():  # a signal that came too late for the run before
            return json.loads(data), fds


def _wait(program: int, link: socket.socket, wake: int) -> int | None:
    """The status of the program; None if nobody wants to know any more."""
    poll = select.poll()
    poll.register(link, select.POLLIN)
    poll.register(wake, select.POLLIN)
    while True:
        for fd, _ in poll.poll():
            if fd != wake:
                said = _said(link)
                if said is None:
                    return None
                _signal(program, said)
                continue
            os.read(wake, 4096)
            while (ended := reap()) is not None:
                if ended[0] == program:
                    return ended[1]


def _said(link: socket.socket) -> int | None:
    try:
        message = link.recv(16)
    except OSError:
        return None
    return int(message) if message else None


def _signal(program: int, number: int) -> None:
    for send in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            send(program, number)


def _spawn(plan: Plan, start: Start, fds: list[int]) -> int:
    """Start the program in the namespaces that we are in; its descriptors are closed here. Raises
    OSError.

    All limits are taken on by this process first: what need not be done between fork and exec
    spares the fork of this process' memory.
    """
    _set_limits(plan)
    os.chdir(start["cwd"])
    numbers, moved = start["fds"], _moved(start["fds"], fds)
    actions: list[Any] = [] if 0 in numbers else [(os.POSIX_SPAWN_OPEN, 0, os.devnull, 0, 0)]
    actions += [
        (os.POSIX_SPAWN_DUP2, fd, number) for number, fd in zip(numbers, moved, strict=True)
    ]
    defaults = [getattr(signal, name) for name in _DEFAULT]
    try:
        return os.posix_spawn(
            start["program"],
            start["argv"],
            start["env"],
            file_actions=actions,
            setsid=True,
            setsigdef=defaults,
        )
    except OSError as error:
        message, code = _cannot_start(start, error)
        os.write(moved[numbers.index(2)], message)
        raise _NotStartedError(code) from None
    except NotImplementedError as error:  # an old libc starts no session
        raise OSError(errno.ENOSYS, str(error)) from None
    finally:
        for fd in (*fds, *moved):
            os.close(fd)


def _start(plan: Plan, start: Start, fds: list[int], powers: Powers) -> int:
    """Start the program. Raises OSError, also for what only the new process notices."""
    told, near = os.pipe2(os.O_CLOEXEC)
    # beyond the numbers that the program's own descriptors take
    tell = fcntl.fcntl(near, fcntl.F_DUPFD_CLOEXEC, _beyond(start["fds"]))
    os.close(near)
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            _become(plan, start, fds, parent, powers)
        except OSError as error:
            os.write(tell, f"{error.errno} {error.filename}".encode())
        finally:
            os._exit(127)
    os.close(tell)
    try:
        said = os.read(told, 4096).decode(errors="replace")
    finally:
        os.close(told)
    if said:
        number, _, name = said.partition(" ")
        raise OSError(int(number), os.strerror(int(number)), name)
    return pid


def _become(plan: Plan, start: Start, fds: list[int], parent: int, powers: Powers) -> None:
    """Turn into the program."""
    os.setsid()
    kernel.drop_capabilities()
    kernel.gain_nothing()
    kernel.die_with_parent()
    if os.getppid() != parent:
        return
    _put_descriptors(start["fds"], fds)
    os.chdir(start["cwd"])
    _set_limits(plan)
    for name in _DEFAULT:
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    if plan["level"] == "landlock":
        landlock.restrict(plan, powers["landlock"])
    if powers["network"]:
        seccomp.no_network()
    try:
        os.execve(start["program"], start["argv"], start["env"])
    except OSError as error:
        message, code = _cannot_start(start, error)
        os.write(2, message)
        os._exit(code)


def _cannot_start(start: Start, error: OSError) -> tuple[bytes, int]:
    """What a shell says, and the code that it ends with, where a program cannot be started."""
    code = 127 if error.errno == errno.ENOENT else 126
    return f"{start['program']}: {error.strerror}\n".encode(), code


def _set_limits(plan: Plan) -> None:
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, plan["cpu_s"]),
        (resource.RLIMIT_FSIZE, plan["file_bytes"]),
        (resource.RLIMIT_AS, plan["memory_bytes"]),
    ):
        if value is not None:
            with contextlib.suppress(ValueError):  # more than we have ourselves
                resource.setrlimit(kind, (value, value))


def _beyond(numbers: list[int]) -> int:
    return max(2, *numbers) + 1


def _moved(numbers: list[int], fds: list[int]) -> list[int]:
    """The descriptors, where none takes a number of another's."""
    return [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _beyond(numbers)) for fd in fds]


def _put_descriptors(numbers: list[int], fds: list[int]) -> None:
    """Give each descriptor its number; all others end with the exec."""
    moved = _moved(numbers, fds)
    if 0 not in numbers:
        null = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        os.dup2(null, 0)
        if null:
            os.close(null)
    for number, fd in zip(numbers, moved, strict=True):
        os.dup2(fd, number)
