"""The process that stays: it forks for each verb, and ends when nobody needs it any more."""

import contextlib
import fcntl
import gc
import os
import selectors
import signal
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from tutor_lsp.process.hand_over import BEGUN, END, PASSED_ON, Place, end, key
from tutor_lsp.process.power import on_battery
from tutor_lsp.process.resident.asked import STREAMS, Asked
from tutor_lsp.process.resident.peer import is_ours, standing
from tutor_lsp.process.resident.seen import Seen
from tutor_lsp.process.supervisor.kernel import die_with_parent, set_dumpable

IDLE_S = 300.0
"""How long it stays with nothing to do, in seconds."""
LOOK_S = 15.0
"""How often it looks whether it is still needed, in seconds."""
LOCK_S = 2.0
"""How long the one before may take to make room, in seconds."""
MOST_BYTES = 1024 * 1024
_PRIVATE = 0o177
_SIGNALS = frozenset({*PASSED_ON, signal.SIGCONT})


@dataclass(slots=True, eq=False)
class _Caller:
    """Whoever asked, until its verb has ended. `pid` is that of the fork, 0 before there is one."""

    link: socket.socket
    pid: int = 0
    gone: bool = False


def wait(place: Place, seen: Seen) -> Asked | None:
    """Stay for a home. In each fork what was asked of it, None where there is nothing to stay for
    any more, in the process itself."""
    _let_go()
    set_dumpable(value=False)  # what it remembers of the environment is nobody's business
    gc.collect()
    gc.freeze()  # a fork does not copy what is not touched
    gc.disable()
    seen.look(place.home)
    if on_battery() or not seen.unchanged:
        return None
    end(place)
    with contextlib.ExitStack() as held:
        try:
            os.stat(place.home)
            os.makedirs(place.folder, mode=0o700, exist_ok=True)
            held.enter_context(_locked(place.lock))
            listening = held.enter_context(_listening(place.socket))
        except OSError:
            return None
        if not place.ours:
            return None
        waiting = _Waiting(place, seen, listening, key(), held)
        return waiting.until_asked()


def _let_go() -> None:
    """Leave the terminal, and keep nothing open: what is closed by its number now could be closed
    again by whatever forgot to do so."""
    os.setsid()
    os.chdir("/")
    for number in _SIGNALS - {signal.SIGCONT}:
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            os.fstat(int(name))
            os.dup2(nothing, int(name), inheritable=int(name) < STREAMS)


@contextlib.contextmanager
def _locked(path: str) -> Iterator[None]:
    """Raises OSError if another one has it for too long."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        until = time.monotonic() + LOCK_S
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)
        yield
    finally:
        os.close(lock)


@contextlib.contextmanager
def _listening(path: str) -> Iterator[socket.socket]:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)  # left by one that was killed
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        before = os.umask(_PRIVATE)
        try:
            listening.bind(path)
        finally:
            os.umask(before)
        listening.listen()
        listening.setblocking(False)  # noqa: FBT003 - the function's signature
        yield listening


class _Waiting:
    """Single-threaded, and so are its forks when they begin."""

    def __init__(
        self,
        place: Place,
        seen: Seen,
        listening: socket.socket,
        own_key: str,
        held: contextlib.ExitStack,
    ) -> None:
        self._place = place
        self._seen = seen
        self._listening = listening
        self._greeting = f"{own_key} {os.getpid()}".encode()
        self._held = held
        self._standing = standing(os.getpid())
        self._home = _identity(place.home)
        self._socket = _identity(place.socket)
        self._selector = selectors.DefaultSelector()
        self._callers: set[_Caller] = set()
        self._busy = 0
        self._used = time.monotonic()
        self._over = False
        self._asked: Asked | None = None

    def until_asked(self) -> Asked | None:
        """See `wait`."""
        self._selector.register(self._listening, selectors.EVENT_READ, self._greet)
        while not self._over or self._busy:
            for found, _ in self._selector.select(LOOK_S):
                if self._selector.get_map().get(found.fileobj) is not found:
                    continue  # forgotten meanwhile
                act: Callable[[], None] = found.data
                act()
                if self._asked is not None:
                    return self._asked
            if not self._over and not self._needed():
                self._end()
        return None

    def _needed(self) -> bool:
        idle = not self._busy and time.monotonic() - self._used > IDLE_S
        there = (_identity(self._place.home), _identity(self._place.socket))
        return (
            not idle
            and self._place.ours
            and there == (self._home, self._socket)
            and not on_battery()
        )

    def _end(self) -> None:
        """Take nothing more; what is done goes on."""
        self._over = True
        self._selector.unregister(self._listening)
        for each in [each for each in self._callers if not each.pid]:
            self._forget(each)
        if _identity(self._place.socket) == self._socket:
            with contextlib.suppress(OSError):
                os.unlink(self._place.socket)
        self._held.close()

    def _greet(self) -> None:
        try:
            link, _ = self._listening.accept()
        except OSError:
            return
        link.setblocking(False)  # noqa: FBT003 - the function's signature
        if not is_ours(link, self._standing):
            link.close()
        elif not self._seen.unchanged:
            link.close()
            self._end()
        else:
            caller = _Caller(link)
            self._callers.add(caller)
            self._selector.register(link, selectors.EVENT_READ, partial(self._hear, caller))
            self._say(caller, self._greeting)

    def _hear(self, caller: _Caller) -> None:
        try:
            data, fds, flags, _ = socket.recv_fds(caller.link, MOST_BYTES, STREAMS + 1)
        except OSError:
            data, fds, flags = b"", [], 0
        if caller.pid:
            self._pass_on(caller, data)
        elif data == END:
            self._forget(caller)
            self._end()
        else:
            try:
                whole = not flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC)
                asked = Asked.of(data if whole else b"", fds)
            except ValueError:
                self._forget(caller)
            else:
                self._fork(caller, asked)
                if self._asked is not None:
                    return
        for fd in fds:
            os.close(fd)

    def _fork(self, caller: _Caller, asked: Asked) -> None:
        parent = os.getpid()
        try:
            caller.pid = os.fork()
        except OSError:
            self._forget(caller)
            return
        if caller.pid:
            self._busy += 1
            pidfd = os.pidfd_open(caller.pid)
            self._selector.register(pidfd, selectors.EVENT_READ, partial(self._reap, caller, pidfd))
            return
        die_with_parent()
        if os.getppid() != parent:
            os._exit(1)
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._say(caller, BEGUN)
        for each in list(self._selector.get_map().values()):
            if not isinstance(each.fileobj, int):
                each.fileobj.close()  # type: ignore[attr-defined]
            else:
                os.close(each.fileobj)
        self._selector.close()
        self._held.close()
        self._asked = asked

    def _pass_on(self, caller: _Caller, data: bytes) -> None:
        if not data:
            caller.gone = True
            self._selector.unregister(caller.link)
            caller.link.close()
        for number in data or [signal.SIGKILL]:
            if number in _SIGNALS or not data:
                # What has no terminal is not stopped by the signal that asks for that.
                sent = signal.SIGSTOP if number == signal.SIGTSTP else number
                os.kill(caller.pid, sent)

    def _reap(self, caller: _Caller, pidfd: int) -> None:
        code = os.waitstatus_to_exitcode(os.waitpid(caller.pid, 0)[1])
        self._selector.unregister(pidfd)
        os.close(pidfd)
        self._busy -= 1
        self._used = time.monotonic()
        if not caller.gone:
            self._say(caller, str(code).encode())
        self._forget(caller)

    def _say(self, caller: _Caller, data: bytes) -> None:
        with contextlib.suppress(OSError):
            caller.link.send(data)

    def _forget(self, caller: _Caller) -> None:
        self._callers.discard(caller)
        if not caller.gone:
            self._selector.unregister(caller.link)
            caller.link.close()
            caller.gone = True


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
