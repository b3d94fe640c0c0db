"""An editor in a few lines: plain JSON over the server's pipes, and all that the server showed."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tutor_lsp import __version__

NAME = "tutor-lsp demo"
WAIT_S = 45.0
"""How long the server may take for anything, in seconds: a first build in Rust is the longest."""
STOP_S = 10.0
"""How long the server may take to end, in seconds."""
STDERR_KEPT = 20
"""Lines of the server's own messages that are kept for a report of what went wrong."""
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-32", "utf-16"]},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "textDocument": {
        "publishDiagnostics": {
            "relatedInformation": True, "versionSupport": True, "codeDescriptionSupport": True
        },
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}
        },
        "codeLens": {},
    },
}  # fmt: skip


class StepFailedError(Exception):
    """A step of the demo did not do what it should."""

    def __init__(self, expected: str, seen: str) -> None:
        super().__init__(f"expected {expected}; saw {seen}")
        self.expected = expected
        self.seen = seen


class Editor:
    """The client. Whatever the server sends is kept; `until` waits for it.

    `on_progress` is told title, percentage (if there is one) and text of work-done progress.
    """

    def __init__(self, on_progress: Callable[[str, int | None, str], None]) -> None:
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.shown: list[str] = []
        self.kept: list[Mapping[str, Any]] = []
        self.log: list[str] = []
        self._on_progress = on_progress
        self._titles: dict[Any, str] = {}
        self._changed = asyncio.Event()
        self._versions: dict[str, int] = {}
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._server: asyncio.subprocess.Process | None = None
        self._reading: tuple[asyncio.Task[None], ...] = ()

    async def begin(self, home: Path) -> None:
        """Start the server for a tutor home and initialize it."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("TUTOR_LSP_")}
        pipe = asyncio.subprocess.PIPE
        self._server = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tutor_lsp", "--stdio"),
            env={**kept, "TUTOR_LSP_HOME": str(home), "TUTOR_LSP_BACKEND": "library"},
            stdin=pipe, stdout=pipe, stderr=pipe, limit=2**24,
        )  # fmt: skip
        self._reading = (
            asyncio.create_task(self._read()),
            asyncio.create_task(self._read_stderr()),
        )
        given = {
            "capabilities": CAPABILITIES,
            "processId": os.getpid(),
            "rootUri": None,
            "initializationOptions": {"commandForm": "tutor-lsp %s"},
            "clientInfo": {"name": NAME, "version": __version__},
            "workspaceFolders": [{"uri": home.as_uri(), "name": home.name}],
        }
        answer = await self.request("initialize", given)
        encoding = answer["capabilities"]["positionEncoding"]
        if encoding != "utf-32":
            raise StepFailedError("positions in utf-32, as offered", encoding)
        self.notify("initialized", {})

    async def end(self) -> int:
        """Shut the server down in order; its exit code."""
        await self.request("shutdown", None)
        self.notify("exit", None)
        try:
            async with asyncio.timeout(STOP_S):
                return await self._server.wait() if self._server is not None else 1
        except TimeoutError:
            raise StepFailedError("the server to end after exit", "it still runs") from None

    async def kill(self) -> None:
        """End the server whatever state it is in."""
        server = self._server
        if server is not None and server.returncode is None:
            server.terminate()
            try:
                async with asyncio.timeout(STOP_S):
                    await server.wait()
            except TimeoutError:
                server.kill()
                await server.wait()
        if self._reading:
            await asyncio.wait(self._reading, timeout=1)

    async def command(self, name: str, argument: Mapping[str, Any]) -> Any:
        """A command's result. Raises StepFailedError if it is refused."""
        return await self.request(
            "workspace/executeCommand", {"command": name, "arguments": [argument]}
        )

    async def request(self, method: str, params: Any) -> Any:
        """The server's answer in time. Raises StepFailedError."""
        number = len(self._answers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        self._send({"id": number, "method": method, "params": params})
        what = f"an answer to {method}"
        try:
            async with asyncio.timeout(WAIT_S):
                answer = await self._answers[number]
        except TimeoutError:
            raise StepFailedError(what, f"nothing within {WAIT_S:.0f} s") from None
        if "error" in answer:
            raise StepFailedError(what, str(answer["error"]))
        return answer["result"]

    def notify(self, method: str, params: Any) -> None:
        """Tell the server."""
        self._send({"method": method, "params": params})

    async def until(self, what: str, met: Callable[[], bool], seen: Callable[[], str]) -> None:
        """Wait until `met`. Raises StepFailedError with `seen` if that takes too long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WAIT_S):
                while not met():
                    if self._reading[0].done():
                        raise StepFailedError(what, "the server ended")
                    self._changed.clear()
                    await self._changed.wait()
                return
        raise StepFailedError(what, seen())

    def open_document(self, path: Path, language: str, text: str) -> None:
        """Open a file as an editor does."""
        uri = path.as_uri()
        self._versions[uri] = 1
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def write(self, path: Path, text: str) -> None:
        """Change the whole text and save it."""
        uri = path.as_uri()
        self._versions[uri] += 1
        document = {"uri": uri, "version": self._versions[uri]}
        change = {"textDocument": document, "contentChanges": [{"text": text}]}
        self.notify("textDocument/didChange", change)
        path.write_bytes(text.encode())
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def _send(self, message: Mapping[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        if self._server is not None and self._server.stdin is not None:
            self._server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    async def _read(self) -> None:
        stream = self._server.stdout if self._server is not None else None
        while stream is not None and (line := await stream.readline()):
            if line.lower().startswith(b"content-length:"):
                while (await stream.readline()).strip():
                    pass  # other headers
                self._take(json.loads(await stream.readexactly(int(line.split(b":")[1]))))
        ended = {"error": "the server ended"}
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_result(ended)
        self._changed.set()

    def _take(self, message: Mapping[str, Any]) -> None:
        method, params = message.get("method"), message.get("params")
        if method is None:
            self._answers[message["id"]].set_result(message)
        elif "id" in message:
            shows = method == "window/showDocument"
            self._send({"id": message["id"], "result": {"success": True} if shows else None})
        if method == "window/showDocument" and params:
            self.shown.append(params["uri"])
        elif method == "textDocument/publishDiagnostics" and params:
            self.diagnostics[params["uri"]] = params["diagnostics"]
        elif method == "$/progress" and params:
            value = params["value"]
            title = self._titles.setdefault(params["token"], value.get("title", ""))
            self._on_progress(title, value.get("percentage"), value.get("message") or "")
        elif method is not None and method.startswith("tutor/") and params:
            self.kept.append(params)
        self._changed.set()

    async def _read_stderr(self) -> None:
        stream = self._server.stderr if self._server is not None else None
        while stream is not None and (line := await stream.readline()):
            self.log.append(line.decode(errors="replace").rstrip())
            del self.log[:-STDERR_KEPT]
