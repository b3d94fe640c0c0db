"""A client without a library, so that its own cost is small: JSON over pipes, one thread."""

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

TUTOR = [sys.executable, "-m", "tutor_lsp"]
BARE = [sys.executable, "-m", "benchmarks.bare_server"]
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
    "textDocument": {"publishDiagnostics": {"relatedInformation": True, "versionSupport": True}},
}


class Wire:
    """One server and what it sent."""

    def __init__(self, command: list[str], home: Path, **environment: str) -> None:
        env = {k: v for k, v in os.environ.items() if not k.startswith("TUTOR_LSP_")}
        env |= {"TUTOR_LSP_HOME": str(home), **environment}
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env,
            stderr=subprocess.DEVNULL, bufsize=0,
        )  # fmt: skip
        self._buffer = b""
        self._next = 0
        self.inbox: list[dict[str, Any]] = []

    def send(self, method: str, params: Any, *, request: bool = False) -> int:
        self._next += 1
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if request:
            message["id"] = self._next
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        return self._next

    def _receive(self, limit: float) -> dict[str, Any] | None:
        end = time.perf_counter() + limit
        while True:
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if found:
                length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
                if len(rest) >= length:
                    self._buffer = rest[length:]
                    return json.loads(rest[:length])
            left = end - time.perf_counter()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                raise RuntimeError("the server ended")
            self._buffer += data

    def wait(self, matches: Any, limit: float = 60) -> dict[str, Any]:
        """The next message that matches; answers the server's requests on the way."""
        end = time.perf_counter() + limit
        while (left := end - time.perf_counter()) > 0:
            message = self._receive(left)
            if message is None:
                break
            if "method" in message and "id" in message:
                body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": None}).encode()
                self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.inbox.append(message)
            if matches(message):
                return message
        raise RuntimeError("no answer in time")

    def request(self, method: str, params: Any) -> Any:
        number = self.send(method, params, request=True)
        answer = self.wait(lambda m: m.get("id") == number and "method" not in m)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["result"]

    def initialize(self, **options: Any) -> float:
        """Milliseconds from starting the process to the answer; `options` are those of a client."""
        self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": None,
                "capabilities": CAPABILITIES,
                "initializationOptions": options,
            },
        )
        took = time.perf_counter() - self.began
        self.send("initialized", {})
        return took * 1000

    def command(self, name: str, argument: Any = None) -> Any:
        arguments = [] if argument is None else [argument]
        return self.request("workspace/executeCommand", {"command": name, "arguments": arguments})

    def peak_mib(self) -> float:
        """Highest resident memory so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024

    def close(self) -> None:
        self.request("shutdown", None)
        self.send("exit", None)
        self.process.wait(timeout=20)
        self.process.stdin.close()
        self.process.stdout.close()
