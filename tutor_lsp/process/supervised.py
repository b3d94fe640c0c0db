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
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.process.box import AREA_BYTES, Area
from tutor_lsp.process.containment.hidden import shown
from tutor_lsp.process.spec import Spec, Streams
from tutor_lsp.process.supervisor.plan import Plan, Powers, Start

PRIVATE = ("/tmp", "/var/tmp")  # noqa: S108 - these are covered, not used
"""Folders of which a run in namespaces has its own, empty."""
SEND_S = 5.0
"""How long the supervisor may take to accept a plan, in seconds."""
MOST_BYTES = 192 * 1024
"""How long a plan or a start may be."""
_ROOT = Path(__file__).parents[2]
_MAIN = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    " from tutor_lsp.process.supervisor.main import main; main()"
)


class Supervisor:
    """A process of its own that starts children, made with the first of them.

    It ends with this object, and with this process however that ends; every child that it has
    started goes first. Use from any thread.
    """

    def __init__(self, level: str, mark: str) -> None:
        """`level` is how it keeps its children in. It can be found again by its `mark`, an
        argument, since nobody may look into its environment."""
        self.level = level
        self._mark = mark
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._finalizer: weakref.finalize[[socket.socket, int], Supervisor] | None = None
        self._pid: int | None = None
        self._lost = False

    def close(self) -> None:
        """End it. Another one is made if this is used again."""
        self._pid = None
        if self._finalizer is not None:
            self._finalizer()
        self._control = None

    def go_on(self) -> None:
        """Have it go on if a run has halted it. Takes microseconds."""
        with self._lock:
            if self._pid is not None:
                with contextlib.suppress(OSError):
                    os.kill(self._pid, signal.SIGCONT)

    def note_loss(self) -> None:
        """Remember that a guard has ended unasked."""
        self._lost = True

    def lost(self) -> bool:
        """Whether it or a guard has ever ended unasked, so that what they kept in may be left."""
        with self._lock:
            self._lost = self._lost or (self._control is not None and _is_left(self._control))
            return self._lost

    def start(self) -> Powers:
        """Start it now; what it found that it can do here. Blocks for some tens of milliseconds:
        call it in a thread. Raises OSError where it does not start."""
        with self._lock:
            said = self._started().recv(MOST_BYTES)
        if not said:
            raise OSError("the supervisor does not start")
        powers: Powers = json.loads(said)
        return powers

    def send(self, plan: Plan, link: int) -> None:
        """Have a guard made, which is told over a socket what to start. Raises OSError."""
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
                pid = os.posix_spawn(
                    sys.executable,
                    [sys.executable, "-I", "-S", "-c", _MAIN, str(_ROOT), self.level, self._mark],
                    {},
                    file_actions=[
                        (os.POSIX_SPAWN_DUP2, theirs.fileno(), 0),
                        (os.POSIX_SPAWN_DUP2, null, 1),
                        (os.POSIX_SPAWN_DUP2, null, 2),
                    ],
                )
            finally:
                os.close(null)
        self._control, self._pid = ours, pid
        self._finalizer = weakref.finalize(self, _end, ours, pid)
        self._finalizer.atexit = False  # then the system closes the socket
        return ours


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
    """Whether there is nobody at its other end."""
    poll = select.poll()
    poll.register(control, 0)
    return bool(poll.poll(0))


def _end(control: socket.socket, pid: int) -> None:
    """At the end of its socket the supervisor ends what it started, then itself."""
    control.close()
    threading.Thread(target=_collect, args=(pid,), daemon=True).start()


def _collect(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


@dataclass(frozen=True, slots=True)
class Supervision:
    """How the supervisor keeps a child in.

    `hidden` cannot be read, apart from the area and what programs need. `guard` is one that is
    there already; without it one is made.
    """

    supervisor: Supervisor
    hidden: tuple[str, ...] = ()
    area: Area | None = None
    guard: "Guard | None" = None

    def plan(self, spec: Spec, program: str, *, again: bool) -> Plan:
        """Where a run works. Makes the files and folders that outlive it."""
        area = self.area
        if area is not None:
            area.prepare()
        return Plan(
            again=again,
            cpu_s=spec.limits.cpu_s,
            file_bytes=spec.limits.file_bytes,
            memory_bytes=spec.limits.memory_bytes,
            level=self.supervisor.level,
            hidden=list(self.hidden),
            shown=shown(program, spec.env, (*self.hidden, *PRIVATE)) if self.hidden else [],
            links=_links(spec.cwd, *([] if area is None else [area.workspace])),
            workspace=None if area is None else os.path.realpath(area.workspace),
            copied=area is not None and area.copied,
            scratch=_real(area.scratch) if area is not None else None,
            outputs=[] if area is None else [os.path.realpath(path) for path in area.kept()],
            writable=[] if area is None else [os.path.realpath(path) for path in area.writable],
            gathered=None
            if area is None or area.gathered is None
            else [str(path) for path in area.gathered],
            written=_real(area.written) if area is not None else None,
            room=AREA_BYTES,
        )


def _links(*folders: Path) -> dict[str, str]:
    """Those that are reached through a link, with where they are."""
    paths = {str(folder): os.path.realpath(folder) for folder in folders}
    return {path: real for path, real in paths.items() if path != real}


def _real(path: Path | None) -> str | None:
    return None if path is None else os.path.realpath(path)


class Guard:
    """A guard: it makes an area ready, then waits for the program to start there.

    It takes one after another `again`, where nothing of one is left when the next is started. It
    ends when it is closed, and with this process however that ends.
    """

    def __init__(
        self, under: Supervision, spec: Spec, program: str, *, again: bool = False
    ) -> None:
        """Begins at once. Of the spec folder, environment and limits matter, of the program where
        it lies. Raises OSError where the supervisor cannot be had."""
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
        if self._used and self._under.area is not None:
            self._under.area.prepare()
        self._used, self.idle = True, False
        # one that could not make the area has gone, and has left word of it
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            socket.send_fds(self.link, [_encoded(start)], fds)

    def ended(self) -> None:
        """Note that nothing of the program is left."""
        self.idle = self._again

    def close(self) -> None:
        """Have it end, with what it keeps."""
        self.idle = False
        self.link.close()


class Supervised:
    """A running child of the supervisor, which is there until it has said how the child ended."""

    def __init__(self, spec: Spec, under: Supervision, program: str, streams: Streams) -> None:
        """Starts at once. Raises OSError where the supervisor cannot be had, and for audit hooks
        the event of a start in this process."""
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
        """Call `ended` once, on the loop, with the return code, when nothing of it is left."""
        self._loop = loop
        loop.add_reader(self._guard.link, self._ready, ended)

    def _ready(self, ended: Callable[[int], None]) -> None:
        try:
            said = self._guard.link.recv(4096).decode(errors="replace")
        except BlockingIOError:
            return
        except OSError:
            said = ""
        self._forget()
        kind, _, rest = said.partition(" ")
        if kind == "exit":
            self._guard.ended()
            ended(os.waitstatus_to_exitcode(int(rest)))
            return
        if kind == "error":
            self.failure = OSError(f"it cannot be kept in: {rest}")
        if not kind:  # somebody has ended who was to tell
            self._supervisor.note_loss()
        ended(-signal.SIGKILL)

    def _forget(self) -> None:
        if self._loop is not None:
            self._loop.remove_reader(self._guard.link)
            self._loop = None

    def signal(self, number: int) -> None:
        """Have the group signalled."""
        self._supervisor.go_on()
        with contextlib.suppress(OSError):
            self._guard.link.send(str(int(number)).encode())

    def close(self) -> None:
        """Release what is left; whatever runs yet is ended by its guard, which the supervisor ends
        if it is halted."""
        self._forget()
        if not self._guard.idle:
            self._guard.close()
            self._supervisor.go_on()
