"""One run: its guard starts the program, waits for it to end, and ends whatever is left."""

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
from tutor_lsp.process.supervisor.later import PROCEED, Later
from tutor_lsp.process.supervisor.orphans import end_all, end_namespace, reap, waker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from tutor_lsp.process.supervisor.plan import Plan, Powers, Start

BYTES, MOST_FDS = 256 * 1024, 64
"""The most bytes in a message from the server, and the most descriptors with it."""

_DEFAULT = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGXFSZ", "SIGCHLD")


class _NotStartedError(Exception):
    """The program cannot be started: the exit code is `code`, as in a shell."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def guard(plan: Plan, fd: int, powers: Powers) -> NoReturn:
    """Be the guard of a run: until it ends, the server tells it to stop, or the server is gone.
    If runs follow one another, until the last of them.

    `fd` is a socket to the server, which sends a `Start`, maybe after a while, then signal
    numbers; it receives `exit` with the status of the program, or `error` and why it could not be
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
    """Runs in this process's namespaces. Each finds them like the first one did: without other
    processes, and with its own mounts and shared memory. Raises OSError."""
    wake = waker()
    first = os.open("/proc/self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC) if plan["again"] else None
    kernel.gain_nothing()
    going_on = True
    while going_on:
        if first is not None:
            kernel.move(first)
            kernel.leave(namespaces.OF_EACH)
        kept, later = view.build(plan)
        kernel.drop_capabilities(moves=plan["again"])
        going_on = _run(plan, link, wake, kept, later) and plan["again"]


def _run(
    plan: Plan,
    link: socket.socket,
    wake: int,
    kept: contents.Copied | None,
    later: Later | None,
) -> bool:
    """One run; False once the server no longer wants the result. Raises OSError."""
    request = _request(link)
    if request is None:
        return False
    try:
        status = _wait(_spawn(plan, *request), link, wake, later)
    except _NotStartedError as ended:
        status = ended.code << 8
    end_namespace()
    if status is None:
        return False
    contents.gather(plan, kept)
    return _tell(link, status)


def _outside(plan: Plan, link: socket.socket, powers: Powers) -> None:
    """One run without namespaces. Raises OSError."""
    wake = waker()
    kernel.adopt_orphans()
    request = _request(link)
    if request is None:
        return
    start, fds = request
    program = _start(plan, start, fds, powers)
    for fd in fds:
        os.close(fd)
    status = _wait(program, link, wake)
    end_all()
    if status is not None:
        _tell(link, status)


def _tell(link: socket.socket, status: int) -> bool:
    """Whether anybody was listening."""
    try:
        link.send(f"exit {status}".encode())
    except OSError:
        return False
    return True


def received(link: socket.socket) -> tuple[bytes, list[int]]:
    """A message with its descriptors, not inheritable: some versions of `recv_fds` ignore the
    flag for that. Raises OSError."""
    data, fds, _, _ = socket.recv_fds(link, BYTES, MOST_FDS)
    for fd in fds:
        os.set_inheritable(fd, False)  # noqa: FBT003 - the function's signature
    return data, fds


def _request(link: socket.socket) -> tuple[Start, list[int]] | None:
    """The program to start, with its descriptors; None if no more are wanted."""
    while True:
        data, fds = received(link)
        if not data:
            return None
        if not data.isdigit():  # a signal too late for the previous run
            return json.loads(data), fds


def _wait(program: int, link: socket.socket, wake: int, later: Later | None = None) -> int | None:
    """The status of the program; None once the server no longer wants it. Its workspace is copied
    `later` if that is asked for."""
    poll = select.poll()
    poll.register(link, select.POLLIN)
    poll.register(wake, select.POLLIN)
    while True:
        for fd, _ in poll.poll():
            if fd != wake:
                message, fds = _message(link)
                if not message:
                    return None
                if message.isdigit():
                    _signal(program, int(message))
                else:
                    _proceed(later, message, fds)
                continue
            os.read(wake, 4096)
            while (ended := reap()) is not None:
                if ended[0] == program:
                    return ended[1]


def _message(link: socket.socket) -> tuple[bytes, list[int]]:
    try:
        return received(link)
    except OSError:
        return b"", []


def _proceed(later: Later | None, message: bytes, fds: list[int]) -> None:
    """Copy the workspace, then give the program the settings that it waits for."""
    rest = message.removeprefix(PROCEED)
    with contextlib.suppress(OSError):  # it has ended
        if later is not None and later.fill():
            while rest:
                rest = rest[os.write(fds[0], rest) :]
    for fd in fds:
        os.close(fd)


def _signal(program: int, number: int) -> None:
    for send in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            send(program, number)


def _spawn(plan: Plan, start: Start, fds: list[int]) -> int:
    """Start the program in this process's namespaces; closes its descriptors here. Raises
    OSError.

    This process takes on all limits first: whatever needs no doing between fork and exec
    saves forking this process's memory.
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
    except NotImplementedError as error:  # an old libc cannot start a session
        raise OSError(errno.ENOSYS, str(error)) from None
    finally:
        for fd in (*fds, *moved):
            os.close(fd)


def _start(plan: Plan, start: Start, fds: list[int], powers: Powers) -> int:
    """Start the program. Raises OSError, also for failures in the new process."""
    told, near = os.pipe2(os.O_CLOEXEC)
    # above the numbers of the program's own descriptors
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
        message = os.read(told, 4096).decode(errors="replace")
    finally:
        os.close(told)
    if message:
        number, _, name = message.partition(" ")
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
    """A shell's message and exit code for a program that cannot be started."""
    code = 127 if error.errno == errno.ENOENT else 126
    return f"{start['program']}: {error.strerror}\n".encode(), code


def _set_limits(plan: Plan) -> None:
    if plan["nice"] is not None:
        with contextlib.suppress(OSError):  # less than our own
            os.setpriority(os.PRIO_PROCESS, 0, plan["nice"])
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, plan["cpu_s"]),
        (resource.RLIMIT_FSIZE, plan["file_bytes"]),
        (resource.RLIMIT_AS, plan["memory_bytes"]),
    ):
        if value is not None:
            with contextlib.suppress(ValueError):  # more than our own limit
                resource.setrlimit(kind, (value, value))


def _beyond(numbers: list[int]) -> int:
    return max(2, *numbers) + 1


def _moved(numbers: list[int], fds: list[int]) -> list[int]:
    """The descriptors, moved so that none has a number that another needs."""
    return [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _beyond(numbers)) for fd in fds]


def _put_descriptors(numbers: list[int], fds: list[int]) -> None:
    """Give each descriptor its number; all others are closed by exec."""
    moved = _moved(numbers, fds)
    if 0 not in numbers:
        null = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        os.dup2(null, 0)
        if null:
            os.close(null)
    for number, fd in zip(numbers, moved, strict=True):
        os.dup2(fd, number)
