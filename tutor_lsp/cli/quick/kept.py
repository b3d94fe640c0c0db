"""The answer of `status`, said again while nothing that it was made of is different.

What that is, the interpreter tells: every file and folder that is opened while it is made. Beside
these are its code, the environment, and the files that are only looked for. One that is made beside
another program's work, that started a program, or that warned of something is not kept.
"""

from __future__ import annotations

import json
import os
import sys
import time
from _blake2 import blake2b
from collections.abc import Mapping, Sequence

from tutor_lsp import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

VERBS = frozenset({("status",), ("status", "--json"), ("status", "--plain")})
KEPT_S = 60.0
"""How long it holds, in seconds: topics become due for review by the clock."""
TICK_S = 0.05
"""How long before an answer is begun its files have to be at rest, in seconds: the time of a file
is that of a kernel's tick."""
RESULT = "tutor_lsp.result"
"""The event that tells of a verb's result."""
WITHOUT = frozenset({"_", "OLDPWD", "SHLVL"})
"""Variables that every shell sets anew."""
LOOKS = ("open", "os.listdir", "os.scandir", "sqlite3.connect")
STARTS = ("subprocess.Popen", "os.posix_spawn", "os.fork", "os.exec", "socket.connect")
DEVICES = ("/dev/", "/proc/", "/sys/")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

Seen = dict[str, list[int] | None]
"""What a file or folder is like, by its path; None where there is none."""


class Answer:
    """What a command line is answered."""

    def __init__(self, given: Sequence[str]) -> None:
        self.begun = time.time()
        home = os.environ.get("TUTOR_LSP_HOME") or "~/tutor-lsp"
        self.home = os.path.abspath(os.path.expanduser(home))
        self.path = os.path.join(self.home, ".cache", "status.json")
        self.asked = _asked(given)
        self._opened: set[str] = set()
        self._result: Mapping[str, Any] | None = None
        self._alone = True

    def again(self) -> bool:
        """Say what is kept, if that is still the answer."""
        try:
            with open(self.path, encoding="ascii") as file:
                kept = json.load(file)
            if kept["asked"] != self.asked or not kept["at"] <= self.begun < kept["at"] + KEPT_S:
                return False
            if any(seen != like(path) for path, seen in kept["seen"].items()):
                return False
            sys.stdout.buffer.write(kept["said"].encode("latin-1"))
            sys.stdout.buffer.flush()
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return False
        return True

    def listen(self) -> None:
        """Note what is said, and what is looked at for it."""
        sys.stdout, sys.stderr = Heard(sys.stdout), Heard(sys.stderr)
        note = {
            **dict.fromkeys(LOOKS, self._looks),
            **dict.fromkeys(STARTS, self._starts),
            RESULT: self._has_result,
        }.get

        def hook(event: str, given: tuple[Any, ...]) -> None:
            # Most events are none of these.
            noted = note(event)
            if noted is not None:
                noted(given)

        sys.addaudithook(hook)

    def _looks(self, given: tuple[Any, ...]) -> None:
        # A number is a file that is open already, None the folder that the shell is in.
        if isinstance(given[0], str | os.PathLike):
            self._opened.add(str(given[0]))

    def _starts(self, _: tuple[Any, ...]) -> None:
        self._alone = False

    def _has_result(self, given: tuple[Any, ...]) -> None:
        self._result = given[0]

    def keep(self, code: int) -> None:
        """Keep what was said for the next time."""
        out, err = sys.stdout, sys.stderr
        if not isinstance(out, Heard) or not isinstance(err, Heard):
            return
        session = (self._result or {}).get("session") or {}
        # Where nothing is open or left to do, other exercises are looked for.
        going_on = session.get("workspace") and not session["passed"] and not session["endedAt"]
        if code or err.heard or not self._alone or not going_on:
            return
        try:
            said = "".join(out.heard).encode(out.encoding, out.errors or "strict")
            seen = {path: like(path) for path in self._looked_at(session["workspace"])}
            rest = self.begun - TICK_S
            if any(max(each[-2:]) / 1e9 > rest for each in seen.values() if each is not None):
                return
            kept = {"asked": self.asked, "at": self.begun, "said": said.decode("latin-1")}
            _write(self.path, json.dumps({**kept, "seen": seen}))
        except (OSError, UnicodeError):
            return

    def _looked_at(self, workspace: str) -> set[str]:
        own = os.path.join(workspace, ".tutor")
        found = {workspace, own, *(os.path.join(own, name) for name in os.listdir(own))}
        found.update(os.path.abspath(path) for path in self._opened if "file:" not in path)
        for name in ("tutor.db", "tutor.db-wal", "config.toml"):
            found.add(os.path.join(self.home, name))
        found.update(each for each in os.environ.get("PATH", "").split(os.pathsep) if each)
        folder = os.getcwd()
        while folder != os.path.dirname(folder):
            found.add(os.path.join(folder, ".tutor", "exercise.json"))
            found.add(os.path.join(folder, "LESSON.md"))
            folder = os.path.dirname(folder)
        files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        found.update(file for file in files if file and file.startswith(_PACKAGE + os.sep))
        # What programs that read the record share is none of its content, nor are their leftovers.
        others = {os.path.join(self.home, "tutor.db.lock"), os.environ.get("TMPDIR") or "/tmp"}  # noqa: S108
        return {path for path in found - others if not path.startswith(DEVICES)}


class Heard:
    """A stream, and what was written to it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.heard: list[str] = []

    def write(self, text: str) -> int:
        """As the stream does."""
        self.heard.append(text)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def answer(given: Sequence[str]) -> Answer | None:
    """What may be kept of a command line, None if nothing may be."""
    if tuple(given) not in VERBS or sys.stdout is None or sys.stderr is None:
        return None
    try:
        return Answer(given)
    except OSError:  # such as a folder that was deleted
        return None


def like(path: str) -> list[int] | None:
    """What a file or folder is like now."""
    try:
        state = os.stat(path)
    except (OSError, ValueError):
        return None
    place = [state.st_dev, state.st_ino, state.st_mode, state.st_size, state.st_mtime_ns]
    # SQLite gives its log to the owner of the record again, each time that it is opened by root.
    return [*place, state.st_mtime_ns if path.endswith("-wal") else state.st_ctime_ns]


def _asked(given: Sequence[str]) -> str:
    """Everything about a call that its answer depends on, as a fingerprint."""
    ours = sorted((k, v) for k, v in os.environ.items() if k not in WITHOUT)
    streams = []
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        shown = stream is not None and stream.isatty()
        size = tuple(os.get_terminal_size(stream.fileno())) if shown else ()
        streams.append([shown, size, getattr(stream, "encoding", None)])
    parts = [given, ours, streams, os.getcwd(), os.getuid(), sys.version, sys.path, __version__]
    return blake2b(json.dumps(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _write(path: str, text: str) -> None:
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    new = f"{path}.{os.getpid()}"
    made = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(made, "w", encoding="ascii") as file:
        file.write(text)
    os.replace(new, path)
