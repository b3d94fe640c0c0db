"""A client that sends whatever bytes it likes and sees everything that comes back."""

import json
import queue
import subprocess
import sys
import threading
import time

from cli_tools import environment

DEADLINE_S = 30.0


def framed(body, header="Content-Length: {}\r\n\r\n"):
    """Bytes of a message: JSON or bytes as they are, below any header."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return header.format(len(raw)).encode() + raw


def request(number, method="textDocument/hover", params=None, **more):
    """A request; without parameters one that is sound and about no exercise."""
    sound = {"textDocument": {"uri": "file:///none.py"}, "position": {"line": 0, "character": 0}}
    given = sound if params is None else params
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": given, **more}


def command(number, name="tutor.review", *arguments):
    return request(number, "workspace/executeCommand", {"command": name, "arguments": arguments})


class RawClient:
    """One server. `answers` are (id, error code or "result") in the order of their coming."""

    def __init__(self, home, *, initialize=True):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tutor_lsp", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(home),
        )
        self._came = queue.Queue()
        self.errors = b""
        threading.Thread(target=self._read, daemon=True).start()
        self._reading_errors = threading.Thread(target=self._read_errors, daemon=True)
        self._reading_errors.start()
        self._next = 0
        if initialize:
            capabilities = {"window": {"showMessage": {}}}
            given = {"processId": None, "rootUri": None, "capabilities": capabilities}
            self.send(framed(request("begin", "initialize", given)))
            self.send(framed({"jsonrpc": "2.0", "method": "initialized", "params": {}}))
            self.until("begin")

    def _read(self):
        stream = self.process.stdout
        while line := stream.readline():
            length = int(line.split(b":")[1])
            while stream.readline().strip():
                pass
            self._came.put(json.loads(stream.read(length)))
        self._came.put(None)

    def _read_errors(self):
        self.errors += self.process.stderr.read()

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def until(self, number):
        """What was answered up to the answer to request `number`, that one included."""
        return list(self._until(lambda message: message.get("id") == number))

    def next(self, count):
        """The next so many answers."""
        return [answer for _ in range(count) for answer in self._until(lambda _message: True)]

    def _until(self, last):
        end = time.monotonic() + DEADLINE_S
        while True:
            message = self._came.get(timeout=max(end - time.monotonic(), 0.01))
            assert message is not None, f"the server ended: {self.errors.decode()}"
            if "method" not in message:
                code = message["error"]["code"] if "error" in message else "result"
                yield message["id"], code
                if last(message):
                    return

    def after(self, data, count):
        """What these bytes are answered with, which may be `count` answers, besides a sound request
        that follows at once; one more afterwards shows that nothing else comes.
        """
        found = [*self._served(data, count + 1)]
        return sorted([*found, *self._served(b"", 1)], key=str)

    def _served(self, data, count):
        self._next += 1
        number = f"afterwards-{self._next}"
        self.send(data + framed(request(number)))
        came = []
        while (number, "result") not in came or len(came) < count:
            came += self._until(lambda _message: True)
        came.remove((number, "result"))
        return came

    def asked(self, method):
        """The id of the next request that the server makes with this method."""
        end = time.monotonic() + DEADLINE_S
        while True:
            message = self._came.get(timeout=max(end - time.monotonic(), 0.01))
            if message.get("method") == method and "id" in message:
                return message["id"]

    def noted(self, method, words):
        """The next notification with this method whose parameters have these words."""
        end = time.monotonic() + DEADLINE_S
        while True:
            message = self._came.get(timeout=max(end - time.monotonic(), 0.01))
            if message.get("method") == method and words in json.dumps(message["params"]):
                return message["params"]

    def ends(self, data, *, close=False):
        """The exit code after these bytes, and what was said on stderr."""
        self.send(data)
        if close:
            self.process.stdin.close()
        code = self.process.wait(DEADLINE_S)
        self._reading_errors.join(DEADLINE_S)
        return code, self.errors.decode()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reading_errors.join(DEADLINE_S)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                continue
