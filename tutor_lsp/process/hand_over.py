"""Hands a verb over to the process that stays, passes signals on, and ends as the verb did.

The caller's own streams go along, so that nothing is relayed but signals and the exit code. This is
loaded for each verb: nothing that takes long.
"""

# pathlib takes longer to load than all of this
# ruff: noqa: PTH100, PTH111, PTH118

import _signal as signal  # type: ignore[import-not-found]  # the other one loads enum
import _socket
import os
import sys
from _blake2 import blake2b
from collections.abc import Callable, Sequence
from types import FrameType

from tutor_lsp import __version__

VARIABLE = "TUTOR_LSP_RESIDENT"
TERMINAL, ALWAYS, NEVER = "terminal", "always", "never"
"""Whether a verb leaves a process behind: where somebody is at a terminal, everywhere, nowhere."""
WISHES = (TERMINAL, ALWAYS)
"""Those with which there is one; any other text is `NEVER`."""
VERBS = frozenset({"attempt", "check", "hint", "next", "open", "review", "status"})
"""The verbs that it does, and that leave it behind."""
RUNS = frozenset({"attempt", "check", "hint", "next"})
"""Those of them that may run tests."""
APART = ("--help", "-h", "--home")
"""Options that make a verb of another kind or for another home."""
SHELLS_OWN = frozenset(
    {
        "_", "OLDPWD", "SHLVL", "PWD", "COLUMNS", "LINES", "WINDOW", "WINDOWID", "WINDOWPATH",
        "STY", "TMUX", "TMUX_PANE", "TTY", "GPG_TTY", "TERM_SESSION_ID", "SHELL_SESSION_ID",
        "SSH_TTY", "SSH_CLIENT", "SSH_CONNECTION", "SSH_AGENT_PID", "WT_SESSION",
        "XDG_SESSION_ID", "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID", "INVOCATION_ID",
        "JOURNAL_STREAM", "SYSTEMD_EXEC_PID", "MEMORY_PRESSURE_WATCH",
    }
)  # fmt: skip
TERMINALS_OWN = (
    "ALACRITTY_", "GHOSTTY_", "GNOME_TERMINAL_", "ITERM_", "KITTY_", "KONSOLE_", "STARSHIP_",
    "TILIX_", "VSCODE_", "WEZTERM_", "ZELLIJ",
)  # fmt: skip
"""Variables, and how the names of others begin, that differ from one terminal to the next, and that
nothing is remembered by: whoever does a verb gets those of its caller. None of those that name what
no run may read: it is hidden before there is a caller."""
MOST_PATH = 107
"""How long the path of a socket may be, in bytes."""
_OTHERS_WRITE = 0o022
GREETING_S = 1.0
"""How long the other end may take to say for whom it is there, in seconds. Until then it gets
nothing: what lies in its queue, such as a pipe, would be held open there."""
BEGIN_S = 10.0
"""How long it may take to begin, in seconds: nothing was done then."""
BEGUN = b"begun"
HEARD = b"\0"
END = b"end"
MOST_BYTES = 64
LIKE = ("encoding", "errors", "line_buffering", "write_through")
"""What makes a stream of text what it is."""
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP)
_INT_BYTES = 4
_LOST = "tutor-lsp: what did this has ended unexpectedly. Try again.\n"


class Place:
    """The socket and the lock of the process that stays for a home."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.folder = os.path.join(home, ".cache", "resident")
        self.socket = os.path.join(self.folder, "socket")
        self.lock = os.path.join(self.folder, "lock")

    @property
    def usable(self) -> bool:
        """Whether there may be one: a socket's path is short."""
        return sys.platform == "linux" and len(os.fsencode(self.socket)) <= MOST_PATH

    @property
    def ours(self) -> bool:
        """Whether the folder and the socket in it are this user's own, and nobody else's."""
        try:
            found = [os.lstat(path) for path in (self.home, self.folder, self.socket)]
        except OSError:
            return False
        mine = os.geteuid()
        inside = found[1:]
        return all(each.st_uid == mine for each in found) and not any(
            each.st_mode & _OTHERS_WRITE for each in inside
        )


def of_environment() -> Place:
    """That of the home which the environment means."""
    home = os.environ.get("TUTOR_LSP_HOME") or "~/tutor-lsp"
    return Place(os.path.abspath(os.path.expanduser(home)))


def serves(given: Sequence[str]) -> bool:
    """Whether a command line is one that it does."""
    return bool(given) and given[0] in VERBS and not any(each.startswith(APART) for each in given)


class Here:
    """What is so in this process: the setting, once a verb has read it, and in a fork how to tell
    the caller the exit code, after which nothing is shown any more."""

    wish = NEVER
    tell: Callable[[int], None] | None = None


def may_leave(given: Sequence[str]) -> bool:
    """Whether a verb leaves a process behind, where that is possible."""
    if Here.wish == TERMINAL and not _somebody_is_there():
        return False
    return Here.wish in WISHES and serves(given) and of_environment().usable


def key() -> str:
    """What is the same in every process that may do a verb for another: program, interpreter, and
    an environment whose values may have been remembered."""
    values = sorted(
        (name, value)
        for name, value in os.environ.items()
        if name not in SHELLS_OWN and not name.startswith(TERMINALS_OWN)
    )
    parts = [__version__, sys.version, sys.executable, list(sys.flags), sys.path, values]
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def served(given: Sequence[str]) -> int | None:
    """Have a verb done by the process that stays, for a script as for a terminal; its exit code.
    None if it has to be done here: then nothing of it was done there."""
    wish = os.environ.get(VARIABLE) or TERMINAL
    if wish not in WISHES or not serves(given) or not _in_front():
        return None
    found = reached(of_environment())
    if found is None:
        return None
    link, _ = found
    try:
        if link.recv(MOST_BYTES) != key().encode() or not _begun(link, given):
            return None
        return _ended(link)
    except OSError:
        return None
    finally:
        link.close()


def reached(place: Place) -> tuple[_socket.socket, int] | None:
    """A connection to the process that stays for a home, and its id. None if there is none of this
    user."""
    if not place.usable or not place.ours:
        return None
    link = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    try:
        link.settimeout(GREETING_S)
        link.connect(place.socket)
        pid, user, _ = credentials(link)
        if user == os.geteuid() and pid > 0:
            return link, pid
    except OSError:
        pass
    link.close()
    return None


def credentials(link: _socket.socket) -> list[int]:
    """Process, user and group at the other end of a connection. Raises OSError."""
    size = 3 * _INT_BYTES
    said = link.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, size)
    parts = (said[at : at + _INT_BYTES] for at in range(0, size, _INT_BYTES))
    return [int.from_bytes(each, sys.byteorder, signed=True) for each in parts]


def end(place: Place) -> bool:
    """Have it end once it has done what it does; whether there was one."""
    found = reached(place)
    if found is None:
        return False
    try:
        found[0].send(END)
    except OSError:
        return False
    finally:
        found[0].close()
    return True


def _somebody_is_there() -> bool:
    """Whether somebody is at a terminal, who may want the next verb, too."""
    return os.environ.get("CI") != "true" and all(map(os.isatty, (0, 1))) and _in_front()


def _in_front() -> bool:
    """Whether this is what the terminal's keys are for: only that may read from it."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:  # it is no terminal, or not this session's
        return True


def _begun(link: _socket.socket, given: Sequence[str]) -> bool:
    """Whether it began."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if any(stream is None for stream in streams):
        return False
    words = [str(getattr(stream, each)) for stream in streams for each in LIKE]
    values = [name + b"=" + value for name, value in os.environb.items()]
    asked = [*map(os.fsencode, (str(len(given)), *given, *words)), *values]
    try:
        folder = os.open(".", os.O_PATH | os.O_DIRECTORY)
    except OSError:
        return False
    try:
        fds = b"".join(fd.to_bytes(_INT_BYTES, sys.byteorder) for fd in (0, 1, 2, folder))
        link.settimeout(BEGIN_S)
        link.sendmsg(
            [b"\0".join(asked)],
            [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, fds)],
        )
        return link.recv(MOST_BYTES) == BEGUN
    except (OSError, UnicodeError):
        return False
    finally:
        os.close(folder)


def _ended(link: _socket.socket) -> int:
    """Wait for the end; the exit code. Signals are passed on meanwhile."""

    def tell(data: bytes) -> None:
        try:  # noqa: SIM105 - contextlib takes a while to load
            link.send(data)
        except OSError:
            pass  # it has ended

    def passed_on(number: int, _: FrameType | None) -> None:
        tell(bytes([number]))
        if number == signal.SIGTSTP:
            os.kill(os.getpid(), signal.SIGSTOP)
            tell(bytes([signal.SIGCONT]))

    for number in PASSED_ON:
        signal.signal(number, passed_on)
    link.settimeout(None)
    try:
        said = link.recv(MOST_BYTES)
    except OSError:
        said = b""
    if not said:
        sys.stderr.write(_LOST)
        sys.stderr.flush()
        return 1
    tell(HEARD)  # nobody is killed because we are gone
    code = int(said)
    if code >= 0:
        return code
    # As the verb itself would have ended.
    if -code in PASSED_ON:
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    return 128 - code
