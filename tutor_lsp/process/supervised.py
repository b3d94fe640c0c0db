"""Children that the supervisor starts: the server's side of `process/supervisor`. Linux only."""

import asyncio
import contextlib
import errno
import json
import os
import select
import signal
import socket
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from tutor_lsp.process.box import AREA_BYTES, Area
from tutor_lsp.process.containment.hidden import shown
from tutor_lsp.process.libraries import own_python
from tutor_lsp.process.priority import niceness
from tutor_lsp.process.spec import Spec, Streams
from tutor_lsp.process.supervisor.later import PROCEED
from tutor_lsp.process.supervisor.plan import Plan, Powers, Start

PRIVATE = ("/tmp", "/var/tmp")  # noqa: S108 - masked, not used
"""Folders that a run in namespaces sees as its own, empty ones."""
SEND_S = 5.0
"""How long the supervisor may take to accept a plan, in seconds."""
MOST_BYTES = 192 * 1024
"""How long a plan or a start may be, in bytes."""
_ROOT = Path(__file__).parents[2]
_MAIN = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    " from tutor_lsp.process.supervisor.main import main; main()"
)


class Supervisor:
    """A separate process that starts children, itself started with the first of them.

    It ends with this object, and with this process however that ends; all children that it has
    started end first. Use from any thread.
    """

    def __init__(self, level: str, mark: str) -> None:
        """`level` is how it contains its children. Its `mark` is an argument, so that it can be
        found again: nobody may read its environment."""
        self.level = level
        self._mark = mark
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._finalizer: weakref.finalize[[socket.socket, int], Supervisor] | None = None
        self._pid: int | None = None
        self._lost = False

    def close(self) -> None:
        """End the process. Using this object again starts another one."""
        self._pid = None
        if self._finalizer is not None:
            self._finalizer()
        self._control = None

    def go_on(self) -> None:
        """Resume the process if a run has stopped it. Takes microseconds."""
        with self._lock:
            if self._pid is not None:
                with contextlib.suppress(OSError):
                    os.kill(self._pid, signal.SIGCONT)

    def note_loss(self) -> None:
        """Remember that a guard has ended unexpectedly."""
        self._lost = True

    def lost(self) -> bool:
        """Whether the process or a guard has ever ended unexpectedly, so that something it
        contained may be left."""
        with self._lock:
            self._lost = self._lost or (self._control is not None and _is_left(self._control))
            return self._lost

    def start(self) -> Powers:
        """Start it now; returns what it can do on this machine. Blocks for tens of milliseconds:
        call it in a thread. Raises OSError if it does not start."""
        with self._lock:
            reply = self._started().recv(MOST_BYTES)
        if not reply:
            raise OSError("the supervisor did not start")
        powers: Powers = json.loads(reply)
        return powers

    def send(self, plan: Plan, link: int) -> None:
        """Have a guard made; a socket then tells it what to start. Raises OSError."""
        data = _encoded(plan)
        with self._lock:
            if self._control is not None:
                try:
                    socket.send_fds(self._control, [data], [link])
                except (BrokenPipeError, ConnectionResetError):
                    self._lost = True  # somebody has killed it
                    self.close()
                else:
                    return
            socket.send_fds(self._started(), [data], [link])

    def _started(self) -> socket.socket:
        ours, theirs = _sockets()
        with theirs:
            ours.settimeout(SEND_S)
            null = os.open(os.devnull, os.O_WRONLY)
            try:
                pid = self._spawned((str(_ROOT), self.level, self._mark), theirs.fileno(), null)
            finally:
                os.close(null)
        self._control, self._pid = ours, pid
        self._finalizer = weakref.finalize(self, _end, ours, pid)
        self._finalizer.atexit = False  # at exit the system closes the socket
        return ours

    @staticmethod
    def _spawned(arguments: Sequence[str], control: int, null: int) -> int:
        python, *libraries = own_python()
        return os.posix_spawn(
            python,
            [python, "-I", "-S", *libraries, "-c", _MAIN, *arguments],
            {},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, control, 0),
                (os.POSIX_SPAWN_DUP2, null, 1),
                (os.POSIX_SPAWN_DUP2, null, 2),
            ],
            # Until it has a session of its own, Ctrl-Z is for it, too: and we wait for it.
            setsigmask=(signal.SIGTSTP,),
        )


def _encoded(message: Plan | Start) -> bytes:
    data = json.dumps(message).encode()
    if len(data) > MOST_BYTES:
        raise OSError(errno.E2BIG, "the command line is too long")
    return data


def _sockets() -> tuple[socket.socket, socket.socket]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * MOST_BYTES)
    return ours, theirs


def _is_left(control: socket.socket) -> bool:
    """Whether its other end is closed."""
    poll = select.poll()
    poll.register(control, 0)
    return bool(poll.poll(0))


def _end(control: socket.socket, pid: int) -> None:
    """When its socket closes, the supervisor ends what it started, then itself."""
    control.close()
    threading.Thread(target=_collect, args=(pid,), daemon=True).start()


def _collect(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


@dataclass(frozen=True, slots=True)
class Supervision:
    """How the supervisor contains a child.

    `hidden` cannot be read, except for the area and what programs need. `guard` is an existing
    one; without it one is made.
    """

    supervisor: Supervisor
    hidden: tuple[str, ...]
    area: Area
    guard: "Guard | None" = None

    def plan(self, spec: Spec, program: str, *, again: bool) -> Plan:
        """Where a run works. Creates the files and folders that outlive it."""
        area = self.area
        area.prepare()
        return Plan(
            again=again,
            cpu_s=spec.limits.cpu_s,
            file_bytes=spec.limits.file_bytes,
            memory_bytes=spec.limits.memory_bytes,
            nice=niceness(),
            level=self.supervisor.level,
            hidden=list(self.hidden),
            shown=shown(program, spec.env, (*self.hidden, *PRIVATE)) if self.hidden else [],
            links=_links(spec.cwd, area.workspace),
            workspace=os.path.realpath(area.workspace),
            copied=area.copied,
            later=area.later,
            scratch=_real(area.scratch),
            outputs=[os.path.realpath(path) for path in area.kept()],
            writable=[os.path.realpath(path) for path in area.writable],
            gathered=area.gathered and [str(path) for path in area.gathered],
            written=_real(area.written),
            room=AREA_BYTES,
        )


def _links(*folders: Path) -> dict[str, str]:
    """The folders reached through a symbolic link, with their real paths."""
    paths = {str(folder): os.path.realpath(folder) for folder in folders}
    return {path: real for path, real in paths.items() if path != real}


def _real(path: Path | None) -> str | None:
    return None if path is None else os.path.realpath(path)


class Guard:
    """A guard: it prepares an area, then waits for the program to start there.

    With `again` it takes one program after another, provided nothing of one is left when the next
    starts. It ends when it is closed, and with this process however that ends.
    """

    def __init__(
        self, under: Supervision, spec: Spec, program: str, *, again: bool = False
    ) -> None:
        """Begins at once. Of the spec, only folder, environment and limits matter; of the program,
        only where it is. Raises OSError if the supervisor is not available."""
        self._under = under
        self._again = again
        self._used = False
        self.idle = True
        self.link, theirs = _sockets()
        self.link.settimeout(0)
        try:
            with theirs:
                under.supervisor.send(under.plan(spec, program, again=again), theirs.fileno())
        except BaseException:
            self.link.close()
            raise

    def start(self, start: Start, fds: Sequence[int]) -> None:
        """Have it start a program. Raises OSError."""
        if self._used:
            self._under.area.prepare()
        self._used, self.idle = True, False
        # a guard that could not prepare the area has exited and left a message
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            socket.send_fds(self.link, [_encoded(start)], fds)

    def ended(self) -> None:
        """Note that the program has ended completely."""
        self.idle = self._again

    def close(self) -> None:
        """End the guard and all that it contains."""
        self.idle = False
        self.link.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class SupervisedSpec(Spec):
    """What to run where the supervisor starts it, contained as `under` says."""

    under: Supervision

    @classmethod
    def of(cls, spec: Spec, under: Supervision) -> "SupervisedSpec":
        """The same, contained."""
        given = {field.name: getattr(spec, field.name) for field in fields(Spec)}
        return cls(**given, under=under)


class Supervised:
    """A running child of the supervisor, which stays until it has reported how the child ended."""

    def __init__(self, spec: SupervisedSpec, program: str, streams: Streams) -> None:
        """Starts at once, raising the audit event of a start in this process. Raises OSError if
        the supervisor is not available."""
        under = spec.under
        sys.audit("subprocess.Popen", program, list(spec.argv), str(spec.cwd), dict(spec.env))
        self._supervisor = under.supervisor
        self._loop: asyncio.AbstractEventLoop | None = None
        self.failure: OSError | None = None
        numbers = [1, 2, *spec.pass_fds]
        fds = [streams.stdout, streams.stderr, *spec.pass_fds]
        if streams.stdin is not None:
            numbers, fds = [0, *numbers], [streams.stdin, *fds]
        start = Start(
            argv=[program, *spec.argv[1:]],
            program=program,
            cwd=str(spec.cwd),
            env={**spec.env, "PWD": str(spec.cwd)},
            fds=numbers,
        )
        self._guard = under.guard or Guard(under, spec, program)
        try:
            self._guard.start(start, fds)
        except BaseException:
            self._guard.close()
            raise

    def watch(self, loop: asyncio.AbstractEventLoop, ended: Callable[[int], None]) -> None:
        """Call `ended` once, on the loop, with the return code, when it has ended completely."""
        self._loop = loop
        loop.add_reader(self._guard.link, self._ready, ended)

    def _ready(self, ended: Callable[[int], None]) -> None:
        try:
            message = self._guard.link.recv(4096).decode(errors="replace")
        except BlockingIOError:
            return
        except OSError:
            message = ""
        self._forget()
        kind, _, rest = message.partition(" ")
        if kind == "exit":
            self._guard.ended()
            ended(os.waitstatus_to_exitcode(int(rest)))
            return
        if kind == "error":
            self.failure = OSError(f"it cannot be contained: {rest}")
        if not kind:  # the guard or the supervisor ended without a report
            self._supervisor.note_loss()
        ended(-signal.SIGKILL)

    def _forget(self) -> None:
        if self._loop is not None:
            self._loop.remove_reader(self._guard.link)
            self._loop = None

    def signal(self, number: int) -> None:
        """Signal the group."""
        self._supervisor.go_on()
        with contextlib.suppress(OSError):
            self._guard.link.send(str(int(number)).encode())

    def proceed(self, data: bytes, fd: int) -> None:
        """Have the guard copy the workspace, then write `data` to a pipe that the program reads.

        The pipe is closed either way: where the copy cannot be made, the program reads nothing.
        Raises OSError if there is no guard any more.
        """
        if len(data) > MOST_BYTES:
            raise OSError(errno.E2BIG, "the settings are too long")
        socket.send_fds(self._guard.link, [PROCEED + data], [fd])

    def close(self) -> None:
        """Release all resources; the guard ends whatever still runs, and if the guard is stopped
        the supervisor ends it."""
        self._forget()
        if not self._guard.idle:
            self._guard.close()
            self._supervisor.go_on()
