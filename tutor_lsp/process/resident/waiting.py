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
from dataclasses import dataclass, replace
from functools import partial

from tutor_lsp.process.hand_over import BEGUN, END, HEARD, PASSED_ON, RUNS, Place, end, key
from tutor_lsp.process.power import on_battery
from tutor_lsp.process.resident.asked import STREAMS, Asked
from tutor_lsp.process.resident.peer import is_ours, is_users, standing
from tutor_lsp.process.resident.seen import Seen
from tutor_lsp.process.supervisor.kernel import die_with_parent, set_dumpable

IDLE_S = 300.0
"""How long it stays with nothing to do, in seconds."""
LOOK_S = 15.0
"""How often it looks whether it is still needed, in seconds."""
SOON_S = 0.1
"""How long after a verb the next one is prepared for, in seconds."""
LOCK_S = 10.0
"""How long the one before may take to make room, in seconds."""
MOST_BYTES = 1024 * 1024
_PRIVATE = 0o177
_SIGNALS = frozenset({*PASSED_ON, signal.SIGCONT})


@dataclass(slots=True, eq=False)
class _Caller:
    """Whoever asked, until its verb has ended. `pid` is that of the fork, 0 before there is one.
    One that does not stand where we do (`ours`) may only ask us to end. So may whoever is to take
    our place: nobody can look into it any more."""

    link: socket.socket
    ours: bool
    pid: int = 0
    gone: bool = False


def wait(place: Place, seen: Seen, ahead: Callable[[], None] | None) -> Asked | None:
    """Stay for a home. In each fork what was asked of it, None where there is nothing to stay for
    any more, in the process itself. `ahead` is what a verb that runs tests would wait for: one
    fork does it before it is asked for anything."""
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
        waiting = _Waiting(place, seen, listening, held, ahead)
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
        held: contextlib.ExitStack,
        ahead: Callable[[], None] | None,
    ) -> None:
        self._place = place
        self._seen = seen
        self._listening = listening
        self._greeting = key().encode()
        self._held = held
        self._ahead = ahead
        self._spare: tuple[int, socket.socket] | None = None
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
        self._selector.register(self._listening, selectors.EVENT_READ, self._accept)
        while not self._over or self._busy:
            prepares = self._ahead and not (self._spare or self._busy or self._over)
            came = self._selector.select(SOON_S if prepares else LOOK_S)
            if self._ahead and prepares and not came:
                self._prepare(self._ahead)
                if self._asked is not None:
                    return self._asked
            for found, _ in came:
                if self._selector.get_map().get(found.fd) is not found:
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
        if self._spare is not None:
            self._spare[1].close()  # which it waits for
            self._spare = None

    def _accept(self) -> None:
        try:
            link, _ = self._listening.accept()
        except OSError:
            return
        link.setblocking(False)  # noqa: FBT003 - the function's signature
        if not is_users(link):
            link.close()
            return
        ours = is_ours(link, self._standing)
        if ours and not self._seen.unchanged:
            link.close()
            self._end()
            return
        caller = _Caller(link, ours=ours)
        self._callers.add(caller)
        self._selector.register(link, selectors.EVENT_READ, partial(self._hear, caller))
        if ours:
            self._say(caller, self._greeting)
        else:
            link.shutdown(socket.SHUT_WR)  # it need not wait for a greeting

    def _hear(self, caller: _Caller) -> None:
        data, fds, flags = _received(caller.link)
        if caller.pid:
            self._pass_on(caller, data)
        elif data == END:
            self._forget(caller)
            self._end()
        else:
            try:
                whole = not flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC)
                asked: Asked | None = Asked.of(data if whole and caller.ours else b"", fds)
            except ValueError:
                asked = None
            if asked is None:
                self._forget(caller)
            else:
                if not self._hand_on(caller, asked, data):
                    self._fork(caller, asked)
                if self._asked is not None:
                    return
        for fd in fds:
            os.close(fd)

    def _fork(self, caller: _Caller, asked: Asked) -> None:
        parent = os.getpid()
        try:
            pid = os.fork()
        except OSError:
            self._forget(caller)
            return
        if pid:
            self._attend(caller, pid)
            return
        link = caller.link.dup()
        self._be_fork(parent)
        self._asked = _begun(asked, link)

    def _attend(self, caller: _Caller, pid: int) -> None:
        caller.pid = pid
        self._busy += 1
        pidfd = os.pidfd_open(pid)
        self._selector.register(pidfd, selectors.EVENT_READ, partial(self._reap, caller, pidfd))

    def _prepare(self, ahead: Callable[[], None]) -> None:
        """Have a fork do what a run of tests would wait for, and then wait for one."""
        parent = os.getpid()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_BYTES)
        pid = os.fork()
        if pid:
            theirs.close()
            ours.setblocking(False)  # noqa: FBT003 - the function's signature
            self._spare = pid, ours
            return
        ours.close()
        self._be_fork(parent)
        ahead()
        data, fds, _, _ = socket.recv_fds(theirs, MOST_BYTES, STREAMS + 2)
        theirs.close()
        if not data:
            os._exit(0)
        link = socket.socket(fileno=fds.pop())
        self._asked = _begun(Asked.of(data, fds), link)

    def _hand_on(self, caller: _Caller, asked: Asked, data: bytes) -> bool:
        """Whether the fork that waits for it does it."""
        if self._spare is None or asked.given[0] not in RUNS:
            return False
        (pid, link), self._spare = self._spare, None
        with link:
            try:
                socket.send_fds(link, [data], [*asked.fds, caller.link.fileno()])
            except OSError:  # it has ended
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return False
        self._attend(caller, pid)
        return True

    def _be_fork(self, parent: int) -> None:
        """Keep nothing that is the waiting process's own, and end with it."""
        die_with_parent()
        if os.getppid() != parent:
            os._exit(1)
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for each in list(self._selector.get_map().values()):
            if not isinstance(each.fileobj, int):
                each.fileobj.close()  # type: ignore[attr-defined]
            else:
                os.close(each.fileobj)
        self._selector.close()
        if self._spare is not None:
            self._spare[1].close()
        self._held.close()

    def _pass_on(self, caller: _Caller, data: bytes) -> None:
        if data in (b"", HEARD):
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


def _received(link: socket.socket) -> tuple[bytes, list[int], int]:
    """Message, descriptors and flags; empty where the other end has gone."""
    for _ in range(2):
        try:
            data, fds, flags, _ = socket.recv_fds(link, MOST_BYTES, STREAMS + 1)
        except ConnectionResetError:
            continue  # it has gone without reading all; what it said before that comes next
        except OSError:
            break
        return data, fds, flags
    return b"", [], 0


def _begun(asked: Asked, link: socket.socket) -> Asked:
    """Tell the caller, who may have done it without us: then it is not begun."""
    try:
        link.send(BEGUN)
    except OSError:
        os._exit(0)
    return replace(asked, link=link)


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
