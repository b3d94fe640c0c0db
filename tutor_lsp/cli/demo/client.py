"""An editor in a few lines: a real LSP client that remembers what the server showed it."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Union

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from pygls.protocol import JsonRPCNotification, LanguageServerProtocol, default_converter

from tutor_lsp import __version__

NAME = "tutor-lsp demo"
WAIT_S = 45.0
"""How long the server may take for anything, in seconds: a first build in Rust is the longest."""
STOP_S = 10.0
"""How long the server may take to end, in seconds."""
KEPT = "$/kept"
"""Stands for a notification that was taken over as plain JSON."""
STDERR_KEPT = 20
"""Lines of the server's own messages that are kept for a report of what went wrong."""


class StepFailedError(Exception):
    """A step of the demo did not do what it should."""

    def __init__(self, expected: str, seen: str) -> None:
        super().__init__(f"expected {expected}; saw {seen}")
        self.expected = expected
        self.seen = seen


class _Protocol(LanguageServerProtocol):
    """Hands the tutor's own notifications over as plain JSON."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        method = data.get("method", "")
        if "jsonrpc" in data and isinstance(method, str) and method.startswith(("tutor/", "$/p")):
            editor: Editor = self._server  # type: ignore[assignment]
            editor.notified(method, data.get("params"))
            return JsonRPCNotification(method=KEPT, jsonrpc="2.0", params=None)
        return super().structure_message(data)


def _converter() -> Any:
    """pygls's converter; lsprotocol takes a code action that has a command for a command."""
    converter: Any = default_converter()  # type: ignore[no-untyped-call]

    def command_or_action(data: Any, _kind: Any) -> Any:
        if isinstance(data.get("command"), str):
            return converter.structure(data, lsp.Command)
        return converter.structure(data, lsp.CodeAction)

    converter.register_structure_hook(Union[lsp.Command, lsp.CodeAction], command_or_action)  # noqa: UP007 - the key that lsprotocol uses
    return converter


class Editor(LanguageClient):
    """The client. Whatever the server sends is kept; `until` waits for it.

    `on_progress` is told title, percentage (if there is one) and text of work-done progress.
    """

    def __init__(self, on_progress: Callable[[str, int | None, str], None]) -> None:
        super().__init__(NAME, __version__, protocol_cls=_Protocol, converter_factory=_converter)
        self.diagnostics: dict[str, list[lsp.Diagnostic]] = {}
        self.shown: list[tuple[str, int]] = []
        self.messages: list[str] = []
        self.kept: list[tuple[str, Any]] = []
        self.log: list[str] = []
        self._on_progress = on_progress
        self._titles: dict[Any, str] = {}
        self._changed = asyncio.Event()
        self._versions: dict[str, int] = {}
        self._stderr: asyncio.Task[None] | None = None
        self._register()

    async def begin(self, home: Path) -> None:
        """Start the server for a tutor home and initialize it."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("TUTOR_LSP_")}
        environment = {**kept, "TUTOR_LSP_HOME": str(home), "TUTOR_LSP_BACKEND": "library"}
        arguments = ("-m", "tutor_lsp", "--stdio")
        await self.start_io(sys.executable, *arguments, env=environment)
        self._stderr = asyncio.create_task(self._read_stderr())
        answer = await self.answer(
            self.initialize_async(
                lsp.InitializeParams(
                    capabilities=_capabilities(),
                    process_id=os.getpid(),
                    client_info=lsp.ClientInfo(NAME, __version__),
                    workspace_folders=[lsp.WorkspaceFolder(home.as_uri(), home.name)],
                )
            ),
            "an answer to initialize",
        )
        encoding = answer.capabilities.position_encoding
        if encoding != lsp.PositionEncodingKind.Utf32:
            raise StepFailedError("positions in utf-32, as offered", str(encoding))
        self.initialized(lsp.InitializedParams())

    async def end(self) -> int:
        """Shut the server down in order; its exit code."""
        await self.answer(self.shutdown_async(None), "an answer to shutdown")
        self.exit(None)
        server = self._server
        if server is None:
            return 1
        try:
            async with asyncio.timeout(STOP_S):
                code = await server.wait()
                await self.stop()  # type: ignore[no-untyped-call]
        except TimeoutError:
            raise StepFailedError("the server to end after exit", "it still runs") from None
        return code

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
        if self._stderr is not None:
            await asyncio.wait([self._stderr], timeout=1)
            self._stderr.cancel()

    async def command(self, name: str, argument: Mapping[str, Any]) -> Any:
        """A command's result as plain JSON. Raises StepFailedError if it is refused."""
        params = lsp.ExecuteCommandParams(name, [dict(argument)])
        return await self.answer(
            self.workspace_execute_command_async(params), f"a result of {name}"
        )

    async def answer(self, waiting: Any, what: str) -> Any:
        """The server's answer in time."""
        try:
            async with asyncio.timeout(WAIT_S):
                return await waiting
        except TimeoutError:
            raise StepFailedError(what, f"nothing within {WAIT_S:.0f} s") from None
        except Exception as error:  # noqa: BLE001 - any refusal is a wrong step, and is shown
            raise StepFailedError(what, f"{type(error).__name__}: {error}") from None

    async def until(self, what: str, met: Callable[[], bool], seen: Callable[[], str]) -> None:
        """Wait until `met`. Raises StepFailedError with `seen` if that takes too long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WAIT_S):
                while not met():
                    if self.stopped:
                        raise StepFailedError(what, "the server ended")
                    self._changed.clear()
                    await self._changed.wait()
                return
        raise StepFailedError(what, seen())

    def open_document(self, path: Path, language: str, text: str) -> None:
        """Open a file as an editor does."""
        uri = path.as_uri()
        self._versions[uri] = 1
        item = lsp.TextDocumentItem(uri, language, 1, text)
        self.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def write(self, path: Path, text: str) -> None:
        """Change the whole text and save it."""
        uri = path.as_uri()
        self._versions[uri] += 1
        version = lsp.VersionedTextDocumentIdentifier(self._versions[uri], uri)
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(lsp.DidChangeTextDocumentParams(version, [change]))
        path.write_bytes(text.encode())
        self.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri)))

    def notified(self, method: str, params: Any) -> None:
        """A notification of the tutor's own, or progress."""
        if method == "$/progress":
            value = params["value"]
            title = self._titles.setdefault(params["token"], value.get("title", ""))
            self._on_progress(title, value.get("percentage"), value.get("message") or "")
        else:
            self.kept.append((method, params))
        self._changed.set()

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Keep what pygls could not handle."""
        self.log.append(f"{source}: {error!r}")

    async def server_exit(self, server: asyncio.subprocess.Process) -> None:
        """Wake whoever waits."""
        del server
        self._changed.set()

    async def _read_stderr(self) -> None:
        stream = self._server.stderr if self._server is not None else None
        while stream is not None and (line := await stream.readline()):
            self.log.append(line.decode(errors="replace").rstrip())
            del self.log[:-STDERR_KEPT]

    def _register(self) -> None:
        def nothing(params: Any) -> None:
            del params

        self._on(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, self._diagnostics)
        self._on(lsp.WINDOW_SHOW_MESSAGE, self._message)
        self._on(lsp.WINDOW_SHOW_DOCUMENT, self._show)
        self._on(KEPT, nothing)
        self._on(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE, nothing)
        self._on(lsp.WORKSPACE_CODE_LENS_REFRESH, nothing)
        self._on(lsp.CLIENT_REGISTER_CAPABILITY, nothing)
        self._on(lsp.WINDOW_LOG_MESSAGE, nothing)

    def _on(self, method: str, handle: Callable[[Any], Any]) -> None:
        # pygls marks what it registers, which a bound method does not allow.
        self.feature(method)(lambda params: handle(params))

    def _diagnostics(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.diagnostics[params.uri] = list(params.diagnostics)
        self._changed.set()

    def _message(self, params: lsp.ShowMessageParams) -> None:
        self.messages.append(params.message)
        self._changed.set()

    def _show(self, params: lsp.ShowDocumentParams) -> lsp.ShowDocumentResult:
        line = params.selection.start.line + 1 if params.selection is not None else 1
        self.shown.append((params.uri, line))
        self._changed.set()
        return lsp.ShowDocumentResult(success=True)


def _capabilities() -> lsp.ClientCapabilities:
    return lsp.ClientCapabilities(
        general=lsp.GeneralClientCapabilities(
            position_encodings=[lsp.PositionEncodingKind.Utf32, lsp.PositionEncodingKind.Utf16]
        ),
        window=lsp.WindowClientCapabilities(
            work_done_progress=True,
            show_document=lsp.ShowDocumentClientCapabilities(support=True),
        ),
        text_document=lsp.TextDocumentClientCapabilities(
            publish_diagnostics=lsp.PublishDiagnosticsClientCapabilities(
                related_information=True, version_support=True, code_description_support=True
            ),
            hover=lsp.HoverClientCapabilities(content_format=[lsp.MarkupKind.Markdown]),
            code_action=lsp.CodeActionClientCapabilities(
                code_action_literal_support=lsp.ClientCodeActionLiteralOptions(
                    lsp.ClientCodeActionKindOptions([lsp.CodeActionKind.QuickFix])
                )
            ),
            code_lens=lsp.CodeLensClientCapabilities(),
        ),
    )
