"""Drives the terminal program: in this process, as a child, in a pty, and as a server."""

import codecs
import fcntl
import json
import os
import pty
import queue
import re
import select
import struct
import subprocess
import sys
import termios
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from placeholders import with_body

from tutor_lsp.cli.main import main

PROGRAM = [sys.executable, "-m", "tutor_lsp"]
DEADLINE_S = 30.0
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
SHELL = """
import os, signal, subprocess, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
child = subprocess.Popen(sys.argv[1:], process_group=0)
os.tcsetpgrp(0, child.pid)
while True:
    _, status = os.waitpid(child.pid, os.WUNTRACED)
    os.tcsetpgrp(0, os.getpgrp())
    if not os.WIFSTOPPED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
    sys.stdin.readline()
    os.tcsetpgrp(0, child.pid)
    os.kill(child.pid, signal.SIGCONT)
"""
"""What a shell does with a job: lend it the terminal; when it stops, wait for a line, go on."""
FOREVER = "import time\n    time.sleep(3600)"


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self):
        assert self.out.count("\n") == 1, self.out
        return json.loads(self.out)

    @property
    def error(self):
        """The machine-readable error, the last line of stderr."""
        return json.loads(self.err.rstrip("\n").split("\n")[-1])


class Cli:
    """Runs verbs in this process, in a tutor home of its own."""

    def __init__(self, home: Path, capsys):
        self.home = home
        self._capsys = capsys

    def __call__(self, *arguments: str) -> Result:
        self._capsys.readouterr()
        code = main(list(arguments))
        captured = self._capsys.readouterr()
        return Result(code, captured.out, captured.err)


def until(what, met, seconds=DEADLINE_S):
    """The first true value of `met()`; fails after a deadline."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = met()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"not within {seconds} s: {what}")


def processes_in(folder: Path) -> set[int]:
    """Processes other than this one whose working folder lies in a folder."""
    found = set()
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if int(link.parent.name) != os.getpid() and link.readlink().is_relative_to(folder):
                found.add(int(link.parent.name))
        except OSError:
            continue
    return found


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("TUTOR_LSP_")}
    ours = {"HOME": str(home), "BACKEND": "library", "RESIDENT": "never"}
    return {**kept, **{f"TUTOR_LSP_{name}": value for name, value in ours.items()}, **more}


class Exercise:
    """The files of a started exercise (python-functions: `to_minutes` comes first)."""

    def __init__(self, ready):
        self.workspace = Path(ready["workspace"])
        self.session = ready["sessionId"]
        self.source = self.workspace / ready["units"][0]["file"]

    def body(self, stub: str, body: str) -> None:
        """Write a body for a stub that is still as given."""
        before = self.source.read_text()
        after = with_body(before, stub, body)
        assert after != before
        self.source.write_text(after)

    def solve(self) -> None:
        from tutor_lsp.library.loader import Library

        for path in Path(Library.__init__.__globals__["BUNDLED"]).glob("python/*movie-night"):
            for file in (path / "solution").rglob("*.py"):
                relative = file.relative_to(path / "solution")
                (self.workspace / relative).write_text(file.read_text())


class Terminal:
    """A child in a pty of its own. `text` is everything it printed, without escapes."""

    def __init__(self, *arguments: str, env, cwd=None, rows=30, columns=180, argv=None, **more):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.attributes = termios.tcgetattr(self.master)
        self.raw = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._seen = 0
        self.process = subprocess.Popen(
            [*(argv or PROGRAM), *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={k: v for k, v in env.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
            | {"TERM": "xterm-256color"}
            | more,
            cwd=cwd,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)

    @property
    def text(self) -> str:
        return ESCAPES.sub("", self.raw)

    def read(self) -> None:
        while select.select([self.master], [], [], 0)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            self.raw += self._decoder.decode(data)  # a character may be cut by what is read at once

    def screen(self) -> str:
        """What was drawn last in the alternate screen, which is drawn whole each time."""
        self.read()
        return ESCAPES.sub("", self.raw[self.raw.rfind("\x1b[H") :])

    def send(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def wait_for(self, words: str, *, after: int = 0) -> int:
        """Wait until the text has these words after a place; the place behind them."""

        def found():
            self.read()
            at = self.text.find(words, after)
            return at + len(words) if at >= 0 else 0

        try:
            self._seen = until(f"“{words}” on the screen", found)
        except AssertionError:
            shown = re.sub(r"[ \r\n]{2,}", " / ", self.text[after:])[-4000:]
            raise AssertionError(f"no “{words}” in {shown}") from None
        return self._seen

    def shows(self, *words: str) -> None:
        """Wait for each of these behind what was last waited for."""
        for each in words:
            self.wait_for(each, after=self._seen)

    def press(self, keys: str, *words: str) -> None:
        """Send keys and wait until all these words are shown, one behind the other."""
        self.send(keys)
        self.shows(*words)

    def press_for_all(self, keys: str, *words: str) -> None:
        """Send keys and wait until all these words are shown, in any order."""
        self.send(keys)
        before = self._seen
        self._seen = max(self.wait_for(each, after=before) for each in words)

    def quits(self, keys: str = "q") -> None:
        """Send keys, after which the program ends in order."""
        self.send(keys)
        assert self.end() == 0

    def end(self) -> int:
        """Wait for the end; the exit code."""

        def ended():
            self.read()
            return self.process.poll() is not None

        until("the end of the program", ended)
        self.read()
        return self.process.returncode


class Server:
    """A raw client of the language server, which sees every byte that the server writes."""

    def __init__(self, *arguments: str, env, argv=None):
        self.process = subprocess.Popen(
            [*(argv or PROGRAM), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
        )
        self._messages = queue.Queue()
        self.stray = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._next = 0

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                continue

    def _read(self):
        stream = self.process.stdout
        while line := stream.readline():
            if not line.startswith(b"Content-Length: "):
                self.stray += line
                continue
            length = int(line.split(b":")[1])
            while stream.readline().strip():
                pass
            self._messages.put(json.loads(stream.read(length)))

    def send(self, method: str, params=None, *, request=True) -> int:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if request:
            self._next += 1
            message["id"] = self._next
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()
        return self._next

    def answer(self, number: int):
        """The answer to a request; what comes before is dropped."""
        return self._first(lambda found: found.get("id") == number and "method" not in found)

    def notification(self, method: str):
        """The parameters of a notification; what comes before is dropped."""
        return self._first(lambda found: found.get("method") == method)["params"]

    def _first(self, wanted):
        end = time.monotonic() + DEADLINE_S
        while True:
            message = self._messages.get(timeout=max(0.01, end - time.monotonic()))
            if wanted(message):
                return message

    def request(self, method: str, params=None):
        return self.answer(self.send(method, params))

    def initialize(self):
        found = self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.send("initialized", {}, request=False)
        return found["result"]

    def command(self, name: str, *arguments):
        params = {"command": name, "arguments": list(arguments)}
        return self.request("workspace/executeCommand", params)

    def start_check(self) -> int:
        return self.send("workspace/executeCommand", {"command": "tutor.check", "arguments": []})

    def end(self) -> int:
        return self.process.wait(DEADLINE_S)
