"""A home with secrets, a server that keeps code in, and code that would rather get out."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

import tutor_lsp

PROGRAM = str(Path(tutor_lsp.__file__).parents[1])
SERVER = Path(__file__).with_name("escape_server.py")
KEY, RECORD, LOGIN = "key-4f1c", "record-77aa", "login-90be"
HEAD = """import glob, os, signal, socket, subprocess, sys, time
from time import sleep

def r(path):
    try:
        return open(path).read()
    except OSError:
        return ""

def deaf():
    for number in (1, 2, 3, 15):
        signal.signal(number, signal.SIG_IGN)

"""

GONE_S = 2.0


class Place:
    """A home with secrets, services that listen, and a server to be attacked."""

    def __init__(self, folder, level, limit_s=20, again=""):
        """`again`: each run follows another one under the same guard."""
        self.folder, self.level, self.limit_s, self.again = folder, level, limit_s, again
        self.tag = uuid.uuid4().hex
        self.sleep = f"60.{int(self.tag, 16)}"
        self.home, self.run = folder / "user", folder / "run"
        self.tutor = self.home / "tutor"
        self.work = self.tutor / "exercise"
        self.run.mkdir()
        self.furnish()
        self.before = self.state()
        self.sockets = [socket.create_server(("127.0.0.1", 0))]
        self.port = self.sockets[0].getsockname()[1]
        self.abstract = f"\0tutor-{self.tag}"
        for address in (str(self.run / "service"), self.abstract):
            self.sockets.append(socket.socket(socket.AF_UNIX))
            self.sockets[-1].bind(address)
            self.sockets[-1].listen()
        for address in (str(self.run / "datagrams"), f"{self.abstract}-d"):
            self.sockets.append(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
            self.sockets[-1].bind(address)
        self.sockets.append(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self.sockets[-1].bind(("127.0.0.1", self.port))
        self.server = self.kept = self.mark = None

    def furnish(self):
        """Put everything to where it belongs."""
        for path in (self.home, self.folder / "user-2"):
            shutil.rmtree(path, ignore_errors=True)
        for path in (self.home / ".codex", self.work / "src"):
            path.mkdir(parents=True)
        (self.home / ".profile").write_text("mine")
        (self.home / ".codex" / "auth.json").write_text(LOGIN)
        (self.tutor / "tutor.db").write_text(RECORD)

    def state(self):
        ours = (p for p in self.home.rglob("*") if p.is_file() and self.work not in p.parents)
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in ours}

    def start(self):
        """A server in a session of its own, unless one is there."""
        if self.server is not None and self.server.poll() is None:
            return
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "API_KEY": KEY,
            "XDG_RUNTIME_DIR": str(self.run), "PYTHONPATH": PROGRAM,
        }  # fmt: skip
        self.server = subprocess.Popen(
            [
                *(sys.executable, SERVER, self.level, self.tutor, self.work),
                *(str(self.limit_s), self.again),
            ],
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, start_new_session=True,
        )  # fmt: skip
        said = json.loads(self.server.stdout.readline())
        if said["level"] != self.level:
            self.end()
            pytest.skip(f"not here: {said['why']}")
        self.kept, self.mark = said["kept"], said["mark"]

    def begin(self, code):
        """Have the server run some code."""
        self.start()
        values = {
            "HOME": str(self.home), "TUTOR": str(self.tutor), "RUN": str(self.run),
            "PORT": self.port, "ABSTRACT": self.abstract, "SLEEP": self.sleep,
            "SERVER": self.server.pid,
        }  # fmt: skip
        lines = [f"{name} = {value!r}\n" for name, value in values.items()]
        file = self.folder / "code.py"
        file.write_text(f"# {self.tag}\n{HEAD}{''.join(lines)}print('begun', flush=True)\n{code}\n")
        self.server.stdin.write(f"{file}\n")
        self.server.stdin.flush()

    def said(self):
        """What the code said; None where the server did not come to tell."""
        line = self.server.stdout.readline()
        return json.loads(line)["said"] if line else None

    def processes(self):
        """Those of the code, whatever their environment: number and command line. Of a server
        that is gone also what it had to keep them in."""
        words = [self.tag, self.sleep, *([self.mark] if self.server is None and self.mark else [])]
        found = {}
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                if any(word in line for word in words):
                    found[int(entry.name)] = line[-60:]
        return found

    def left(self, seconds=GONE_S):
        """What is there after that time, at most."""
        deadline = time.monotonic() + seconds
        while (left := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.02)
        return left

    def reached(self):
        """Whether anything has come to a service."""
        found = False
        for each in self.sockets:
            each.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                found |= bool(each.recv(1) if each.type == socket.SOCK_DGRAM else each.accept())
        return found

    def end(self, number=signal.SIGKILL):
        """End the server and wait for it."""
        if self.server is not None:
            self.server.send_signal(number)
            self.server.wait()
            self.server.stdin.close()
            self.server.stdout.close()
            self.server = None

    def close(self):
        self.end()
        for each in self.sockets:
            each.close()
        for pid in self.processes():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
